import { z } from 'zod'
import { firstDayOf, parseDay, parseMonth, type Day, type Month } from '#services/finance/calendar'
import type { ReportRow } from '#services/finance/reports/report-types'

/* Texts of stored rows as the values that folding wrote. */

/** The columns that identify a row. */
export const rowText = z
  .string()
  .transform((text) =>
    z.record(z.string(), z.union([z.string(), z.number(), z.null()])).parse(JSON.parse(text)),
  )

/** @throws Error for a text that folding did not write */
export function oneOf<Value extends string>(values: readonly Value[], text: unknown): Value {
  const known = values.find((value) => value === text)
  if (known === undefined) throw brokenText(text)
  return known
}

/** @throws Error for a text that folding did not write */
export function storedMonth(text: unknown): Month {
  const month = typeof text === 'string' ? parseMonth(text) : null
  if (month === null) throw brokenText(text)
  return month
}

/** @throws Error for a text that folding did not write */
export function storedDay(text: string): Day {
  const day = parseDay(text)
  if (day === null) throw brokenText(text)
  return day
}

export function firstDayOfMonth(text: string): Day {
  return firstDayOf(storedMonth(text))
}

export function textOf(row: ReportRow, column: string): string {
  const text = row[column]
  if (typeof text !== 'string') throw brokenText(text)
  return text
}

export function optionalTextOf(row: ReportRow, column: string): string | null {
  return row[column] === null ? null : textOf(row, column)
}

function brokenText(text: unknown): Error {
  return new Error(
    `The read model reports has a row with ${JSON.stringify(text)}, which no event gives. Rebuild it: 'billing projections rebuild reports'.`,
  )
}
