import { monthOf } from '../calendar.ts'
import type { Entry } from '../ledger/entry.ts'
import { recognizedOf } from '../ledger/recognized.ts'
import { measureOf, revenueOf } from '../ledger/revenue.ts'
import type { Contribution } from './report-types.ts'

/*
 * What an entry of the ledger adds to the figures of a report. An amount can be 0: the row then
 * exists, and the event changes nothing in it.
 */

/** `net` is computed from these. */
export function revenueContributions(entry: Entry): readonly Contribution[] {
  const measure = measureOf(entry.kind)
  if (measure === null) return none
  const { eventId, date: day, planName: plan, currency } = entry
  const row = { month: monthOf(day), plan, currency }
  const measures = revenueOf(entry)
  return [
    { eventId, day, row, column: measure, amount: measures[measure] },
    { eventId, day, row, column: 'tax', amount: measures.tax },
  ]
}

export function recognizedContributions(entry: Entry): readonly Contribution[] {
  const { eventId, date: day, currency } = entry
  const { recognized, deferred } = recognizedOf(entry)
  if (recognized === 0 && deferred === 0) return none
  const row = { month: monthOf(day), currency }
  return [
    { eventId, day, row, column: 'recognized', amount: recognized },
    { eventId, day, row, column: 'deferred_at_end', amount: deferred },
  ]
}

/** A line is a debit or a credit. */
export function balanceContributions({
  eventId,
  date: day,
  currency,
  lines,
}: Entry): readonly Contribution[] {
  return lines.map(({ account, amount }) => ({
    eventId,
    day,
    row: { account, currency },
    column: amount > 0 ? 'debit' : 'credit',
    amount: Math.abs(amount),
  }))
}

const none: readonly Contribution[] = []
