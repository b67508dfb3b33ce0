import { eventCatalogue, type RecordedEvent } from '#contracts/events/catalogue'
import type { EventDefinitions } from '#contracts/events/define-event'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore, Position, StoredEvent } from '#services/event-store/event-store'
import { NewerEvent, upToNewer } from '#services/event-store/newer-event'
import type { NewerRelease } from '#services/event-store/newer-release'
import { createBackoff } from '#services/foundation/backoff'
import { createOutageLog } from '#services/foundation/outage-log'
import { sleep } from '#services/foundation/sleep'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { applyOrPark } from '../park/apply-or-park.ts'
import { parkPoison } from '../park/park-poison.ts'
import { loadParking, type Parking } from '../park/parking.ts'
import { hasRequest, untilRequested } from '../park/requests.ts'
import { retryParked } from '../park/retry-parked.ts'
import { PoisonEvent } from './apply-batch.ts'
import {
  advance,
  advanceOnly,
  isPaused,
  pause,
  ShardsChanged,
  takeOver,
  type Checkpoint,
} from './checkpoint.ts'
import { completeReadModel } from './complete-read-model.ts'
import { createReadModel } from './create-read-model.ts'
import { relaxedTransaction } from '#services/postgres/transaction'
import { storedReason } from '#services/foundation/stored-reason'
import { largestBatch } from './largest-batch.ts'
import { numbered } from './numbered.ts'
import { projectingKey } from './lease-keys.ts'
import { acquireLease, type Lease } from '#services/postgres/lease'
import { untilFoldedOrCorrected } from './newer-release.ts'
import { isFolded, prepareBatch } from './prepare-batch.ts'
import { withoutRows, type ProjectionLog } from './projection-log.ts'
import { isOfShard, singleShard, type Shard } from './shard.ts'

export interface ProjectorOptions {
  readonly connectionString: string
  readonly store: Pick<EventStore, 'subscribe' | 'lastPosition' | 'comparePositions' | 'readStream'>
  readonly codec: Pick<EventCodec, 'decode'>
  readonly model: ReadModel
  /** The shard to project (default: the whole read model). */
  readonly shard?: Shard
  readonly log: ProjectionLog
  /**
   * The largest batch (`largestBatch`). A batch contains all events that arrived during the
   * previous one.
   */
  readonly maxBatchSize?: number
  /** See `ApplyOptions` (default: three retries within about 2 s). */
  readonly retryDelaysMs?: readonly number[]
  /** The events that this release knows (default: those of the product). */
  readonly catalogue?: EventDefinitions
  /** Learns of the waits for a newer release. */
  readonly newerRelease?: Pick<NewerRelease, 'met' | 'waits' | 'continues'>
  /** Called when the projector gives up its lease to a newer release. */
  readonly onNewer?: () => void
  /** Called after every committed batch. */
  readonly onProjected?: (events: number) => void
  /**
   * Takes the lease and its connection (default: `acquireLease`). Tests inject connections that
   * break.
   */
  readonly takeLease?: (signal: AbortSignal) => Promise<Lease | null>
}

export interface Projector {
  /**
   * Projects until `signal` aborts. Then finishes the current batch, releases the lease and
   * resolves. Also resolves when the number of shards has changed. Never rejects.
   */
  run(signal: AbortSignal): Promise<void>
}

const pausedPollMs = 250
const retryLimits = { firstMs: 100, longestMs: 5_000 }

/**
 * The only writer of a read model or shard: one projector holds the lease, and further projectors
 * wait for it.
 */
export function createProjector(options: ProjectorOptions): Projector {
  const { connectionString, model, shard = singleShard, log } = options
  const takeLease =
    options.takeLease ??
    ((signal) => acquireLease(connectionString, projectingKey(model, shard.index), signal))
  return {
    async run(signal) {
      let isFirst = true
      const fields = { projection: schemaOf(model), shard }
      const backoff = createBackoff(retryLimits)
      const outage = createOutageLog(log, {
        began: 'The projector stopped; restarting from the checkpoint with backoff.',
        lasts: 'The projector still cannot project.',
        over: 'The projector projects again.',
      })
      while (!signal.aborted) {
        try {
          const lease = await takeLease(signal)
          if (!lease) return
          try {
            while (!signal.aborted)
              await project(lease, signal, options, {
                retries: isFirst ? 'all' : 'requested',
                onHeld: () => {
                  isFirst = false
                  outage.over(fields)
                },
                onProgress: (events) => {
                  backoff.reset()
                  options.onProjected?.(events)
                },
              })
          } finally {
            await lease.release()
          }
        } catch (error) {
          if (signal.aborted || error instanceof ShardsChanged) return
          if (error instanceof NewerEvent) {
            await waitForRelease(error, options, signal)
            continue
          }
          const againInMs = backoff.next()
          outage.failed(error, { ...fields, againInMs })
          await sleep(againInMs, signal)
        }
      }
    },
  }
}

/** Waits without the lease, so that a projector of a newer release can take it. */
async function waitForRelease(
  error: NewerEvent,
  { newerRelease, onNewer, ...options }: ProjectorOptions,
  signal: AbortSignal,
): Promise<void> {
  const { model, shard = singleShard } = options
  const reader = `${schemaOf(model)}${shard.of === 1 ? '' : ` shard ${shard.index}`}`
  newerRelease?.waits(reader, error)
  onNewer?.()
  await untilFoldedOrCorrected(error, { ...options, shard, signal })
  newerRelease?.continues(reader)
}

/**
 * Projects while the lease is held. Resolves when `signal` aborts, when an operator has ended a
 * pause, or when an operator wants a parked stream retried: the next call retries it.
 */
