import { useMemo, useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { Button } from '../../../ui/button.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { signedMoney } from './amounts.ts'
import { clockTime, countOf, fullDay, shortDay } from './days.ts'
import { invoicePath } from './paths.ts'
import { lineMark } from './timeline-mark.ts'
import './timeline.css'

type Event = InvoiceResponse['timeline'][number]

interface TimelineProps {
  /** Newest first. */
  readonly events: readonly Event[]
  readonly today: string
  readonly timeZone: string
  /** The row of today. */
  readonly now: ReactNode
  /** The rows of what comes, latest first. */
  readonly coming?: ReactNode
  /** Shows a message as it was sent. */
  readonly onOpenMessage: (messageId: string) => void
  /** On a client's page each event names its invoice. */
  readonly namesInvoices?: boolean
}

/** The history by day, newest first, below the row of today. */
export function Timeline({
  events,
  today,
  timeZone,
  now,
  coming,
  onOpenMessage,
  namesInvoices = false,
}: TimelineProps) {
  const [isWhole, setWhole] = useState(false)
  const days = useMemo(() => byDay(events), [events])
  const shown = isWhole ? days : latest(days)
  const hidden = events.length - shown.reduce((count, [, ofDay]) => count + ofDay.length, 0)
  return (
    <div className="rcv-history">
      {coming}
      <section className="history-day history-now">
        <h3>{fullDay(today)}</h3>
        <ol>
          <li>
            <div>
              <b>Now.</b> {now}
            </div>
          </li>
        </ol>
      </section>
      {shown.map(([day, ofDay]) => (
        <section key={day} className="history-day">
          <h3>{fullDay(day)}</h3>
          <ol>
            {ofDay.map((event) => (
              <Row
                key={event.id}
                event={event}
                today={today}
                timeZone={timeZone}
                namesInvoice={namesInvoices}
                onOpenMessage={onOpenMessage}
              />
            ))}
          </ol>
        </section>
      ))}
      {hidden > 0 && (
        <p className="history-more">
          <Button look="line" onClick={() => setWhole(true)}>
            Show {countOf(hidden, 'earlier event')}
          </Button>
        </p>
      )}
    </div>
  )
}

/** So many events show at first: whole days, and a few more rather than a button for them. */
const firstEvents = 20
const fewMore = 5

function latest(days: readonly [string, Event[]][]): readonly [string, Event[]][] {
  const total = days.reduce((count, [, ofDay]) => count + ofDay.length, 0)
  if (total <= firstEvents + fewMore) return days
  let count = 0
  return days.filter(([, ofDay]) => {
    const isShown = count < firstEvents
    count += ofDay.length
    return isShown
  })
}

/** Newest day first, although an event of a past day can be written down later. */
function byDay(events: readonly Event[]): [string, Event[]][] {
  const days = new Map<string, Event[]>()
  for (const event of events) days.set(event.day, [...(days.get(event.day) ?? []), event])
  return [...days].toSorted(([some], [other]) => (some < other ? 1 : -1))
}

interface RowProps {
  readonly event: Event
  readonly today: string
  readonly timeZone: string
  readonly namesInvoice: boolean
  readonly onOpenMessage: (messageId: string) => void
}

function Row({ event, today, timeZone, namesInvoice, onOpenMessage }: RowProps) {
  const { title, sentence, mark, change, currency, recordedAt, receivableId, number } = event
  const { messageId } = event
  return (
    <li>
      <Mark kind={lineMark(mark)} />
      <div>
        <b>{title}</b>
        {change !== null && currency !== null && (
          <span className={`history-amount ${change < 0 ? 'history-less' : ''}`}>
            {signedMoney(change, currency)}
          </span>
        )}
        {namesInvoice && receivableId !== null && number !== null && (
          <Link className="mono history-number" to={invoicePath(receivableId)}>
            {number}
          </Link>
        )}
        <p dir="auto">{sentence}</p>
        {messageId !== null && (
          <Button look="link" onClick={() => onOpenMessage(messageId)}>
            See the {mark === 'mail' ? 'e-mail' : 'text'}
            <span className="sr-only"> of {fullDay(event.day)}</span>
          </Button>
        )}
      </div>
      <time dateTime={recordedAt} className={isLate(event, timeZone) ? 'history-late' : undefined}>
        {recordedText(event, today, timeZone)}
      </time>
    </li>
  )
}

/** The time; with its day if the event was written down on another day than that of which it is. */
function recordedText(event: Event, today: string, timeZone: string): string {
  const time = clockTime(event.recordedAt, timeZone)
  return isLate(event, timeZone)
    ? `recorded ${shortDay(recordedDay(event, timeZone), today)}, ${time}`
    : time
}

const isLate = (event: Event, timeZone: string) => recordedDay(event, timeZone) !== event.day

const recordedDay = ({ recordedAt }: Event, timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(recordedAt))
