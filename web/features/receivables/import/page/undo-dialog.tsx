import type { ImportSummary } from '#contracts/receivables/imports'
import { useUndoImportMutation } from '../../../../api/imports-api.ts'
import { showToast } from '../../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { useSending } from '../../acts/use-sending.ts'
import { countOf } from '../../shared/days.ts'

interface UndoDialogProps {
  readonly summary: Pick<ImportSummary, 'importId' | 'fileName' | 'counts' | 'missing'>
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks before an import is undone, and says what the undo changes. */
export function UndoDialog({ summary, onClose, onDone }: UndoDialogProps) {
  const [undo] = useUndoImportMutation()
  const { busy, problem, send } = useSending<object>()
  const { importId, fileName, counts, missing } = summary
  const parts = [
    counts.added > 0 &&
      `${countOf(counts.added, 'added invoice is', 'added invoices are')} withdrawn.`,
    counts.changed > 0 &&
      `${countOf(counts.changed, 'changed invoice gets its', 'changed invoices get their')} earlier values back.`,
    missing > 0 &&
      `${countOf(missing, 'invoice', 'invoices')} marked as paid ${missing === 1 ? 'is' : 'are'} open again.`,
    counts.added > 0 && 'Clients that only this import added are removed.',
  ].filter(Boolean)

  function onUndone(): void {
    showToast('success', `The import of ${fileName} is being undone.`)
    onDone()
  }

  return (
    <ConfirmDialog
      title={`Undo the import of ${fileName}?`}
      action="Undo import"
      busy={busy}
      problem={problem}
      onConfirm={() => void send((key) => undo({ importId, key }), onUndone)}
      onClose={onClose}
    >
      <p>{parts.join(' ')}</p>
    </ConfirmDialog>
  )
}
