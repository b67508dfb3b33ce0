import { z } from 'zod'
import { instantColumn, integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow, oneRow } from '#services/foundation/rows'

const entryRow = z.object({
  reactor: z.string(),
  eventId: z.string(),
  eventType: z.string(),
  stream: z.string(),
  revision: z.int(),
  attempts: z.int(),
  /** Null before the first failure. */
  lastError: z.string().nullable(),
  createdAt: instantColumn,
  /** Null: the entry is due at once. A time of the business clock. */
  dueAt: instantColumn.nullable(),
  /** Null: the entry is no dead letter. */
  deadAt: instantColumn.nullable(),
  /** A reactor performs the effect now. */
  isInProgress: z.boolean(),
})
export type ListedEntry = Readonly<z.infer<typeof entryRow>>

/**
 * The entries of these reactors without an effect yet, the oldest first. A reactor locks the entry
 * whose effect it performs (`claimEntry`), and only the lock shows that. The locks of this
 * statement end with it: a reactor that skips an entry meanwhile takes it at its next look.
 */
export async function listEntries(
  db: Queryable,
  reactors: readonly string[],
  { isDead, limit }: { readonly isDead: boolean; readonly limit: number },
): Promise<readonly ListedEntry[]> {
  return allRows(
    db,
    entryRow,
    `WITH listed AS (
       SELECT * FROM app.outbox
       WHERE reactor = ANY ($1) AND done_at IS NULL AND (dead_at IS NOT NULL OR NOT $2)
       ORDER BY created_at, event_id LIMIT $3
     ), unlocked AS (
       SELECT reactor, event_id FROM app.outbox
       WHERE (reactor, event_id) IN (SELECT reactor, event_id FROM listed)
       FOR KEY SHARE SKIP LOCKED
     )
     SELECT reactor, event_id AS "eventId", event_type AS "eventType", stream, revision, attempts,
       last_error AS "lastError", created_at AS "createdAt", due_at AS "dueAt", dead_at AS "deadAt",
       (reactor, event_id) NOT IN (SELECT reactor, event_id FROM unlocked) AS "isInProgress"
     FROM listed ORDER BY created_at, event_id`,
    [reactors, isDead, limit],
  )
}

const entryCounts = z.object({ waiting: integerColumn, done: integerColumn })

/** Of one event: the entries without an effect that are no dead letters, and those with one. */
export async function countEntries(
  db: Queryable,
  reactors: readonly string[],
  eventId: string,
): Promise<Readonly<z.infer<typeof entryCounts>>> {
  return oneRow(
    db,
    entryCounts,
    `SELECT count(*) FILTER (WHERE done_at IS NULL AND dead_at IS NULL) AS waiting, count(done_at) AS done
     FROM app.outbox WHERE reactor = ANY ($1) AND event_id = $2`,
    [reactors, eventId],
  )
}

const changedRow = z.object({ event_id: z.string() })

/**
 * Gives dead letters one more attempt: those of one event, or all if `eventId` is null. Returns the
 * number of entries.
 */
export async function retryDead(
  db: Queryable,
  reactors: readonly string[],
  eventId: string | null,
): Promise<number> {
  const retried = await allRows(
    db,
    changedRow,
    `UPDATE app.outbox SET dead_at = NULL, next_attempt_at = now()
     WHERE reactor = ANY ($1) AND dead_at IS NOT NULL AND done_at IS NULL
       AND ($2::uuid IS NULL OR event_id = $2)
     RETURNING event_id`,
    [reactors, eventId],
  )
  return retried.length
}

/**
 * Makes dead letters of the entries without an effect yet, so that an operator decides about them.
 * Returns their number.
 */
export async function holdBack(
  db: Queryable,
  reactors: readonly string[],
  why: string,
): Promise<number> {
  const held = await allRows(
    db,
    changedRow,
    `UPDATE app.outbox SET dead_at = now(), last_error = $2
     WHERE reactor = ANY ($1) AND done_at IS NULL AND dead_at IS NULL RETURNING event_id`,
    [reactors, why],
  )
  return held.length
}

const lockedRow = z.object({
  eventType: z.string(),
  stream: z.string(),
  isDead: z.boolean(),
  isDone: z.boolean(),
})
/** An entry that stays as it is until the transaction ends. */
export type LockedEntry = Readonly<z.infer<typeof lockedRow>>

/** Null: there is no such entry. `isDead` and `isDone`: it was discarded. */
export async function lockEntry(
  tx: Queryable,
  reactor: string,
  eventId: string,
): Promise<LockedEntry | null> {
  const row = await firstRow(
    tx,
    lockedRow,
    `SELECT event_type AS "eventType", stream, dead_at IS NOT NULL AS "isDead",
       done_at IS NOT NULL AS "isDone"
     FROM app.outbox WHERE reactor = $1 AND event_id = $2 FOR UPDATE`,
    [reactor, eventId],
  )
  return row ?? null
}

/** The effect of a dead letter is never performed. It stays a dead letter with an outcome. */
export async function discardDead(tx: Queryable, reactor: string, eventId: string): Promise<void> {
  await tx.query(
    `UPDATE app.outbox SET done_at = now()
     WHERE reactor = $1 AND event_id = $2 AND dead_at IS NOT NULL AND done_at IS NULL`,
    [reactor, eventId],
  )
}
