import type { ComingStep } from '#contracts/receivables/messages'
import { useSkipStepMutation } from '../../../api/client-messages-api.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useSending } from '../acts/use-sending.ts'
import { fullDay } from '../shared/days.ts'
import { messageName } from './message-words.ts'

/** Asks before a step of an invoice is skipped for good. */
export function SkipStepDialog({
  step,
  onClose,
}: {
  readonly step: ComingStep
  readonly onClose: () => void
}) {
  const [skip] = useSkipStepMutation()
  const { busy, problem, send } = useSending<object>()
  const { receivableId, stepId, repetition, number, dueDay } = step
  const name = messageName(step).toLowerCase()

  return (
    <ConfirmDialog
      title={`Skip the ${name} of ${number}?`}
      action="Skip the step"
      busy={busy}
      problem={problem}
      onConfirm={() =>
        void send(
          (key) => skip({ receivableId, key, stepId, repetition }),
          () => {
            showToast('success', `The ${name} is skipped.`)
            onClose()
          },
        )
      }
      onClose={onClose}
    >
      <p>
        The step of {fullDay(dueDay)} does not go out for {number}. Other invoices and later steps
        stay as they are. A skipped step cannot be put back.
      </p>
    </ConfirmDialog>
  )
}
