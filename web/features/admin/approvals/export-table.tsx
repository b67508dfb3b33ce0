import type { ExportProposalItem } from '#contracts/admin/export-proposals'
import { lazyDialog } from '../tabs/lazy-dialog.tsx'
import { DownloadButton } from './download-button.tsx'
import { ProposalTable } from './proposal-table.tsx'
import { filtersOf, nameOf, recordsOf } from './proposed-export.ts'

const { Dialog: ExportDecisionDialog, usePrepared } = lazyDialog(
  async () => (await import('./export-decision-dialog.tsx')).ExportDecisionDialog,
)

interface ExportTableProps {
  readonly proposals: readonly ExportProposalItem[]
  readonly ownId: string | undefined
}

export function ExportTable(props: ExportTableProps) {
  usePrepared()
  return (
    <ProposalTable
      {...props}
      heads={{ subject: 'Export', size: 'Records' }}
      cellsOf={cellsOf}
      dialog={ExportDecisionDialog}
    />
  )
}

function cellsOf(proposal: ExportProposalItem) {
  const { id, format, reason, proposed_by, until, approved_by } = proposal
  const filters = filtersOf(proposal)
  const name = nameOf(proposal)
  const { count, unit } = recordsOf(proposal)
  return {
    what: `export of ${name} as ${format.toUpperCase()} by ${proposed_by.name}`,
    subject: (
      <>
        {name}
        <small>
          {format.toUpperCase()}
          {filters !== '' && `, ${filters}`}
        </small>
      </>
    ),
    size: (
      <>
        {count}
        <span className="proposal-unit"> {unit}</span>
      </>
    ),
    reason,
    until,
    ...(approved_by === null
      ? {}
      : {
          approved: {
            by: approved_by,
            action: <DownloadButton id={id} name={name} format={format} />,
          },
        }),
  }
}
