import { z } from 'zod'
import { parseMonth, type Month } from '#services/finance/calendar'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'

/** What folding knows of the log so far, apart from customers. */
export interface Progress {
  readonly timeZone: TimeZone
  /** A month was closed in another time zone: a replay refuses the log. */
  readonly hasForeignClose: boolean
  /** The first event that a report reads. Null: there was none. */
  readonly first: { readonly seq: number; readonly month: Month } | null
  /** The highest number of an event with effects. 0: there was none. */
  readonly lastSeq: number
}

const progressRow = z.object({
  time_zone: z.string(),
  foreign_close: z.boolean(),
  first_month: z.string().nullable(),
  first_seq: integerColumn.nullable(),
  last_seq: integerColumn,
})

/** Null if no batch was folded. */
export async function readProgress(db: Queryable, schema: string): Promise<Progress | null> {
  const row = await firstRow(
    db,
    progressRow,
    `SELECT time_zone, foreign_close, first_month, first_seq, last_seq FROM ${schema}.progress`,
  )
  if (row === undefined) return null
  const timeZone = parseTimeZone(row.time_zone)
  if (timeZone === null)
    throw new Error(
      `Node has no time zone ${row.time_zone}, in which ${schema} was built. Rebuild the read model: 'billing projections rebuild reports'.`,
    )
  const month = row.first_month === null ? null : parseMonth(row.first_month)
  return {
    timeZone,
    hasForeignClose: row.foreign_close,
    first: month === null || row.first_seq === null ? null : { seq: row.first_seq, month },
    lastSeq: row.last_seq,
  }
}

export async function saveProgress(
  tx: Queryable,
  schema: string,
  { timeZone, hasForeignClose, first, lastSeq }: Progress,
): Promise<void> {
  await tx.query(
    `INSERT INTO ${schema}.progress (id, time_zone, foreign_close, first_month, first_seq, last_seq) VALUES (1, $1, $2, $3, $4, $5)
     ON CONFLICT (id) DO UPDATE SET foreign_close = excluded.foreign_close, first_month = excluded.first_month, first_seq = excluded.first_seq, last_seq = excluded.last_seq`,
    [timeZone, hasForeignClose, first?.month ?? null, first?.seq ?? null, lastSeq],
  )
}
