import type { AdminSummary, ReportedPoisonEvent } from '#contracts/admin/summary'
import { formatExactTime } from '../../lib/dates.ts'
import './poison-events-notice.css'

/** Names what the console does not show, because an event cannot be folded, and what to do. */
export function PoisonEventsNotice({
  poisonEvents,
  count,
}: {
  readonly poisonEvents: AdminSummary['poisonEvents']
  readonly count: number
}) {
  if (poisonEvents.length === 0) return null
  const left = count - poisonEvents.length
  return (
    <section className="poison-events" aria-label="Data that is behind">
      <h2>Some data below is not up to date</h2>
      <ul>
        {poisonEvents.map((each) => (
          <li key={each.retries[0]}>
            <p>{sentenceOf(each)}</p>
            <p className="poison-event-reason">{each.reason}</p>
            <p>After a correction, an operator runs:</p>
            <code className="mono">{each.retries.join('\n')}</code>
          </li>
        ))}
      </ul>
      {left > 0 && <p>{left} more: see billing projections status and billing controls parked.</p>}
    </section>
  )
}

function sentenceOf({ places, waits, stream, eventType, since }: ReportedPoisonEvent): string {
  const at = formatExactTime(since)
  const where = places.join(', ')
  return waits === 'stream'
    ? `${stream} has waited in ${where} since ${at}, at ${eventType}. It stops no other customer.`
    : `All rows of ${where} have waited since ${at}, at ${eventType} of ${stream}.`
}
