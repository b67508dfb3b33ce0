import {
  addMonths,
  dayOfNumber,
  lastDayOf,
  monthOf,
  numberOfDay,
  type Day,
  type Month,
} from '../calendar.ts'
import { adjustedMonth } from './booking-time.ts'
import type { Entry } from './entry.ts'
import { partRecognizedBy, type Schedule } from './schedule.ts'

/**
 * The recognition by the end of the day `through`: one entry per month of service. An entry is
 * dated on the last day of the month or of the service, and not before the booking. The entry of
 * the month of `through` counts up to `through`. Its id is that of the whole month.
 */
export function recognitionEntries(schedule: Schedule, through: Day): readonly Entry[] {
  const { eventId, time, currency, planName, parts } = schedule
  if (through < time.date || parts.length === 0) return []
  const first = monthOf(
    dayOfNumber(Math.min(...parts.map(({ from, after }) => Math.max(from, after + 1)))),
  )
  const end = numberOfDay(lastServiceDay(schedule))
  const last = numberOfDay(through)
  const entries: Entry[] = []
  let before = 0
  for (let month = first; ; month = addMonths(month, 1)) {
    const until = Math.min(numberOfDay(lastDayOf(month)), end, last)
    const total = parts.reduce((sum, part) => sum + partRecognizedBy(part, until), 0)
    const amount = total - before
    before = total
    const day = dayOfNumber(until)
    if (amount !== 0)
      entries.push({
        entryId: `${eventId}/recognition/${month}`,
        eventId,
        kind: 'recognition',
        date: day > time.date ? day : time.date,
        currency,
        planName,
        adjusts: adjustedMonth(laterMonth(month, monthOf(time.occurredOn)), time),
        lines: [
          { account: 'deferred_revenue', amount },
          { account: 'revenue', amount: -amount },
        ],
      })
    if (until >= end || until >= last) return entries
  }
}

/** The day by which the whole schedule is recognized. */
export function lastServiceDay({ parts }: Schedule): Day {
  return dayOfNumber(Math.max(...parts.map(({ to }) => to - 1)))
}

function laterMonth(a: Month, b: Month): Month {
  return a > b ? a : b
}
