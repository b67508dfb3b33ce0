import { Link } from 'react-router-dom'
import type { DeadLetterItem } from '#contracts/admin/dead-letters'
import { historyPath } from '../history/paths.ts'
import { placeText } from '../history/selected-event.ts'
import { usePageDialog } from '../page-dialogs.tsx'
import { DayAndTime } from '../table/cells.tsx'
import '../table/row-actions.css'
import '../administrators/administrators-table.css'
import { lazyDialog } from '../tabs/lazy-dialog.tsx'
import { useMay } from '../use-may.ts'

const { Dialog: UnsentDialog, usePrepared } = lazyDialog(
  async () => (await import('./unsent-dialog.tsx')).UnsentDialog,
)

const names = new Map<string, string>([
  ['mail', 'Mail'],
  ['text', 'Text'],
  ['mail-to-administrator', 'Mail to an administrator'],
] satisfies [DeadLetterItem['message'], string][])

export function UnsentTable({ items }: { readonly items: readonly DeadLetterItem[] }) {
  usePrepared()
  const mayDecide = useMay('unsent-messages')
  return (
    <table className="people unsent">
      <thead>
        <tr>
          <th scope="col">Message</th>
          <th scope="col">About</th>
          <th scope="col">Last answer</th>
          <th scope="col" className="align-right">
            Tries
          </th>
          <th scope="col">Since</th>
          {mayDecide && (
            <th scope="col" className="align-right">
              Actions
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row key={`${item.reactor} ${item.event_id}`} item={item} mayDecide={mayDecide} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ item, mayDecide }: { readonly item: DeadLetterItem; readonly mayDecide: boolean }) {
  const showDialog = usePageDialog()
  const { message, about, user_id, attempts, last_error, dead_at } = item
  // A newer release may send something else.
  const name = names.get(message) ?? 'Message'
  const what = `${name.toLowerCase()} about “${about}”`
  const ask = (act: 'retry' | 'discard') =>
    showDialog((close) => <UnsentDialog act={act} item={item} what={what} onClose={close} />)
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label="About">
        {user_id === null ? (
          about
        ) : (
          <Link
            to={`${historyPath(user_id)}?event=${encodeURIComponent(placeText(item))}`}
            aria-label={`${about}: open it in the history of its user`}
          >
            {about}
          </Link>
        )}
      </td>
      <td data-label="Last answer" className="unsent-answer">
        {last_error ?? 'None'}
      </td>
      <td data-label="Tries" className="align-right num">
        {attempts}
      </td>
      <td data-label="Since">
        <DayAndTime at={dead_at} />
      </td>
      {mayDecide && (
        <td className="align-right">
          <span className="row-actions">
            <button
              type="button"
              className="row-action"
              aria-label={`Retry the ${what}`}
              onClick={() => ask('retry')}
            >
              Retry
            </button>
            <button
              type="button"
              className="row-action row-action-risk"
              aria-label={`Discard the ${what}`}
              onClick={() => ask('discard')}
            >
              Discard
            </button>
          </span>
        </td>
      )}
    </tr>
  )
}
