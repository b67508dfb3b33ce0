import { z } from 'zod'
import type { StoredEvent } from '#services/event-store/event-store'
import type { WaitingEvent } from '#services/event-store/read-waiting'
import { controlsVersion } from '#services/finance/controls/controls'
import { instantColumn, integerColumn, positionColumn } from '#services/foundation/columns'
import { storedReason } from '#services/foundation/stored-reason'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import { streamOwner } from '#services/foundation/stream-names'
import type { StateKey } from './control-state.ts'

/*
 * The tables `app.control_parked` and `app.control_waiting`: customers with an event that the
 * controls cannot fold, and their events from this one on.
 */

/**
 * The largest number of parked customers. With more, the release is wrong and not the data, so the
 * controls wait.
 */
export const maxParkedCustomers = 100

const userRow = z.object({ userId: z.string() })

/** The parked customers, the longest parked first. */
export async function parkedUserIds(
  db: Queryable,
  { logId, version }: StateKey,
): Promise<readonly string[]> {
  const rows = await allRows(
    db,
    userRow,
    `SELECT user_id AS "userId" FROM app.control_parked
     WHERE log_id = $1 AND version = $2 ORDER BY parked_at, user_id`,
    [logId, version],
  )
  return rows.map(({ userId }) => userId)
}

/** Parks a customer, or replaces the reason why the customer is parked. */
export async function parkCustomer(
  tx: Queryable,
  { logId, version }: StateKey,
  userId: string,
  error: unknown,
): Promise<void> {
  await tx.query(
    `INSERT INTO app.control_parked (log_id, version, user_id, reason) VALUES ($1, $2, $3, $4)
     ON CONFLICT (log_id, version, user_id) DO UPDATE SET reason = excluded.reason`,
    [logId, version, userId, storedReason(error)],
  )
}

/** Removes a customer of whom no event waits. */
export async function releaseCustomer(
  tx: Queryable,
  { logId, version }: StateKey,
  userId: string,
): Promise<void> {
  await tx.query(
    'DELETE FROM app.control_parked WHERE log_id = $1 AND version = $2 AND user_id = $3',
    [logId, version, userId],
  )
}

/** Adds events behind the waiting events of their parked customers, in this order. */
export async function addWaiting(
  tx: Queryable,
  { logId, version }: StateKey,
  events: readonly StoredEvent[],
): Promise<void> {
  if (events.length === 0) return
  await tx.query(
    `INSERT INTO app.control_waiting (log_id, version, user_id, event_id, type, stream, revision, position)
     SELECT $1, $2, user_id, id, type, stream, revision, position
     FROM unnest($3::text[], $4::uuid[], $5::text[], $6::text[], $7::integer[], $8::text[])
       WITH ORDINALITY AS waiting (user_id, id, type, stream, revision, position, place) ORDER BY place`,
    [
      logId,
      version,
      events.map(({ stream }) => streamOwner(stream)),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ stream }) => stream),
      events.map(({ revision }) => revision),
      events.map(({ position }) => position),
    ],
  )
}

const waitingRow = z.object({
  id: z.string(),
  type: z.string(),
  stream: z.string(),
  revision: z.int(),
  position: positionColumn,
})

/** The first `limit` waiting events of a customer, in the order of the log. */
export function firstWaiting(
  db: Queryable,
  { logId, version }: StateKey,
  userId: string,
  limit: number,
): Promise<readonly WaitingEvent[]> {
  return allRows(
    db,
    waitingRow,
    `SELECT event_id AS id, type, stream, revision, position FROM app.control_waiting
     WHERE log_id = $1 AND version = $2 AND user_id = $3 ORDER BY ordinal LIMIT $4`,
    [logId, version, userId, limit],
  )
}

/** Removes events that were folded. */
export async function removeWaiting(
  tx: Queryable,
  { logId, version }: StateKey,
  userId: string,
  events: readonly WaitingEvent[],
): Promise<void> {
  await tx.query(
    `DELETE FROM app.control_waiting
     WHERE log_id = $1 AND version = $2 AND user_id = $3 AND event_id = ANY ($4::uuid[])`,
    [logId, version, userId, events.map(({ id }) => id)],
  )
}

const reportedRow = z.object({
  userId: z.string(),
  eventId: z.string(),
  eventType: z.string(),
  stream: z.string(),
  revision: z.int(),
  reason: z.string(),
  parkedAt: instantColumn,
  waitingEvents: integerColumn,
})

/** A parked customer, and the event that cannot be folded. `waitingEvents` includes this event. */
export type ParkedCustomer = Readonly<z.infer<typeof reportedRow>>

// The tables can have rows of a log that the product used before, or of another release's controls.
const ofThisLog = `app.control_parked p JOIN app.reactor_checkpoint c
  ON c.reactor = 'controls' AND c.log_id = p.log_id AND p.version = $1`

/** The parked customers of the log that the product uses, the longest parked first. */
export function parkedCustomers(
  db: Queryable,
  version: number = controlsVersion,
): Promise<readonly ParkedCustomer[]> {
  return allRows(
    db,
    reportedRow,
    `SELECT p.user_id AS "userId", w.event_id AS "eventId", w.type AS "eventType", w.stream, w.revision, p.reason,
       p.parked_at AS "parkedAt", w.waiting AS "waitingEvents"
     FROM ${ofThisLog} CROSS JOIN LATERAL (
       SELECT w.*, count(*) OVER () AS waiting FROM app.control_waiting w
       WHERE (w.log_id, w.version, w.user_id) = (p.log_id, p.version, p.user_id)
       ORDER BY ordinal LIMIT 1) w
     ORDER BY p.parked_at, p.user_id`,
    [version],
  )
}

const countRow = z.object({ count: integerColumn })

/** The number of parked customers of the log that the product uses. */
export async function countParkedCustomers(
  db: Queryable,
  version: number = controlsVersion,
): Promise<number> {
  return (await oneRow(db, countRow, `SELECT count(*) AS count FROM ${ofThisLog}`, [version])).count
}
