import type { EventDefinitions } from '#contracts/events/define-event'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore, StoredEvent } from '#services/event-store/event-store'
import { NewerEvent } from '#services/event-store/newer-event'
import type { NewerRelease } from '#services/event-store/newer-release'
import { readWaiting } from '#services/event-store/read-waiting'
import { storedReason } from '#services/foundation/stored-reason'
import { durableTransaction } from '#services/postgres/transaction'
import type { Queryable } from '#services/foundation/queryable'
import { schemaOf, type Numbered, type ReadModel } from '../read-model.ts'
import { applyBatch, PoisonEvent } from '../run/apply-batch.ts'
import { assertHolds, FencedOff } from '../run/checkpoint.ts'
import { withNumbers } from '../run/numbered.ts'
import { prepareBatch } from '../run/prepare-batch.ts'
import type { ProjectionLog } from '../run/projection-log.ts'
import type { Shard } from '../run/shard.ts'
import { isTransient } from '../run/transient.ts'
import {
  deleteParkedKey,
  deleteWaiting,
  firstWaiting,
  recordFailedRetry,
  type ParkedKey,
} from './parked-rows.ts'
import type { Parking } from './parking.ts'

/** The projector that retries: it holds the lease, and its epoch is that of the checkpoint. */
export interface RetryParts {
  readonly connection: Queryable
  readonly store: Pick<EventStore, 'readStream'>
  readonly codec: Pick<EventCodec, 'decode'>
  readonly model: ReadModel
  readonly shard: Shard
  readonly epoch: string
  readonly log: ProjectionLog
  readonly signal: AbortSignal
  /** The events that this release knows (default: those of the product). */
  readonly catalogue?: EventDefinitions | undefined
  /** Learns of an event of a newer release. */
  readonly newerRelease?: Pick<NewerRelease, 'met'> | undefined
}

/** An operator skipped an event while it was folded. Nothing was written. */
class WaitingChanged extends Error {
  override readonly name = 'WaitingChanged'
}

const pageSize = 500

/**
 * Folds the events of parked keys, each in the order of the log from the first that waits. A key
 * whose event still fails stays parked, and also a key with an event of a newer release: that
 * release retries it at its start. Each transaction folds events and removes them from those
 * that wait, so a retry that is killed continues where it was. The transactions are durable: a
 * command reports the result.
 * @throws FencedOff, and errors that `isTransient`
 */
export async function retryParked(
  parking: Parking,
  parked: readonly ParkedKey[],
  parts: RetryParts,
): Promise<void> {
  for (const each of parked) {
    if (parts.signal.aborted) return
    await retryKey(parking, each, parts)
  }
}

async function retryKey(parking: Parking, { key, event }: ParkedKey, parts: RetryParts) {
  const { connection, store, model, shard, epoch, log, signal, newerRelease } = parts
  const schema = schemaOf(model)
  const fields = { projection: schema, shard, stream: event.stream }
  // The first page is one event: an event that still fails costs one attempt.
  for (let limit = 1; ; limit = pageSize) {
    const waiting = await firstWaiting(connection, schema, key, limit)
    const [first] = waiting
    if (first === undefined) break
    try {
      const numbers = new Map(waiting.map(({ id, number }) => [id, number]))
      await applyBatch(await readWaiting(store, waiting), {
        write: (some) => writeWaiting(key, withNumbers(some, numbers), parts),
        signal,
        log,
        retryDelaysMs: [],
      })
    } catch (error) {
      if (error instanceof FencedOff || signal.aborted || isTransient(error)) throw error
      const poison = error instanceof PoisonEvent ? error : null
      if (poison?.cause instanceof WaitingChanged) continue
      const newer = error instanceof NewerEvent ? error : null
      if (newer !== null) newerRelease?.met(newer)
      const failed = poison?.event ?? waiting.find(({ id }) => id === newer?.eventId) ?? first
      const reason = reasonOf(error)
      const isRecorded = await durableTransaction(connection, async () => {
        await assertHolds(connection, model, shard, epoch)
        return recordFailedRetry(connection, schema, key, failed, reason)
      })
      if (isRecorded)
        return log.warn(
          { ...fields, reason },
          newer === null
            ? 'A parked stream still cannot be folded.'
            : 'A parked stream waits for a newer release.',
        )
    }
  }
  await durableTransaction(connection, async () => {
    await assertHolds(connection, model, shard, epoch)
    await deleteParkedKey(connection, schema, key)
  })
  parking.released(key)
  log.info(fields, 'A parked stream is folded; its projection lacks no event of the stream.')
}

function reasonOf(error: unknown): string {
  const reason = storedReason(error)
  return error instanceof NewerEvent ? `Waits for a newer release: ${reason}` : reason
}

async function writeWaiting(
  key: string,
  events: readonly Numbered<StoredEvent>[],
  { connection, codec, model, shard, epoch, catalogue }: RetryParts,
): Promise<void> {
  const schema = schemaOf(model)
  const fold = await prepareBatch(codec, model, events, shard, catalogue)
  await durableTransaction(connection, async () => {
    await assertHolds(connection, model, shard, epoch)
    const ids = events.map(({ id }) => id)
    if ((await deleteWaiting(connection, schema, key, ids)) < ids.length)
      throw new WaitingChanged('An operator skipped an event that was being folded.')
    await fold?.(connection, schema)
  })
}
