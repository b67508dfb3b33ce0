import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { claimEntry, failingAttempts, markDone, markFailed, type OutboxEntry } from './outbox.ts'
import type { Reactor, ReactorParts } from './reactor.ts'

const firstDelayMs = 1_000
const longestDelayMs = 5 * 60_000

/**
 * Performs the effect of one due entry and records the outcome. A failed effect is due again after
 * `delayAfter`, without end. False if no entry was due.
 */
export function performNext(
  reactor: Reactor,
  parts: Omit<ReactorParts, 'pollMs'>,
): Promise<boolean> {
  const { pool, log } = parts
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    const entry = await claimEntry(tx, reactor.name)
    if (entry === null) return false
    try {
      await perform(reactor, entry, parts)
      await markDone(tx, reactor.name, entry)
    } catch (error) {
      const attempts = entry.attempts + 1
      const againInMs = delayAfter(attempts)
      await markFailed(tx, reactor.name, entry, error, againInMs)
      const { eventId, stream, revision } = entry
      const facts = { err: error, reactor: reactor.name, eventId, stream, revision, attempts }
      if (attempts === 1)
        log.warn({ ...facts, againInMs }, 'The effect of a reactor failed; retrying with backoff.')
      if (attempts >= failingAttempts)
        log.error(
          { ...facts, againInMs },
          'The effect of a reactor failed repeatedly; it is retried until it succeeds. Correct the cause that the error names.',
        )
    }
    return true
  })
}

async function perform(
  reactor: Reactor,
  { eventId, stream, revision }: OutboxEntry,
  { store, codec }: Pick<ReactorParts, 'store' | 'codec'>,
): Promise<void> {
  const [event] = await codec.decodeStream(await store.readStream(stream, revision, 1))
  if (event?.id !== eventId)
    throw new Error(
      `The log has no event ${eventId} at revision ${revision} of stream ${stream}. Run npm run billing -- events verify.`,
    )
  await reactor.effect(event)
}

/**
 * Milliseconds until the next attempt: 1 s after the first failure, then doubled, up to 5 min. Each
 * delay is shortened at random by at most half, so that entries that failed together do not retry
 * together.
 */
export function delayAfter(attempts: number, random: () => number = Math.random): number {
  const delayMs = Math.min(firstDelayMs * 2 ** Math.min(attempts - 1, 30), longestDelayMs)
  return Math.round(delayMs * (1 - random() / 2))
}
