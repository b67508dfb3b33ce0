import { useState } from 'react'
import {
  discardDeadLetterRequest,
  retryDeadLetterRequest,
  type DeadLetterItem,
} from '#contracts/admin/dead-letters'
import { discardReasons, retryReasons } from '#contracts/dead-letter-reasons'
import {
  useDiscardDeadLetterMutation,
  useRetryDeadLetterMutation,
} from '../../../api/dead-letters-api.ts'
import { errorText } from '../../../lib/http.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { SelectField } from '../../../ui/field.tsx'

interface UnsentDialogProps {
  readonly act: 'retry' | 'discard'
  readonly item: DeadLetterItem
  /** In the middle of a sentence. */
  readonly what: string
  readonly onClose: () => void
}

/** Asks why a message is tried once more, or discarded. */
export function UnsentDialog({ act, item, what, onClose }: UnsentDialogProps) {
  const [chosen, setChosen] = useState('')
  const [retry, retrying] = useRetryDeadLetterMutation()
  const [discard, discarding] = useDiscardDeadLetterMutation()
  const { isLoading, error } = act === 'retry' ? retrying : discarding

  async function confirm(): Promise<void> {
    const { data } =
      act === 'retry'
        ? await retry({
            place: item,
            body: retryDeadLetterRequest.parse({ why: codeOf(retryReasons, chosen) }),
          })
        : await discard({
            place: item,
            body: discardDeadLetterRequest.parse({ why: codeOf(discardReasons, chosen) }),
          })
    if (data === undefined) return
    showToast('success', data.message)
    onClose()
  }

  return (
    <ConfirmDialog
      title={act === 'retry' ? `Try the ${what} once more?` : `Discard the ${what}?`}
      action={act === 'retry' ? 'Try once more' : 'Discard the message'}
      isRisky={act === 'discard'}
      busy={isLoading}
      disabled={chosen === ''}
      problem={
        error === undefined
          ? null
          : errorText(error, 'The answer was lost. Try again: it is decided once.')
      }
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        {act === 'retry'
          ? 'It is planned again from what is known now: a message that is no longer true is not sent. If the try fails, the message is in this list again.'
          : 'It is never sent. The history keeps that it was not sent, and that you discarded it.'}
      </p>
      <SelectField
        label="Reason"
        options={Object.values(act === 'retry' ? retryReasons : discardReasons)}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      />
    </ConfirmDialog>
  )
}

/** The code of a reason in words. Empty for none of them, which the contract refuses. */
function codeOf(names: Readonly<Record<string, string>>, chosen: string): string {
  return Object.keys(names).find((code) => names[code] === chosen) ?? ''
}
