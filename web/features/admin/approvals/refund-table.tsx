import type { RefundProposalItem } from '#contracts/admin/refund-proposals'
import { codeInWords } from '#contracts/code-in-words'
import { formatMoney } from '../../../lib/money.ts'
import { lazyDialog } from '../tabs/lazy-dialog.tsx'
import { ProposalTable } from './proposal-table.tsx'

const { Dialog: RefundDecisionDialog, usePrepared } = lazyDialog(
  async () => (await import('./refund-decision-dialog.tsx')).RefundDecisionDialog,
)

interface RefundTableProps {
  readonly proposals: readonly RefundProposalItem[]
  readonly ownId: string | undefined
}

export function RefundTable(props: RefundTableProps) {
  usePrepared()
  return (
    <ProposalTable
      {...props}
      heads={{ subject: 'Customer', size: 'Amount' }}
      cellsOf={cellsOf}
      dialog={RefundDecisionDialog}
    />
  )
}

function cellsOf(proposal: RefundProposalItem) {
  const { customer_name, customer_email, currency, reason, note, expires_at } = proposal
  const amount = formatMoney(proposal.amount, currency)
  return {
    what: `refund of ${amount} to ${customer_email}`,
    subject: (
      <>
        {customer_name ?? customer_email}
        {customer_name !== null && <small>{customer_email}</small>}
      </>
    ),
    size: amount,
    reason: (
      <>
        {codeInWords(reason)}
        {note !== null && <small>{note}</small>}
      </>
    ),
    until: expires_at,
    canBeApproved: proposal.can_be_approved,
  }
}
