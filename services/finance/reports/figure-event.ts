import type { ReportName } from '#contracts/finance/report-columns'
import { monthOf, type Day } from '../calendar.ts'
import { storedFigures } from './parts-of-figure.ts'
import type { Contribution, ReportRow } from './report-types.ts'

/** What one event adds to a figure. */
export interface FigureEvent {
  /** The number of the event in the order of the log. */
  readonly seq: number
  readonly stream: string
  readonly revision: number
  /** The first accounting date of what it adds. */
  readonly day: Day
  /** Minor units, or a count. Never 0. */
  readonly adds: number
}

/** A part of the events behind a figure: those after the number `after`. Null: from the first. */
export interface EventsAsked {
  readonly after: number | null
  readonly limit: number
}

/** The events behind a figure, a page of them, as of one moment. */
export interface FigureEvents {
  /** In the order of the log. An event appears once, with all that it adds. */
  readonly events: readonly FigureEvent[]
  /** The number of events on all pages. */
  readonly total: number
  /** What the events of all pages add. */
  readonly sum: number
  /** `after` of the next page. Null on the last page. */
  readonly next: number | null
}

/** What one event adds to a figure whose events are stored. */
export interface StoredPart {
  readonly figure: string
  readonly row: ReportRow
  /** The month in which it counts. */
  readonly month: string
  readonly day: Day
  /** Can be 0. */
  readonly adds: number
}

/**
 * What an event adds to the figures of a report, from all its contributions to the report: one part
 * per figure and row.
 */
export function storedParts(
  report: ReportName,
  contributions: readonly Contribution[],
): readonly StoredPart[] {
  const parts = new Map<string, StoredPart>()
  for (const { row, day, column, amount } of contributions) {
    const month = typeof row['month'] === 'string' ? row['month'] : monthOf(day)
    const place = `${month} ${JSON.stringify(row)}`
    for (const [figure, signs] of storedFiguresOf(report)) {
      const sign = signs[column]
      if (sign === undefined) continue
      const key = `${figure} ${place}`
      const adds = (parts.get(key)?.adds ?? 0) + sign * amount
      parts.set(key, { figure, row, month, day, adds })
    }
  }
  return [...parts.values()]
}

const known = new Map<ReportName, ReturnType<typeof storedFigures>>()

function storedFiguresOf(report: ReportName) {
  const figures = known.get(report) ?? storedFigures(report)
  known.set(report, figures)
  return figures
}
