import type { PaymentSettings } from '#contracts/receivables/payments'
import { showToast } from '../../../lib/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorBox } from '../../../ui/error-box.tsx'
import { useSending } from '../acts/use-sending.ts'

interface SettingActsProps {
  /** Within a sentence: 'link'. */
  readonly what: string
  readonly plural?: boolean
  readonly text: string
  readonly saved: string | null
  readonly isDirty: boolean
  /** What is typed has no mistake. */
  readonly canSave: boolean
  readonly save: (
    key: string,
    text: string | null,
  ) => Promise<{ readonly data?: PaymentSettings; readonly error?: unknown }>
  readonly onDone: () => void
}

/** Saves, discards or removes one text. Nothing is saved as empty: that is removed. */
export function SettingActs(props: SettingActsProps) {
  const { what, plural = false, text, saved, isDirty, canSave, save, onDone } = props
  const { busy, problem, send } = useSending<PaymentSettings>()
  const are = plural ? 'are' : 'is'

  const store = (next: string | null, done: string) =>
    void send(
      (key) => save(key, next),
      () => {
        onDone()
        showToast('success', `The ${what} ${are} ${done}.`)
      },
    )

  return (
    <>
      <ErrorBox text={problem} />
      <div className="ways-acts">
        <Button disabled={!isDirty || !canSave} busy={busy} onClick={() => store(text, 'saved')}>
          Save {what}
        </Button>
        {isDirty && (
          <Button look="line" onClick={onDone}>
            Discard
          </Button>
        )}
        {saved !== null && (
          <Button look="link" className="ways-remove" onClick={() => store(null, 'removed')}>
            Remove {what}
          </Button>
        )}
      </div>
    </>
  )
}
