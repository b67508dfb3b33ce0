import type { DecodedEvent } from '#services/event-store/encryption/codec'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import {
  claimEntry,
  failingAttempts,
  markDead,
  markDone,
  markFailed,
  markLater,
  type OutboxEntry,
} from './outbox.ts'
import type { Reactor, ReactorParts } from './reactor.ts'

const firstDelayMs = 1_000
const longestDelayMs = 5 * 60_000

/**
 * Performs the effect of one due entry and records the outcome. A failed effect is due again after
 * `delayAfter`, until the last attempt of the reactor's options. `none`: no entry was due.
 * `outage`: the effect failed, and so would those of other entries.
 */
export function performNext(
  reactor: Reactor,
  parts: Omit<ReactorParts, 'pollMs'>,
): Promise<'performed' | 'none' | 'outage'> {
  const { pool, clock } = parts
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    const entry = await claimEntry(tx, reactor.name, clock.now())
    if (entry === null) return 'none'
    const attempts = entry.attempts + 1
    let event: DecodedEvent | null = null
    try {
      event = await read(entry, parts)
      const later = await reactor.effect(event, attempts)
      if (later === undefined) await markDone(tx, reactor.name, entry)
      else await markLater(tx, reactor.name, entry, later.dueAt)
      return 'performed'
    } catch (error) {
      const { options } = reactor
      const isLast = attempts >= (options.mostAttempts ?? Infinity) || options.isFinal?.(error)
      if (event !== null && isLast === true) {
        await options.onDead?.(event, attempts, error)
        await markDead(tx, reactor.name, entry, error)
        parts.log.error(
          factsOf(reactor, entry, error),
          'The last attempt of an effect failed. The entry is a dead letter: correct the cause that the error names, then run npm run billing -- notifications retry.',
        )
      } else {
        const againInMs = delayAfter(attempts, Math.random, options.longestDelayMs)
        await markFailed(tx, reactor.name, entry, error, againInMs)
        logFailure(parts, attempts, { ...factsOf(reactor, entry, error), againInMs })
      }
      return options.isOutage?.(error) === true ? 'outage' : 'performed'
    }
  })
}

function factsOf(
  { name }: Reactor,
  { eventId, stream, revision, attempts }: OutboxEntry,
  err: unknown,
) {
  return { err, reactor: name, eventId, stream, revision, attempts: attempts + 1 }
}

function logFailure({ log }: Pick<ReactorParts, 'log'>, attempts: number, facts: object): void {
  if (attempts === 1) log.warn(facts, 'The effect of a reactor failed; retrying with backoff.')
  if (attempts >= failingAttempts)
    log.error(
      facts,
      'The effect of a reactor failed repeatedly; it is retried. Correct the cause that the error names.',
    )
}

async function read(
  { eventId, stream, revision }: OutboxEntry,
  { store, codec }: Pick<ReactorParts, 'store' | 'codec'>,
): Promise<DecodedEvent> {
  const [event] = await codec.decodeStream(await store.readStream(stream, revision, 1))
  if (event?.id === eventId) return event
  throw new Error(
    `The log has no event ${eventId} at revision ${revision} of stream ${stream}. Run npm run billing -- events verify.`,
  )
}

/**
 * Milliseconds until the next attempt: 1 s after the first failure, then doubled, up to `longestMs`
 * (5 min). Each delay is shortened at random by at most half, so that entries that failed together
 * do not retry together.
 */
export function delayAfter(
  attempts: number,
  random: () => number = Math.random,
  longestMs: number = longestDelayMs,
): number {
  const delayMs = Math.min(firstDelayMs * 2 ** Math.min(attempts - 1, 30), longestMs)
  return Math.round(delayMs * (1 - random() / 2))
}
