import type { KeyboardEvent } from 'react'
import { Link } from 'react-router-dom'
import type { HistoryEvent } from '#contracts/admin/history'
import { formatClock, formatDay } from '../../../lib/dates.ts'
import { EventAmount } from './event-amount.tsx'
import { EventMark } from './event-mark.tsx'
import { isNoticeable, recordingDelay } from './recording-delay.ts'
import { historyPath } from './paths.ts'

interface EventRowProps {
  readonly event: HistoryEvent
  /** The address that selects the event. */
  readonly href: string
  readonly isSelected: boolean
  /** Whether Tab reaches the row. The arrow keys reach every row. */
  readonly isTabStop: boolean
  /** True if the list has the events of several users. */
  readonly showsUser: boolean
  readonly onKeyDown: (key: KeyboardEvent<HTMLElement>) => void
}

/** The link of the title covers the row. A link in the row is above it. */
export function EventRow({
  event,
  href,
  isSelected,
  isTabStop,
  showsUser,
  onKeyDown,
}: EventRowProps) {
  const { occurred_at, recorded_at, stream, revision, actor, user_id, user_email } = event
  return (
    <li className={`event ${isSelected ? 'event-selected' : ''}`}>
      <EventMark mark={event.mark} />
      <div className="event-text">
        <Link
          className="event-title"
          to={href}
          replace={isSelected}
          preventScrollReset
          tabIndex={isTabStop ? 0 : -1}
          onKeyDown={onKeyDown}
          aria-current={isSelected ? 'true' : undefined}
        >
          {event.title}
        </Link>
        <EventAmount event={event} />
        <p>{event.sentence}</p>
        {showsUser && user_id !== null && (
          <p className="event-user">
            <Link to={historyPath(user_id)}>{user_email ?? user_id}</Link>
          </p>
        )}
        {isNoticeable(occurred_at, recorded_at) && (
          <p className="event-recorded num">
            Recorded {recordingDelay(occurred_at, recorded_at)}: {formatDay(recorded_at)},{' '}
            {formatClock(recorded_at)}
          </p>
        )}
      </div>
      <div className="event-meta">
        <time dateTime={occurred_at}>{formatClock(occurred_at)}</time>
        <span className="event-origin">
          <span>{actor.name}</span>{' '}
          <span className="mono" title={`${stream} @ ${revision}`}>
            {categoryOf(stream)} @ {revision}
          </span>
        </span>
      </div>
    </li>
  )
}

/** A stream is named `category-id`, and a category has no hyphen. */
const categoryOf = (stream: string) => stream.split('-', 1)[0]
