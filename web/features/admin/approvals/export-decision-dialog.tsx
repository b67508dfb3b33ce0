import type { ExportProposalItem } from '#contracts/admin/export-proposals'
import { useDecideExportMutation } from '../../../api/export-proposals-api.ts'
import { DecisionDialog } from './decision-dialog.tsx'
import type { Decision } from './decision.ts'
import { filtersOf, nameOf, recordsOf } from './proposed-export.ts'

interface ExportDecisionDialogProps {
  readonly decision: Decision
  readonly proposal: ExportProposalItem
  readonly onClose: () => void
}

/** Asks for the confirmation of a decision with list and records, and reports its outcome. */
export function ExportDecisionDialog({ decision, proposal, onClose }: ExportDecisionDialogProps) {
  const { id, format, reason, proposed_by } = proposal
  const [decide, { isLoading, error }] = useDecideExportMutation()
  const name = nameOf(proposal)
  const filters = filtersOf(proposal)
  const { count, unit } = recordsOf(proposal)
  return (
    <DecisionDialog
      decision={decision}
      title={titles[decision](name)}
      action={actions[decision]}
      busy={isLoading}
      error={error}
      onDecide={async (why) =>
        (await decide({ exporter: proposed_by.id, id, decision, ...why })).data
      }
      onClose={onClose}
    >
      <p>
        <b>{proposed_by.name}</b> proposed to export{' '}
        <b>
          {count.toLowerCase()} {unit} of {name}
        </b>
        {filters !== '' && ` (${filters})`} as {format.toUpperCase()}. Reason: {reason}
      </p>
      {decision === 'approve' && (
        <p>
          {proposed_by.name} can then download the personal data once, within 24 hours. The list is
          read at the download, so it can have some records more or less.
        </p>
      )}
    </DecisionDialog>
  )
}

const titles = {
  approve: (name: string) => `Approve the export of ${name}?`,
  decline: (name: string) => `Decline the export of ${name}?`,
  withdraw: (name: string) => `Withdraw the export of ${name}?`,
} as const
const actions = {
  approve: 'Approve the export',
  decline: 'Decline the export',
  withdraw: 'Withdraw the export',
} as const
