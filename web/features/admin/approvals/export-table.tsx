import { useState } from 'react'
import type { ExportProposalItem } from '#contracts/admin/export-proposals'
import { filtersInWords } from '#contracts/export-filters'
import { DayAndTime } from '../table/cells.tsx'
import { lazyDialog } from '../tabs/lazy-dialog.tsx'
import '../table/row-actions.css'
import '../administrators/administrators-table.css'
import { decisionNames, type Decision } from './decision.ts'
import { DownloadButton } from './download-button.tsx'
import { nameOf, recordsOf } from './proposed-export.ts'

const { Dialog: ExportDecisionDialog, usePrepared } = lazyDialog(
  async () => (await import('./export-decision-dialog.tsx')).ExportDecisionDialog,
)

/** What a dialog asks about. The proposal stays as it was when the dialog opened. */
interface Asked {
  readonly decision: Decision
  readonly proposal: ExportProposalItem
}

export function ExportTable({
  proposals,
  ownId,
}: {
  readonly proposals: readonly ExportProposalItem[]
  readonly ownId: string | undefined
}) {
  usePrepared()
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <>
      <table className="people proposals">
        <thead>
          <tr>
            <th scope="col">Export</th>
            <th scope="col" className="align-right">
              Records
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
      {asked !== null && <ExportDecisionDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  )
}

interface RowProps {
  readonly proposal: ExportProposalItem
  readonly isOwn: boolean
  readonly onAsk: (decision: Decision) => void
}

function Row({ proposal, isOwn, onAsk }: RowProps) {
  const { format, query, reason, proposed_by, until, status, approved_by } = proposal
  const decisions: readonly Decision[] = isOwn ? ['withdraw'] : ['approve', 'decline']
  const filters = filtersInWords(query)
  const name = nameOf(proposal)
  return (
    <tr>
      <th scope="row">
        {name}
        <small>
          {format.toUpperCase()}
          {filters !== '' && `, ${filters}`}
        </small>
      </th>
      <td data-label="Records" className="align-right num">
        {recordsOf(proposal)}
      </td>
      <td data-label="Reason">{reason}</td>
      <td data-label="Proposed by">
        {proposed_by.name}
        {isOwn && <span className="muted"> (you)</span>}
        {approved_by !== null && <small>Approved by {approved_by}</small>}
      </td>
      <td data-label="Until">
        <DayAndTime at={until} />
      </td>
      <td className="align-right">
        <span className="row-actions">
          {status === 'approved' ? (
            <DownloadButton id={proposal.id} name={name} format={format} />
          ) : (
            decisions.map((decision) => (
              <button
                key={decision}
                type="button"
                className={decision === 'approve' ? 'row-action' : 'row-action row-action-risk'}
                aria-label={`${decisionNames[decision]} the export of ${name} by ${proposed_by.name}`}
                onClick={() => onAsk(decision)}
              >
                {decisionNames[decision]}
              </button>
            ))
          )}
        </span>
      </td>
    </tr>
  )
}
