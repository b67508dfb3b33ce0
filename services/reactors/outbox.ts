import { z } from 'zod'
import type { Instant } from '#contracts/instant'
import type { Position, StoredEvent } from '#services/event-store/event-store'
import { instantColumn, integerColumn, positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow, oneRow } from '#services/foundation/rows'
import { storedReason } from '#services/foundation/stored-reason'

const checkpointRow = z.object({ position: positionColumn })

/** Where the reactor resumes in the log. Null: at the start of the log. */
export async function readCheckpoint(
  db: Queryable,
  reactor: string,
  logId: string,
): Promise<Position | null> {
  const row = await firstRow(
    db,
    checkpointRow,
    'SELECT position FROM app.reactor_checkpoint WHERE reactor = $1 AND log_id = $2',
    [reactor, logId],
  )
  return row?.position ?? null
}

/**
 * Several processes may move the checkpoint of a reactor, also back: a reactor that reads an event
 * again adds no second entry.
 */
export async function moveCheckpoint(
  db: Queryable,
  reactor: string,
  logId: string,
  position: Position,
): Promise<void> {
  await db.query(
    `INSERT INTO app.reactor_checkpoint (reactor, log_id, position) VALUES ($1, $2, $3)
     ON CONFLICT (reactor) DO UPDATE SET log_id = excluded.log_id, position = excluded.position, updated_at = now()`,
    [reactor, logId, position],
  )
}

/**
 * Stores that a process runs the reactor. Leaves the position: a process of a newer release may
 * have moved it past the event at which this process waits.
 */
export async function touchCheckpoint(db: Queryable, reactor: string): Promise<void> {
  await db.query('UPDATE app.reactor_checkpoint SET updated_at = now() WHERE reactor = $1', [
    reactor,
  ])
}

const startRow = z.object({ since: instantColumn })

/** The time of the business clock at which the reactor started first: `now` at its first start. */
export async function firstStart(db: Queryable, reactor: string, now: Date): Promise<Instant> {
  await db.query(
    'INSERT INTO app.reactor_start (reactor, since) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [reactor, now],
  )
  const { since } = await oneRow(
    db,
    startRow,
    'SELECT since FROM app.reactor_start WHERE reactor = $1',
    [reactor],
  )
  return since
}

/**
 * Leaves the events of the log so far out of reactors that skip old events. They were imported:
 * another installation performed their effects, also if it recorded them after the first start of
 * this one. `now` is the business clock's time.
 */
export async function leaveOutImported(
  db: Queryable,
  reactors: readonly string[],
  { logId, position, now }: { logId: string; position: Position; now: Instant },
): Promise<void> {
  for (const reactor of reactors) await moveCheckpoint(db, reactor, logId, position)
  // For a copy of this log, which has other positions.
  await db.query(
    'UPDATE app.reactor_start SET since = GREATEST(since, $2) WHERE reactor = ANY ($1)',
    [reactors, now],
  )
}

export type EventOfEntry = Pick<StoredEvent, 'id' | 'type' | 'stream' | 'revision'>

/** Adds one entry per event. An event that has an entry is left out. */
export async function addEntries(
  db: Queryable,
  reactor: string,
  events: readonly EventOfEntry[],
): Promise<void> {
  if (events.length === 0) return
  await db.query(
    `INSERT INTO app.outbox (reactor, event_id, event_type, stream, revision)
     SELECT $1, * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::int[]) ON CONFLICT DO NOTHING`,
    [
      reactor,
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ stream }) => stream),
      events.map(({ revision }) => revision),
    ],
  )
}

const entryRow = z.object({
  eventId: z.string(),
  stream: z.string(),
  revision: z.int(),
  /** Failed attempts. */
  attempts: z.int(),
  /** Those of them after which the other system may have performed the effect. */
  unanswered: z.int(),
})
export type OutboxEntry = Readonly<z.infer<typeof entryRow>>

const due = `reactor = $1 AND done_at IS NULL AND dead_at IS NULL AND next_attempt_at <= now()
       AND (due_at IS NULL OR due_at <= $2) AND event_id <> ALL ($3::uuid[])`

/**
 * Whether `claimEntry` can find an entry. It needs no transaction, and reactors look each second.
 */
export async function isAnyDue(
  db: Queryable,
  reactor: string,
  now: Date,
  without: readonly string[],
): Promise<boolean> {
  const { found } = await oneRow(
    db,
    z.object({ found: z.boolean() }),
    `SELECT EXISTS (SELECT FROM app.outbox WHERE ${due}) AS found`,
    [reactor, now, without],
  )
  return found
}

