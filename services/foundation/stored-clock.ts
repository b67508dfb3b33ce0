import { z } from 'zod'
import { dateColumn } from './columns.ts'
import type { Queryable } from './queryable.ts'
import { firstRow } from './rows.ts'

const storedRow = z.object({ last_seen: dateColumn })

/**
 * The latest stored time of the business clock, in milliseconds since 1970. Null before the first
 * start.
 */
export async function readStoredClock(db: Queryable): Promise<number | null> {
  const row = await firstRow(db, storedRow, 'SELECT last_seen FROM app.business_clock')
  return row?.last_seen.getTime() ?? null
}

/** Stores `now` if it is later than the stored value: several processes store their time. */
export async function keepStoredClock(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `INSERT INTO app.business_clock (last_seen) VALUES ($1)
     ON CONFLICT (only_row) DO UPDATE SET last_seen = greatest(app.business_clock.last_seen, excluded.last_seen)`,
    [now],
  )
}

/**
 * Replaces the stored value, also by an earlier one. Null deletes the value, and the next start
 * stores its time.
 */
export async function replaceStoredClock(db: Queryable, now: Date | null): Promise<void> {
  await db.query('DELETE FROM app.business_clock')
  if (now !== null) await db.query('INSERT INTO app.business_clock (last_seen) VALUES ($1)', [now])
}
