import { z } from 'zod'
import type { StoredEvent } from '#services/event-store/event-store'
import type { Queryable } from '#services/foundation/queryable'
import { integerColumn } from '#services/foundation/columns'
import { allRows } from '#services/foundation/rows'
import type { Numbered } from '../read-model.ts'
import { pausedEvent, type PausedEvent } from '../run/checkpoint.ts'

/*
 * The statements on `projection.parked_stream` and `projection.parked_event`. `schema` is that of
 * the tables that lack the events.
 */

const keyRow = z.object({
  partition_key: z.string(),
  event: pausedEvent,
  is_requested: z.boolean(),
})
const waitingKeyRow = z.object({ partition_key: z.string() })
const idRow = z.object({ event_id: z.string() })
const waitingRow = pausedEvent.extend({ number: integerColumn })

export interface ParkedKey {
  readonly key: string
  /** The first event that cannot be folded. */
  readonly event: PausedEvent
  /** Whether an operator wants another attempt. */
  readonly isRequested: boolean
}

/** All keys that are parked in these tables. */
export async function loadParkedKeys(db: Queryable, schema: string): Promise<readonly ParkedKey[]> {
  const rows = await allRows(
    db,
    keyRow,
    `SELECT partition_key, event, retry_requested_at IS NOT NULL AS is_requested
     FROM projection.parked_stream WHERE projection = $1 ORDER BY parked_at, partition_key`,
    [schema],
  )
  return rows.map(({ partition_key: key, event, is_requested: isRequested }) => ({
    key,
    event,
    isRequested,
  }))
}

/** Parks a key at `event`, in the transaction that moves the checkpoint past the event. */
export async function insertParkedKey(
  tx: Queryable,
  schema: string,
  key: string,
  event: Numbered<StoredEvent>,
  reason: string,
): Promise<void> {
  await tx.query(
    'INSERT INTO projection.parked_stream (projection, partition_key, event, reason) VALUES ($1, $2, $3, $4)',
    [schema, key, JSON.stringify(identityOf(event)), reason],
  )
  await insertWaiting(tx, schema, [{ key, event }])
}

/** Adds events behind the parked events of their keys, in this order. */
export async function insertWaiting(
  tx: Queryable,
  schema: string,
  waiting: readonly { readonly key: string; readonly event: Numbered<StoredEvent> }[],
): Promise<void> {
  if (waiting.length === 0) return
  await tx.query(
    `INSERT INTO projection.parked_event (projection, partition_key, number, event_id, type, stream, revision, position)
     SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::text[])`,
    [
      schema,
      waiting.map(({ key }) => key),
      waiting.map(({ event }) => event.number),
      waiting.map(({ event }) => event.id),
      waiting.map(({ event }) => event.type),
      waiting.map(({ event }) => event.stream),
      waiting.map(({ event }) => event.revision),
      waiting.map(({ event }) => event.position),
    ],
  )
}

/** The first `limit` events that wait, in the order of the log. The log has their contents. */
export function firstWaiting(
  db: Queryable,
  schema: string,
  key: string,
  limit: number,
): Promise<readonly Numbered<PausedEvent>[]> {
  return allRows(
    db,
    waitingRow,
    `SELECT number, event_id AS id, type, stream, revision, position FROM projection.parked_event
     WHERE projection = $1 AND partition_key = $2 ORDER BY number LIMIT $3`,
    [schema, key, limit],
  )
}

/** The keys of which events of the type wait. */
export async function keysOfWaiting(
  db: Queryable,
  schema: string,
  type: string,
): Promise<readonly string[]> {
  const rows = await allRows(
    db,
    waitingKeyRow,
    'SELECT DISTINCT partition_key FROM projection.parked_event WHERE projection = $1 AND type = $2',
    [schema, type],
  )
  return rows.map(({ partition_key }) => partition_key)
}

/** Removes events that no longer wait. Returns how many of them did. */
export async function deleteWaiting(
  tx: Queryable,
  schema: string,
  key: string,
  eventIds: readonly string[],
): Promise<number> {
  const { rows } = await tx.query(
    'DELETE FROM projection.parked_event WHERE projection = $1 AND partition_key = $2 AND event_id = ANY ($3) RETURNING 1',
    [schema, key, eventIds],
  )
  return rows.length
}

/** Removes a key of which no event waits. */
export async function deleteParkedKey(tx: Queryable, schema: string, key: string): Promise<void> {
  await tx.query(
    `DELETE FROM projection.parked_stream s WHERE projection = $1 AND partition_key = $2
     AND NOT EXISTS (SELECT 1 FROM projection.parked_event e WHERE e.projection = s.projection AND e.partition_key = s.partition_key)`,
    [schema, key],
  )
}

/**
 * Records an attempt that failed at `event`, and ends the request for it. False if the event no
 * longer waits, because an operator skipped it meanwhile: the request is then for the events behind
 * it.
 */
export async function recordFailedRetry(
  tx: Queryable,
  schema: string,
  key: string,
  event: PausedEvent,
  reason: string,
): Promise<boolean> {
  const { rows } = await tx.query(
    `UPDATE projection.parked_stream s SET event = $3, reason = $4, tried_at = now(), retry_requested_at = NULL
     WHERE projection = $1 AND partition_key = $2 AND EXISTS (
       SELECT 1 FROM projection.parked_event e WHERE e.projection = $1 AND e.partition_key = $2 AND e.event_id = $5)
     RETURNING 1`,
    [schema, key, JSON.stringify(identityOf(event)), reason, event.id],
  )
  return rows.length > 0
}

/** Forgets what is parked in tables that are dropped, emptied or replaced. */
export async function forgetParked(tx: Queryable, schemas: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM projection.parked_stream WHERE projection = ANY ($1)', [schemas])
}

/** What is parked in the tables `from` is from now on parked in `to`: the tables were renamed. */
export async function renameParked(tx: Queryable, from: string, to: string): Promise<void> {
  await forgetParked(tx, [to])
  await tx.query('UPDATE projection.parked_stream SET projection = $2 WHERE projection = $1', [
    from,
    to,
  ])
}

/** The ids of all events that wait in these tables. */
export async function waitingEventIds(db: Queryable, schema: string): Promise<ReadonlySet<string>> {
  const rows = await allRows(
    db,
    idRow,
    'SELECT event_id FROM projection.parked_event WHERE projection = $1',
    [schema],
  )
  return new Set(rows.map(({ event_id }) => event_id))
}

function identityOf({ id, type, stream, revision, position }: PausedEvent): PausedEvent {
  return { id, type, stream, revision, position }
}
