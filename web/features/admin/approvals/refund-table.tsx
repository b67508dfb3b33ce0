import { useState } from 'react'
import type { RefundProposalItem } from '#contracts/admin/refund-proposals'
import { codeInWords } from '#contracts/code-in-words'
import { formatMoney } from '../../../lib/money.ts'
import { DayAndTime } from '../table/cells.tsx'
import { lazyDialog } from '../tabs/lazy-dialog.tsx'
import '../table/row-actions.css'
import '../administrators/administrators-table.css'
import { decisionNames, type Decision } from './decision.ts'

const { Dialog: RefundDecisionDialog, usePrepared } = lazyDialog(
  async () => (await import('./refund-decision-dialog.tsx')).RefundDecisionDialog,
)

/** What a dialog asks about. The proposal stays as it was when the dialog opened. */
interface Asked {
  readonly decision: Decision
  readonly proposal: RefundProposalItem
}

export function RefundTable({
  proposals,
  ownId,
}: {
  readonly proposals: readonly RefundProposalItem[]
  readonly ownId: string | undefined
}) {
  usePrepared()
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <>
      <table className="people proposals">
        <thead>
          <tr>
            <th scope="col">Customer</th>
            <th scope="col" className="align-right">
              Amount
            </th>
            <th scope="col">Reason</th>
            <th scope="col">Proposed by</th>
            <th scope="col">Until</th>
            <th scope="col" className="align-right">
              Actions
            </th>
          </tr>
        </thead>
        <tbody>
          {proposals.map((proposal) => (
            <Row
              key={proposal.id}
              proposal={proposal}
              isOwn={proposal.proposed_by.id === ownId}
              onAsk={(decision) => setAsked({ decision, proposal })}
            />
          ))}
        </tbody>
      </table>
      {asked !== null && <RefundDecisionDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  )
}

interface RowProps {
  readonly proposal: RefundProposalItem
  readonly isOwn: boolean
  readonly onAsk: (decision: Decision) => void
}

function Row({ proposal, isOwn, onAsk }: RowProps) {
  const { customer_name, customer_email, currency, proposed_by, reason, note } = proposal
  const amount = formatMoney(proposal.amount, currency)
  const decisions: readonly Decision[] = isOwn ? ['withdraw'] : ['approve', 'decline']
  return (
    <tr>
      <th scope="row">
        {customer_name ?? customer_email}
        {customer_name !== null && <small>{customer_email}</small>}
      </th>
      <td data-label="Amount" className="align-right num">
        {amount}
      </td>
      <td data-label="Reason">
        {codeInWords(reason)}
        {note !== null && <small>{note}</small>}
      </td>
      <td data-label="Proposed by">
        {proposed_by.name}
        {isOwn && <span className="muted"> (you)</span>}
      </td>
      <td data-label="Until">
        <DayAndTime at={proposal.expires_at} />
      </td>
      <td className="align-right">
        <span className="row-actions">
          {decisions.map((decision) => (
            <button
              key={decision}
              type="button"
              className={decision === 'approve' ? 'row-action' : 'row-action row-action-risk'}
              aria-label={`${decisionNames[decision]} the refund of ${amount} to ${customer_email}`}
              onClick={() => onAsk(decision)}
            >
              {decisionNames[decision]}
            </button>
          ))}
        </span>
      </td>
    </tr>
  )
}