async function project(
  lease: Lease,
  signal: AbortSignal,
  options: ProjectorOptions,
  {
    retries,
    onHeld,
    onProgress,
  }: {
    /** Which parked streams to retry first: a restart may be that of a corrected release. */
    readonly retries: 'all' | 'requested'
    readonly onHeld: () => void
    readonly onProgress: (events: number) => void
  },
): Promise<void> {
  const { model, shard = singleShard, log, store, codec, catalogue, newerRelease } = options
  const stop = AbortSignal.any([signal, lease.lost])
  await createReadModel(lease.connection, model, shard.of)
  const checkpoint = await takeOver(lease.connection, model, shard)
  log.info(
    { projection: schemaOf(model), shard, after: checkpoint.position, epoch: checkpoint.epoch },
    'The projector holds the lease; projecting from the checkpoint.',
  )
  const { connection } = lease
  const parking = await loadParking(connection, model, schemaOf(model), shard)
  await retryParked(
    parking,
    parking.atStart.filter(({ isRequested }) => isRequested || retries === 'all'),
    {
      connection,
      store,
      codec,
      model,
      shard,
      epoch: checkpoint.epoch,
      log,
      signal: stop,
      catalogue,
      newerRelease,
    },
  )
  onHeld()
  try {
    await follow(lease, checkpoint, parking, stop, options, onProgress)
  } catch (error) {
    if (!(error instanceof PoisonEvent)) throw error
    const { id, type, stream, revision, position } = error.event
    const refusal = parking.refusal(error.event)
    const reason = storedReason(refusal === null ? error : `${error.message} ${refusal}`)
    await pause(connection, model, shard, checkpoint.epoch, reason, {
      id,
      type: type as RecordedEvent['type'],
      stream,
      revision,
      position,
    })
    log.error(
      {
        reason,
        failure: withoutRows(error.cause),
        projection: schemaOf(model),
        shard,
        event: id,
      },
      'The projection is paused; the others continue. Correct the cause and restart, or skip the event.',
    )
    await untilResumed(lease, model, shard, parking, stop)
  }
  if (lease.lost.aborted && !signal.aborted) throw lease.lost.reason
}

/** Subscribes after the checkpoint. Rejects with the first error that `applyOrPark` throws. */
async function follow(
  lease: Lease,
  checkpoint: Checkpoint,
  parking: Parking,
  stop: AbortSignal,
  options: ProjectorOptions,
  onProgress: (events: number) => void,
): Promise<void> {
  const { connection } = lease
  const {
    store,
    codec,
    model,
    shard = singleShard,
    log,
    catalogue = eventCatalogue,
    maxBatchSize = largestBatch,
    retryDelaysMs = [100, 400, 1_600],
  } = options
  const schema = schemaOf(model)
  const endOfLog = checkpoint.caughtUp ? null : await store.lastPosition()
  let isComplete = checkpoint.caughtUp
  const completeAt = async (position: Position | null) => {
    if (
      isComplete ||
      (endOfLog !== null && (position === null || store.comparePositions(position, endOfLog) < 0))
    )
      return
    await completeReadModel(lease, model, shard, checkpoint.epoch)
    isComplete = true
  }
  await completeAt(checkpoint.position)

  const isOurs = isFolded(model, shard, catalogue)
  let { eventsDone } = checkpoint
  const moved = (events: number) => {
    eventsDone += events
    onProgress(events)
  }

  const write = async (events: readonly StoredEvent[]) => {
    const last = events.at(-1)
    if (!last) return
    const { folded, behind } = parking.divide(numbered(events, eventsDone, isOurs))
    const fold = await prepareBatch(codec, model, folded, shard, catalogue)
    const to = { position: last.position, events: events.length }
    if (fold === null && behind.length === 0) {
      await advanceOnly(connection, model, shard, checkpoint.epoch, to)
      return moved(events.length)
    }
    // Relaxed: rows and checkpoint commit together, so a crash only repeats the batch.
    await relaxedTransaction(connection, async () => {
      await advance(connection, model, shard, checkpoint.epoch, to)
      await parking.keep(connection, behind)
      await fold?.(connection, schema)
    })
    moved(events.length)
  }

  const holder = { connection, model, shard, epoch: checkpoint.epoch, log }
  const skip = async (poison: PoisonEvent) => {
    const isParked = await parkPoison(poison, eventsDone + 1, parking, holder)
    if (isParked) moved(1)
    return isParked
  }

  const failed = new AbortController()
  const requested = untilRequested(lease, schema, parking, stop)
  try {
    await store.subscribe({
      after: checkpoint.position,
      signal: AbortSignal.any([stop, failed.signal, requested.signal]),
      maxBatchSize,
      onEvents: async (events) => {
        if (failed.signal.aborted || requested.signal.aborted) return
        try {
          const { known, newer } = upToNewer(events, catalogue, isOfShard(model, shard))
          await applyOrPark(known, { write, skip, signal: stop, log, retryDelaysMs })
          if (newer !== null) throw newer
          await completeAt(events.at(-1)?.position ?? null)
        } catch (error) {
          failed.abort(error)
        }
      },
    })
  } finally {
    requested.stop()
  }
  if (failed.signal.aborted) throw failed.signal.reason
}

/** Holds the lease while paused, so that no other projector fails at the same event. */
async function untilResumed(
  { connection }: Lease,
  model: ReadModel,
  shard: Shard,
  parking: Parking,
  stop: AbortSignal,
): Promise<void> {
  while (
    !stop.aborted &&
    (await isPaused(connection, model, shard)) &&
    !(await hasRequest(connection, schemaOf(model), parking))
  )
    await sleep(pausedPollMs, stop)
}
