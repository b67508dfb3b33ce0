import type { ComponentType, ReactNode } from 'react'
import type { Instant } from '#contracts/instant'
import { usePageDialog } from '../page-dialogs.tsx'
import { DayAndTime } from '../table/cells.tsx'
import '../table/row-actions.css'
import '../administrators/administrators-table.css'
import { decisionNames, type Decision } from './decision.ts'

interface Proposal {
  readonly id: string
  readonly proposed_by: { readonly id: string; readonly name: string }
}

/** What a dialog asks about. */
interface Asked<Item> {
  readonly decision: Decision
  readonly proposal: Item
}

/** What a row shows of a proposal. */
interface ProposalCells {
  /** After 'Approve the', for a screen reader. */
  readonly what: string
  readonly subject: ReactNode
  readonly size: ReactNode
  readonly reason: ReactNode
  readonly until: Instant
  /** False: it can only be declined. */
  readonly canBeApproved?: boolean
  /** The administrator who approved it, and what the one who proposed it does now. */
  readonly approved?: { readonly by: string; readonly action: ReactNode }
}

interface ProposalTableProps<Item> {
  /** The heads of the first two columns. */
  readonly heads: { readonly subject: string; readonly size: string }
  readonly proposals: readonly Item[]
  readonly ownId: string | undefined
  readonly cellsOf: (proposal: Item) => ProposalCells
  readonly dialog: ComponentType<Asked<Item> & { readonly onClose: () => void }>
}

/** What waits for a second administrator, with the decisions of the signed-in one. */
export function ProposalTable<Item extends Proposal>({
  heads,
  proposals,
  ownId,
  cellsOf,
  dialog: DecisionDialog,
}: ProposalTableProps<Item>) {
  const showDialog = usePageDialog()
  return (
    <table className="people proposals">
      <thead>
        <tr>
          <th scope="col">{heads.subject}</th>
          <th scope="col" className="align-right">
            {heads.size}
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
            sizeHead={heads.size}
            cells={cellsOf(proposal)}
            by={proposal.proposed_by.name}
            isOwn={proposal.proposed_by.id === ownId}
            onAsk={(decision) =>
              showDialog((close) => (
                <DecisionDialog decision={decision} proposal={proposal} onClose={close} />
              ))
            }
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  readonly sizeHead: string
  readonly cells: ProposalCells
  readonly by: string
  readonly isOwn: boolean
  readonly onAsk: (decision: Decision) => void
}

function Row({ sizeHead, cells, by, isOwn, onAsk }: RowProps) {
  const { what, subject, size, reason, until, canBeApproved = true, approved } = cells
  const ofAnother: readonly Decision[] = canBeApproved ? ['approve', 'decline'] : ['decline']
  const decisions: readonly Decision[] = isOwn ? ['withdraw'] : ofAnother
  return (
    <tr>
      <th scope="row">{subject}</th>
      <td data-label={sizeHead} className="align-right num">
        {size}
      </td>
      <td data-label="Reason">{reason}</td>
      <td data-label="Proposed by">
        {by}
        {isOwn && <span className="muted"> (you)</span>}
        {approved && <small>Approved by {approved.by}</small>}
        {!canBeApproved && (
          <small>May not refund any more. Decline it, and propose it again.</small>
        )}
      </td>
      <td data-label="Until">
        <DayAndTime at={until} />
      </td>
      <td className="align-right">
        <span className="row-actions">
          {approved?.action ??
            decisions.map((decision) => (
              <button
                key={decision}
                type="button"
                className={decision === 'approve' ? 'row-action' : 'row-action row-action-risk'}
                aria-label={`${decisionNames[decision]} the ${what}`}
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
