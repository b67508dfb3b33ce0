import { z } from 'zod'
import { createMerkleTree } from '#services/event-store/audit/merkle-tree'
import type { Month } from '#services/finance/calendar'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import type { ClosedEvent, MonthFigures } from './books-of-months.ts'

/*
 * The table app.closed_event: the hashes of the events of closed months. It is no read model: after
 * an event of the log was changed, the hash at the time of the close is nowhere else.
 */

const closedRow = z.object({ index: z.int(), eventId: z.string(), hash: z.string() })

const pageSize = 10_000

export async function deleteClosedEvents(tx: Queryable, month: Month): Promise<void> {
  await tx.query('DELETE FROM app.closed_event WHERE month = $1', [month])
}

export async function writeClosedEvents(
  tx: Queryable,
  month: Month,
  events: readonly ClosedEvent[],
): Promise<void> {
  await tx.query(
    `INSERT INTO app.closed_event (month, index, event_id, hash)
     SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::text[])`,
    [
      month,
      events.map(({ index }) => index),
      events.map(({ eventId }) => eventId),
      events.map(({ hash }) => hash),
    ],
  )
}

/** The rows from the index `from` on, `count` at most, in order. */
export function readClosedEvents(
  pool: Queryable,
  month: Month,
  from: number,
  count: number,
): Promise<readonly ClosedEvent[]> {
  return allRows(
    pool,
    closedRow,
    `SELECT index, event_id AS "eventId", hash FROM app.closed_event
     WHERE month = $1 AND index >= $2 ORDER BY index LIMIT $3`,
    [month, from, count],
  )
}

/** The number of rows of a month and their Merkle root, to compare with the close. */
export async function figuresOfTable(
  pool: Queryable,
  month: Month,
): Promise<Pick<MonthFigures, 'events' | 'root'>> {
  const tree = createMerkleTree()
  for (let from = 0; ;) {
    const rows = await readClosedEvents(pool, month, from, pageSize)
    for (const { hash } of rows) tree.add(hash)
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize)
      return { events: tree.size, root: tree.root() }
    from = last.index + 1
  }
}

/** Whether the event was booked in the month when it was closed. */
export async function isClosedEvent(
  pool: Queryable,
  month: Month,
  eventId: string,
): Promise<boolean> {
  const { isKnown } = await oneRow(
    pool,
    z.object({ isKnown: z.boolean() }),
    'SELECT EXISTS (SELECT FROM app.closed_event WHERE month = $1 AND event_id = $2) AS "isKnown"',
    [month, eventId],
  )
  return isKnown
}

const monthRow = z.object({ month: z.string() })

/** The months that have rows. */
export async function monthsOfTable(pool: Queryable): Promise<readonly string[]> {
  const rows = await allRows(
    pool,
    monthRow,
    'SELECT DISTINCT month FROM app.closed_event ORDER BY month',
  )
  return rows.map(({ month }) => month)
}
