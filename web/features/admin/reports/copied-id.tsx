import { browser } from '../../../lib/browser.ts'
import { showToast } from '../../../lib/toasts.ts'

interface CopiedIdProps {
  readonly id: string
  /** What has the id: `event id`. */
  readonly what: string
  /** Shows all of the id. Otherwise its begin, which differs, and what follows a slash. */
  readonly isWhole?: boolean
}

/** An id. A press copies it. */
export function CopiedId({ id, what, isWhole = false }: CopiedIdProps) {
  async function copy(): Promise<void> {
    if (await browser.copyText(id)) showToast('success', 'Id copied')
    else showToast('error', 'The browser did not copy the text. Select and copy it.')
  }
  const slash = id.indexOf('/')
  return (
    <button
      type="button"
      className="copied-id mono"
      title={`${id}: press to copy`}
      aria-label={`Copy ${what} ${id}`}
      onClick={() => void copy()}
    >
      {isWhole ? id : `${id.slice(0, 8)}…${slash < 0 ? '' : id.slice(slash)}`}
    </button>
  )
}
