import type { DecodedEvent } from '#services/event-store/encryption/codec'
import { OtherMasterKey } from '#services/event-store/errors'
import { NewerEvent } from '#services/event-store/newer-event'
import { logFieldsOf } from '#services/event-store/newer-release'
import { DamagedHistory } from '#services/foundation/damaged-history'
import type { Queryable } from '#services/foundation/queryable'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { createLeftEntries, type LeftEntries } from './left-entries.ts'
import {
  claimEntry,
  failingAttempts,
  isAnyDue,
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
 * `outage`: the effect failed, and so would those of other entries. An entry that needs a newer
 * release or another MASTER_KEY stays as it is, and `left` excludes the former from the next calls.
 */
export async function performNext(
  reactor: Reactor,
  parts: Omit<ReactorParts, 'pollMs'>,
  left: LeftEntries = createLeftEntries(Infinity),
): Promise<'performed' | 'none' | 'outage'> {
  const { pool, clock } = parts
  if (!(await isAnyDue(pool, reactor.name, clock.now(), left.ids()))) return 'none'
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    const entry = await claimEntry(tx, reactor.name, clock.now(), left.ids())
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
      if (error instanceof NewerEvent) {
        parts.newerRelease?.met(error)
        if (!left.has(entry.eventId))
          parts.log.warn(
            { ...logFieldsOf(error), reactor: reactor.name, entry: entry.eventId },
            'A newer release is needed: an effect reads an event that this release does not know. The effect is left to that release.',
          )
        return left.add(entry.eventId) ? 'performed' : 'outage'
      }
      if (error instanceof OtherMasterKey) {
        parts.log.warn(
          { err: error, reactor: reactor.name, entry: entry.eventId },
          'This process has no MASTER_KEY for an effect. The effect is left to a process that has the key; restart this process with both keys.',
        )
        return 'outage'
      }
      await recordFailure(tx, { reactor, entry, event, error }, parts)
      return reactor.options.isOutage?.(error) === true ? 'outage' : 'performed'
    }
  })
}

interface Failure {
  readonly reactor: Reactor
  readonly entry: OutboxEntry
  /** Null if the event could not be read. */
  readonly event: DecodedEvent | null
  readonly error: unknown
}

async function recordFailure(
  tx: Queryable,
  { reactor, entry, event, error }: Failure,
  parts: Pick<ReactorParts, 'log'>,
): Promise<void> {
  const { options } = reactor
  const attempts = entry.attempts + 1
  const failed = { error, isUnanswered: options.isUnanswered?.(error) === true }
  const isLast =
    attempts >= (options.maxAttempts ?? Infinity) ||
    options.isFinal?.(error) === true ||
    (failed.isUnanswered && entry.unanswered > 0)
  const fields = {
    ...fieldsOf(reactor, entry, error),
    ...(event && { correlationId: event.metadata.correlationId }),
  }
  if (event !== null && isLast && (await isReportedDead(event, attempts, fields, reactor, parts))) {
    await markDead(tx, reactor.name, entry, failed)
    parts.log.error(
      fields,
      'The last attempt of an effect failed. The entry is a dead letter: correct the cause that the error names, then run npm run billing -- notifications retry.',
    )
    return
  }
  const againInMs = delayAfter(attempts, Math.random, options.longestDelayMs)
  await markFailed(tx, reactor.name, entry, failed, againInMs)
  logFailure(parts, attempts, { ...fields, againInMs })
}

/** False: the reactor could not report the dead letter. The entry then waits like a failed one. */
async function isReportedDead(
  event: DecodedEvent,
  attempts: number,
  fields: { readonly err: unknown },
  { options }: Reactor,
  { log }: Pick<ReactorParts, 'log'>,
): Promise<boolean> {
  try {
    await options.onDead?.(event, attempts, fields.err)
    return true
  } catch (err) {
    log.error({ ...fields, err }, 'A dead letter could not be recorded; retrying with backoff.')
    return false
  }
}

function fieldsOf(
  { name }: Reactor,
  { eventId, stream, revision, attempts }: OutboxEntry,
  err: unknown,
) {
  return { err, reactor: name, eventId, stream, revision, attempts: attempts + 1 }
}

function logFailure({ log }: Pick<ReactorParts, 'log'>, attempts: number, fields: object): void {
  if (attempts === 1) log.warn(fields, 'The effect of a reactor failed; retrying with backoff.')
  if (attempts >= failingAttempts)
    log.error(
      fields,
      'The effect of a reactor failed repeatedly; it is retried. Correct the cause that the error names.',
    )
}

async function read(
  { eventId, stream, revision }: OutboxEntry,
  { store, codec }: Pick<ReactorParts, 'store' | 'codec'>,
): Promise<DecodedEvent> {
  const [event] = await codec.decodeStream(await store.readStream(stream, revision, 1))
  if (event?.id === eventId) return event
  throw new DamagedHistory(
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
