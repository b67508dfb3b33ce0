import type { Contribution } from '#services/finance/reports/report-types'
import type { FigureEvent } from '#services/finance/reports/figure-event'
import type { BookedEntries } from './bookings.ts'

/** What the entries of a booking add to a figure. None if it is 0. */
export function partOfEntries(
  { seq }: Pick<BookedEntries, 'seq'>,
  contributions: readonly Contribution[],
  partOf: (contribution: Contribution) => number,
): readonly Omit<FigureEvent, 'stream' | 'revision'>[] {
  const parts = contributions
    .map((each) => ({ day: each.day, adds: partOf(each) }))
    .filter(({ adds }) => adds !== 0)
  const [first] = parts
  const adds = parts.reduce((sum, part) => sum + part.adds, 0)
  if (first === undefined || adds === 0) return []
  const day = parts.reduce((least, part) => (part.day < least ? part.day : least), first.day)
  return [{ seq, day, adds }]
}
