import type { Queryable } from '#services/foundation/queryable'
import { z } from 'zod'
import { firstRow } from '#services/foundation/rows'
import { sleep } from '#services/foundation/sleep'
import { durableTransaction } from '#services/postgres/transaction'
import { loadParking } from '../park/parking.ts'
import { retryParked } from '../park/retry-parked.ts'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { takeOver } from '../run/checkpoint.ts'
import { projectingKey } from '../run/lease-keys.ts'
import { takeFreeLease } from '#services/postgres/lease'
import type { ProjectorOptions } from '../run/projector.ts'
import { isOfShard, type Shard } from '../run/shard.ts'
import { parkedStreamOf, type ParkedStream } from '../park/parked-streams.ts'

/** Nothing was retried. The message gives the reason. */
export class CannotRetry extends Error {
  override readonly name = 'CannotRetry'
}

export type RetryRequest =
  | { readonly parked: ParkedStream }
  /** The projection was paused at an event of the stream, and tries the event again now. */
  | { readonly resumed: true }

/**
 * Requests another attempt at a parked stream, or ends the pause at an event of the stream. The
 * request is durable: if this process ends, the projector still makes the attempt.
 * @throws CannotRetry if the read model has no such stream; nothing is changed
 */
export async function requestRetry(
  connection: Queryable,
  model: ReadModel,
  stream: string,
): Promise<RetryRequest> {
  return durableTransaction(connection, async () => {
    const parked = await parkedStreamOf(connection, model, stream)
    if (parked !== undefined) {
      await connection.query(
        'UPDATE projection.parked_stream SET retry_requested_at = now() WHERE projection = $1 AND partition_key = $2',
        [parked.projection, parked.key],
      )
      return { parked }
    }
    const { rows } = await connection.query(
      `UPDATE projection.checkpoint SET state = 'running', reason = NULL, paused_event = NULL, updated_at = now()
       WHERE name = $1 AND version = $2 AND paused_event->>'stream' = $3 RETURNING 1`,
      [model.name, model.version, stream],
    )
    if (rows.length > 0) return { resumed: true }
    throw new CannotRetry(
      `${schemaOf(model)} has no parked stream '${stream}'; nothing was changed. 'billing projections status' lists the parked streams.`,
    )
  })
}

const shardsRow = z.object({ shards: z.int() })

export interface AwaitOptions extends Pick<
  ProjectorOptions,
  'connectionString' | 'codec' | 'model' | 'log'
> {
  readonly db: Queryable
  readonly store: Pick<ProjectorOptions['store'], 'readStream'>
  readonly signal: AbortSignal
}

const pollMs = 100

/**
 * Waits for the attempt that was requested for `stream`: the projector makes it. If no projector
 * runs, this function takes its lease and makes it. Returns the stream if it is still parked, or
 * null.
 */
export async function awaitRetry(
  stream: string,
  options: AwaitOptions,
): Promise<ParkedStream | null> {
  const { db, model, signal } = options
  for (;;) {
    signal.throwIfAborted()
    const now = await parkedStreamOf(db, model, stream)
    if (now === undefined) return null
    if (!now.isRetryRequested) return now
    await retryWithoutProjector(stream, options)
    await sleep(pollMs, signal)
  }
}

/** Does nothing if a projector holds the lease: it sees the request itself. */
async function retryWithoutProjector(
  stream: string,
  { connectionString, db, model, store, codec, log, signal }: AwaitOptions,
): Promise<void> {
  const shard = await shardOf(db, model, stream)
  if (shard === null) return
  const lease = await takeFreeLease(connectionString, projectingKey(model, shard.index))
  if (lease === null) return
  try {
    const { connection } = lease
    const { epoch } = await takeOver(connection, model, shard)
    const parking = await loadParking(connection, model, schemaOf(model), shard)
    await retryParked(
      parking,
      parking.atStart.filter(({ isRequested }) => isRequested),
      { connection, store, codec, model, shard, epoch, log, signal },
    )
  } finally {
    await lease.release()
  }
}

async function shardOf(db: Queryable, model: ReadModel, stream: string): Promise<Shard | null> {
  const row = await firstRow(
    db,
    shardsRow,
    'SELECT shards FROM projection.checkpoint WHERE name = $1 AND version = $2 LIMIT 1',
    [model.name, model.version],
  )
  const of = row?.shards ?? 0
  const index = Array.from({ length: of }, (_, each) => each).find((each) =>
    isOfShard(model, { index: each, of })({ stream }),
  )
  return index === undefined ? null : { index, of }
}
