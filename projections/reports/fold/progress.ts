import { z } from 'zod'
import { parseMonth, type Month } from '#services/finance/calendar'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'

/** What folding knows of the log so far, apart from customers. */
export interface Progress {
  readonly timeZone: TimeZone
  readonly closedThrough: Month | null
  /** A month was closed in another time zone: a replay refuses the log. */
  readonly hasForeignClose: boolean
  /** That of the first event that a report reads. Null: there was none. */
  readonly firstMonth: Month | null
  /** The number of events that had facts. */
  readonly facts: number
}

const progressRow = z.object({
  time_zone: z.string(),
  closed_through: z.string().nullable(),
  foreign_close: z.boolean(),
  first_month: z.string().nullable(),
  facts: integerColumn,
})

/** Null if no batch was folded. */
export async function readProgress(db: Queryable, schema: string): Promise<Progress | null> {
  const row = await firstRow(
    db,
    progressRow,
    `SELECT time_zone, closed_through, foreign_close, first_month, facts FROM ${schema}.progress`,
  )
  if (row === undefined) return null
  const timeZone = parseTimeZone(row.time_zone)
  if (timeZone === null)
    throw new Error(
      `Node has no time zone ${row.time_zone}, in which ${schema} was built. Rebuild the read model: 'billing projections rebuild reports'.`,
    )
  return {
    timeZone,
    closedThrough: row.closed_through === null ? null : parseMonth(row.closed_through),
    firstMonth: row.first_month === null ? null : parseMonth(row.first_month),
    hasForeignClose: row.foreign_close,
    facts: row.facts,
  }
}

export async function saveProgress(
  tx: Queryable,
  schema: string,
  { timeZone, closedThrough, hasForeignClose, firstMonth, facts }: Progress,
): Promise<void> {
  await tx.query(
    `INSERT INTO ${schema}.progress (id, time_zone, closed_through, foreign_close, first_month, facts) VALUES (1, $1, $2, $3, $4, $5)
     ON CONFLICT (id) DO UPDATE SET closed_through = excluded.closed_through, foreign_close = excluded.foreign_close, first_month = excluded.first_month, facts = excluded.facts`,
    [timeZone, closedThrough, hasForeignClose, firstMonth, facts],
  )
}
