import type { RefundProposalItem } from '#contracts/admin/refund-proposals'
import { codeInWords } from '#contracts/code-in-words'
import { useDecideRefundMutation } from '../../../api/refund-proposals-api.ts'
import { formatMoney } from '../../../lib/money.ts'
import { DecisionDialog } from './decision-dialog.tsx'
import type { Decision } from './decision.ts'

interface RefundDecisionDialogProps {
  readonly decision: Decision
  readonly proposal: RefundProposalItem
  readonly onClose: () => void
}

/** Asks for the confirmation of a decision with customer and amount, and reports its outcome. */
export function RefundDecisionDialog({ decision, proposal, onClose }: RefundDecisionDialogProps) {
  const { id, user_id: userId, customer_name, customer_email, reason, note } = proposal
  const [decide, { isLoading, error }] = useDecideRefundMutation()
  const amount = formatMoney(proposal.amount, proposal.currency)
  const actions = {
    approve: `Approve and refund ${amount}`,
    decline: 'Decline the refund',
    withdraw: 'Withdraw the refund',
  } as const
  return (
    <DecisionDialog
      decision={decision}
      title={titles[decision](amount, customer_name ?? customer_email)}
      action={actions[decision]}
      busy={isLoading}
      error={error}
      onDecide={async (why) => (await decide({ userId, id, decision, ...why })).data}
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
    </DecisionDialog>
  )
}

const titles = {
  approve: (amount: string, customer: string) => `Refund ${amount} to ${customer}?`,
  decline: (amount: string, customer: string) => `Decline ${amount} to ${customer}?`,
  withdraw: (amount: string, customer: string) => `Withdraw ${amount} to ${customer}?`,
} as const