/**
 * The reactor's next due entry; `now` is the time of the business clock. Locks the entry until the
 * transaction ends, so that no other process performs the effect meanwhile. Null if no entry is
 * due. Leaves out the entries of the events `without`.
 */
export async function claimEntry(
  tx: Queryable,
  reactor: string,
  now: Date,
  without: readonly string[] = [],
): Promise<OutboxEntry | null> {
  // If this process freezes, the server ends the transaction, and another process takes the entry.
  await tx.query("SET LOCAL idle_in_transaction_session_timeout = '2min'")
  const row = await firstRow(
    tx,
    entryRow,
    `SELECT event_id AS "eventId", stream, revision, attempts, unanswered FROM app.outbox
     WHERE ${due}
     ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [reactor, now, without],
  )
  return row ?? null
}

export async function markDone(tx: Queryable, reactor: string, entry: OutboxEntry): Promise<void> {
  await tx.query(
    `UPDATE app.outbox SET done_at = clock_timestamp(), attempts = attempts + 1, last_error = NULL
     WHERE reactor = $1 AND event_id = $2`,
    [reactor, entry.eventId],
  )
}

/** The effect is not performed before `dueAt`, a time of the business clock. No attempt counts. */
export async function markLater(
  tx: Queryable,
  reactor: string,
  entry: OutboxEntry,
  dueAt: Date,
): Promise<void> {
  await tx.query('UPDATE app.outbox SET due_at = $3 WHERE reactor = $1 AND event_id = $2', [
    reactor,
    entry.eventId,
    dueAt,
  ])
}

export interface FailedEffect {
  readonly error: unknown
  /** The other system may have performed the effect. */
  readonly isUnanswered: boolean
}

/** A dead letter: no further attempt until an operator retries the entry. */
export async function markDead(
  tx: Queryable,
  reactor: string,
  entry: OutboxEntry,
  { error, isUnanswered }: FailedEffect,
): Promise<void> {
  await tx.query(
    `UPDATE app.outbox SET attempts = attempts + 1, unanswered = unanswered + $4::int, last_error = $3,
       dead_at = clock_timestamp()
     WHERE reactor = $1 AND event_id = $2`,
    [reactor, entry.eventId, shortened(error), Number(isUnanswered)],
  )
}

const longestError = 500

function shortened(error: unknown): string {
  return storedReason(error).slice(0, longestError)
}

export async function markFailed(
  tx: Queryable,
  reactor: string,
  entry: OutboxEntry,
  { error, isUnanswered }: FailedEffect,
  delayMs: number,
): Promise<void> {
  await tx.query(
    `UPDATE app.outbox SET attempts = attempts + 1, unanswered = unanswered + $5::int, last_error = $3,
       next_attempt_at = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
     WHERE reactor = $1 AND event_id = $2`,
    [reactor, entry.eventId, shortened(error), delayMs, Number(isUnanswered)],
  )
}

/** After this number of failed attempts an entry counts as failing, and its failures are errors. */
export const failingAttempts = 5

const statusRow = z.object({
  reactor: z.string(),
  waiting: integerColumn,
  failing: integerColumn,
  /** Entries whose last attempt failed. They do not count as waiting. */
  dead: integerColumn,
  /** Age of the oldest entry that waits; 0 without one. */
  oldestSeconds: z.number(),
  /** Since a process that runs the reactor last moved its checkpoint. */
  unattendedSeconds: z.number(),
})
export type OutboxStatus = Readonly<z.infer<typeof statusRow>>

/** The entries without an effect yet, of every reactor that has read the log. */
export async function outboxStatus(db: Queryable): Promise<readonly OutboxStatus[]> {
  return allRows(
    db,
    statusRow,
    `SELECT c.reactor, count(o.event_id) FILTER (WHERE o.dead_at IS NULL) AS waiting,
       count(o.event_id) FILTER (WHERE o.dead_at IS NULL AND o.attempts >= $1) AS failing,
       count(o.dead_at) AS dead,
       coalesce(extract(epoch FROM now() - min(o.created_at) FILTER (WHERE o.dead_at IS NULL)), 0)::float8
         AS "oldestSeconds",
       extract(epoch FROM now() - c.updated_at)::float8 AS "unattendedSeconds"
     FROM app.reactor_checkpoint c LEFT JOIN app.outbox o ON o.reactor = c.reactor AND o.done_at IS NULL
     GROUP BY c.reactor, c.updated_at ORDER BY c.reactor`,
    [failingAttempts],
  )
}
