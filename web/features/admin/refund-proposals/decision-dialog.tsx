import { useState } from 'react'
import type { RefundProposalItem } from '#contracts/admin/refund-proposals'
import { codeInWords } from '#contracts/code-in-words'
import { useDecideRefundMutation } from '../../../api/refund-proposals-api.ts'
import { errorText } from '../../../lib/http.ts'
import { formatMoney } from '../../../lib/money.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'

interface DecisionDialogProps {
  readonly decision: 'approve' | 'decline' | 'withdraw'
  readonly proposal: RefundProposalItem
  readonly onClose: () => void
}

/** Asks for the confirmation of a decision with customer and amount, and reports its outcome. */
export function DecisionDialog({ decision, proposal, onClose }: DecisionDialogProps) {
  const { id, user_id: userId, customer_name, customer_email, reason, note } = proposal
  const [why, setWhy] = useState('')
  const [decide, { isLoading, error }] = useDecideRefundMutation()
  const amount = formatMoney(proposal.amount, proposal.currency)

  async function confirm(): Promise<void> {
    const { data } = await decide({
      userId,
      id,
      decision,
      ...(decision === 'decline' ? { why: why.trim() } : {}),
    })
    if (data === undefined) return
    showToast('success', data.message)
    onClose()
  }

  const actions = {
    approve: `Approve and refund ${amount}`,
    decline: 'Decline the refund',
    withdraw: 'Withdraw the refund',
  } as const
  return (
    <ConfirmDialog
      title={titles[decision](amount, customer_name ?? customer_email)}
      action={actions[decision]}
      busy={isLoading}
      disabled={decision === 'decline' && why.trim() === ''}
      problem={
        error === undefined
          ? null
          : errorText(error, 'The answer was lost. Try again: it is decided once.')
      }
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        <b>{proposal.proposed_by.name}</b> proposed to refund <b>{amount}</b> to{' '}
        <b>{customer_name === null ? customer_email : `${customer_name} (${customer_email})`}</b>.
        Reason: {codeInWords(reason)}.{note !== null && ` Note: ${note}`}
      </p>
      {decision === 'approve' && (
        <p>The payment provider then returns the money. A refund cannot be taken back.</p>
      )}
      {decision === 'decline' && (
        <TextField
          label="Reason for the history"
          autoComplete="off"
          value={why}
          onChange={(event) => setWhy(event.target.value)}
        />
      )}
    </ConfirmDialog>
  )
}

const titles = {
  approve: (amount: string, customer: string) => `Refund ${amount} to ${customer}?`,
  decline: (amount: string, customer: string) => `Decline ${amount} to ${customer}?`,
  withdraw: (amount: string, customer: string) => `Withdraw ${amount} to ${customer}?`,
} as const
