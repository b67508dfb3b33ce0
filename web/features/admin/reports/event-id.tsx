import { browser } from '../../../lib/browser.ts'
import { showToast } from '../../../lib/toasts.ts'

/** The id of an event. A press copies it. */
export function EventId({ id }: { id: string }) {
  async function copy(): Promise<void> {
    if (await browser.copyText(id)) showToast('success', 'Event id copied')
    else showToast('error', 'The browser did not copy the text. Select and copy it.')
  }
  return (
    <button
      type="button"
      className="event-id mono"
      title="Copy the event id"
      aria-label={`Copy event id ${id}`}
      onClick={() => void copy()}
    >
      {id}
    </button>
  )
}
