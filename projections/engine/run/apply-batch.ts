import { OtherMasterKey } from '#services/event-store/errors'
import type { StoredEvent } from '#services/event-store/event-store'
import { NewerEvent } from '#services/event-store/newer-event'
import { createBackoff } from '#services/foundation/backoff'
import { createOutageLog } from '#services/foundation/outage-log'
import { sleep } from '#services/foundation/sleep'
import { FencedOff } from './checkpoint.ts'
import type { ProjectionLog } from './projection-log.ts'
import { isTransient } from './transient.ts'

/** An event that this read model cannot fold after all retries. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent'
  readonly event: StoredEvent
  constructor(event: StoredEvent, cause: unknown) {
    super(
      `${event.type} (${event.stream}, revision ${event.revision}) cannot be folded: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
    this.event = event
  }
}

export interface ApplyOptions {
  /** Writes part of the batch and moves the checkpoint to its end, in one transaction. */
  readonly write: (events: readonly StoredEvent[]) => Promise<void>
  readonly signal: AbortSignal
  readonly log: ProjectionLog
  /**
   * Delays before the retries of an event that fails alone. After the last retry the event is
   * poison.
   */
  readonly retryDelaysMs: readonly number[]
}

const retryLimits = { firstMs: 100, longestMs: 5_000 }

/**
 * Writes a batch. If the batch fails, writes its halves, and so on until the failing event is
 * alone. All events before the failing event are then written. Transient failures (`isTransient`)
 * are retried without limit.
 * @throws PoisonEvent if an event fails alone after all retries
 * @throws NewerEvent, OtherMasterKey: another process can fold the event, so it is no poison
 * @throws FencedOff
 */
export async function applyBatch(
  events: readonly StoredEvent[],
  options: ApplyOptions,
): Promise<void> {
  try {
    await writeThroughOutages(events, options)
  } catch (error) {
    if (error instanceof FencedOff || options.signal.aborted) throw error
    const [only] = events
    const isForAnother = error instanceof NewerEvent || error instanceof OtherMasterKey
    if (only && events.length === 1 && isForAnother) throw error
    if (only && events.length === 1) return retryAlone(only, error, options)
    const middle = Math.ceil(events.length / 2)
    await applyBatch(events.slice(0, middle), options)
    await applyBatch(events.slice(middle), options)
  }
}

async function retryAlone(
  event: StoredEvent,
  first: unknown,
  options: ApplyOptions,
): Promise<void> {
  let failure = first
  for (const ms of options.retryDelaysMs) {
    await sleep(ms, options.signal)
    if (options.signal.aborted) throw failure
    try {
      return await writeThroughOutages([event], options)
    } catch (error) {
      if (error instanceof FencedOff) throw error
      failure = error
    }
  }
  throw new PoisonEvent(event, failure)
}

async function writeThroughOutages(
  events: readonly StoredEvent[],
  { write, signal, log }: ApplyOptions,
): Promise<void> {
  const backoff = createBackoff(retryLimits)
  const outage = createOutageLog(log, {
    began: 'Writing a batch failed; retrying with backoff.',
    lasts: 'The batch still cannot be written.',
    over: 'The batch is written.',
  })
  for (;;) {
    try {
      await write(events)
      return outage.over({ events: events.length })
    } catch (error) {
      if (!isTransient(error) || signal.aborted) throw error
      const againInMs = backoff.next()
      outage.failed(error, { events: events.length, againInMs })
      await sleep(againInMs, signal)
      if (signal.aborted) throw error
    }
  }
}
