import { z } from 'zod'
import type { EventStore } from '#services/event-store/event-store'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { durableTransaction } from '#services/postgres/transaction'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { recordSkip } from '../run/skipped-events.ts'
import { checkpointState, pausedEvent, type PausedEvent } from '../run/checkpoint.ts'
import { newerAt, skipRefusal } from './newer-at.ts'

type Identity = Pick<ReadModel, 'name' | 'version'>

/** Reason and event are NULL while the shard runs. */
const shardRow = z.object({
  shard: z.int(),
  state: checkpointState,
  reason: z.string().nullable(),
  paused_event: pausedEvent.nullable(),
})

/** No event was skipped. The message gives the reason. */
export class CannotSkip extends Error {
  override readonly name = 'CannotSkip'
}

export interface SkipParts {
  readonly connection: Queryable
  /** The log says whether a newer release wrote the event. */
  readonly store: Pick<EventStore, 'readStream'>
}

/**
 * Records the skip of `eventId` and resumes the paused projection after this event. Raises the
 * epoch, so that a projector that retries the event at the same time writes no row of it. The
 * transaction is durable: the command reports the skip as recorded.
 * @throws CannotSkip if the projection is not paused, or is paused at another event, or if a newer
 * release wrote the event
 */
export async function skipEvent(
  { connection, store }: SkipParts,
  model: Identity,
  eventId: string,
  skippedBy: string,
): Promise<PausedEvent> {
  return durableTransaction(connection, async () => {
    const rows = await allRows(
      connection,
      shardRow,
      'SELECT shard, state, reason, paused_event FROM projection.checkpoint WHERE name = $1 AND version = $2 ORDER BY shard FOR UPDATE',
      [model.name, model.version],
    )
    if (rows.length === 0)
      throw new CannotSkip(
        `This database has no projection ${schemaOf(model)}. Start the product once, which creates the projection.`,
      )
    const paused = rows.flatMap(({ shard, state, reason, paused_event: event }) =>
      state === 'paused' && reason !== null && event !== null ? [{ shard, reason, event }] : [],
    )
    const at = paused.find(({ event }) => event.id === eventId) ?? paused[0]
    if (!at) throw new CannotSkip(`${schemaOf(model)} is not paused. There is nothing to skip.`)
    const { id, type, stream, revision, position } = at.event
    if (id !== eventId)
      throw new CannotSkip(
        `${schemaOf(model)} is paused at event ${id} (${type}, ${stream}, revision ${revision}), not at ${eventId}. Name that event.`,
      )
    const newer = await newerAt(store, at.event)
    if (newer !== null) throw new CannotSkip(skipRefusal(model, newer))
    await recordSkip(connection, model, at.event, at.reason, skippedBy)
    await connection.query(
      `UPDATE projection.checkpoint SET position = $4, events_done = events_done + 1, epoch = epoch + 1,
         state = 'running', reason = NULL, paused_event = NULL, updated_at = now()
       WHERE name = $1 AND version = $2 AND shard = $3`,
      [model.name, model.version, at.shard, position],
    )
    return at.event
  })
}
