import type { AdminSummary, Standstill } from '#contracts/admin/summary'
import { formatExactTime } from '../../lib/dates.ts'
import './standstill-notice.css'

/** Names what the console does not show, because an event cannot be folded, and what to do. */
export function StandstillNotice({
  standstills,
  count,
}: {
  readonly standstills: AdminSummary['standstills']
  readonly count: number
}) {
  if (standstills.length === 0) return null
  const left = count - standstills.length
  return (
    <section className="standstills" aria-label="Data that is behind">
      <h2>Some data below is not up to date</h2>
      <ul>
        {standstills.map((each) => (
          <li key={each.retries[0]}>
            <p>{factOf(each)}</p>
            <p className="standstill-reason">{each.reason}</p>
            <p>After a correction, an operator runs:</p>
            <code className="mono">{each.retries.join('\n')}</code>
          </li>
        ))}
      </ul>
      {left > 0 && <p>{left} more: see billing projections status and billing controls parked.</p>}
    </section>
  )
}

function factOf({ places, waits, stream, eventType, since }: Standstill): string {
  const at = formatExactTime(since)
  const where = places.join(', ')
  return waits === 'stream'
    ? `${stream} has waited in ${where} since ${at}, at ${eventType}. It stops no other customer.`
    : `All rows of ${where} have waited since ${at}, at ${eventType} of ${stream}.`
}
