import type { ShownTemplate } from '#contracts/receivables/templates'
import { useRestoreTemplateMutation } from '../../../api/messages-api.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useSending } from '../acts/use-sending.ts'
import { toneNames } from './tone-tabs.tsx'

/** Asks before a merchant's own words are replaced by the original ones. */
export function RestoreDialog({
  template: { tone, channel, version, original },
  onDone,
  onClose,
}: {
  readonly template: ShownTemplate
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const [restore] = useRestoreTemplateMutation()
  const { busy, problem, send } = useSending<object>()
  return (
    <ConfirmDialog
      title={`Restore the ${toneNames[tone].toLowerCase()} ${channel === 'mail' ? 'e-mail' : 'text'}`}
      action="Restore"
      busy={busy}
      problem={problem}
      onConfirm={() =>
        void send((key) => restore({ key, body: { tone, channel, version } }), onDone)
      }
      onClose={onClose}
    >
      Your words are replaced by the original ones: “{original.subject ?? original.body}”
    </ConfirmDialog>
  )
}
