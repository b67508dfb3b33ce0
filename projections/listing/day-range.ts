import { dayBucket, type Counter } from './counters.ts'
import { moment } from './moment.ts'

/*
 * The days that limit a list. Rows are counted per day and class, so that the total of a limited
 * list needs no count of rows.
 */

/** Both days are included, in UTC. A missing day limits nothing. */
export interface DayRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export function isLimited({ from, to }: DayRange): boolean {
  return from !== undefined || to !== undefined
}

/** What `column` meets in the rows of these days, as SQL. */
export function dayConditions(column: string, { from, to }: DayRange): readonly string[] {
  return [
    ...(from === undefined ? [] : [`${column} >= ${moment(beginOf(from))}`]),
    ...(to === undefined ? [] : [`${column} < ${moment(endOf(to))}`]),
  ]
}

function beginOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`)
}

/** The begin of the next day. */
function endOf(day: string): Date {
  return new Date(beginOf(day).getTime() + 86_400_000)
}

/** The counter of the rows of a table per day and class. */
export const dayCounter = (table: string) => `${table} by day`

/** Buckets of these days are at `from` or later, and before `to`. */
export function dayBuckets({ from, to }: DayRange): { readonly from: string; readonly to: string } {
  return { from: from ?? '', to: to === undefined ? '9999' : dayBucket(endOf(to)) }
}

/** What one row of a list that days can limit adds to the stored counts. */
export function sharesOfRow(table: string, rowClass: string, createdAt: Date): readonly Counter[] {
  return [
    { name: table, bucket: rowClass, value: 1 },
    { name: dayCounter(table), bucket: `${dayBucket(createdAt)} ${rowClass}`, value: 1 },
  ]
}
