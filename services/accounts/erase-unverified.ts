import type { Logger } from 'pino'
import type { UserId } from '#contracts/ids'
import { erasedSubject, type PersonalKeys } from '#services/event-store/encryption/personal-keys'
import { EventStoreUnavailable } from '#services/event-store/errors'
import { createBackoff } from '#services/foundation/backoff'
import type { Clock } from '#services/foundation/clock'
import { createOutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { isDatabaseUnavailable } from '#services/postgres/unavailable'
import { eraseIfUnverified, type EraseParts } from './erase-person.ts'

const dayMs = 24 * 60 * 60_000
/** Source: docs/security.md. */
const unverifiedLifetimeMs = 90 * dayMs

/** The query of the users read model that finds the accounts. */
export interface UnverifiedQueries {
  /** False while the read model does not exist yet. */
  isReady(): Promise<boolean>
  /**
   * The next `limit` accounts that were opened at `openedUntil` or before and were never verified,
   * in the order of their ids. Erased accounts are among them.
   */
  unverified(openedUntil: Date, after: UserId | null, limit: number): Promise<readonly UserId[]>
}

export interface EraseUnverifiedParts extends EraseParts {
  /** `clock` is the business clock. */
  readonly clock: Clock
  readonly keys: PersonalKeys
  readonly queries: UnverifiedQueries
  /** Whether the account has a customer at the payment provider. */
  readonly hasCustomer: (userId: UserId) => Promise<boolean>
  readonly log: Logger
}

export interface EraseUnverifiedResult {
  readonly erased: number
  /** Verified while the run was in progress. */
  readonly verified: number
  /** Not erased, because the account has a customer at the payment provider. */
  readonly withCustomer: number
  readonly failures: number
}

const accountsPerPage = 200

/**
 * Erases every account that was opened 90 days ago or earlier and was never verified. Completes
 * erasures that were interrupted: such an account still has its key. An account whose key is
 * missing is a failure of the run, with its sentence in the log.
 * @throws if the log or the database fails. The next run continues.
 */
export async function eraseUnverified(
  parts: EraseUnverifiedParts,
  signal: AbortSignal,
): Promise<EraseUnverifiedResult> {
  const { queries, keys, clock, log } = parts
  const openedUntil = new Date(clock.now().getTime() - unverifiedLifetimeMs)
  const result = { erased: 0, verified: 0, withCustomer: 0, failures: 0 }
  let after: UserId | null = null
  for (;;) {
    const page: readonly UserId[] = await queries.unverified(openedUntil, after, accountsPerPage)
    if (page.length === 0) break
    after = page.at(-1) ?? null
    const readable = await keys.forReading(new Set(page))
    for (const userId of page.filter((each) => readable.get(each) !== erasedSubject)) {
      signal.throwIfAborted()
      result[await eraseOne(userId)] += 1
    }
  }
  log.info(
    { ...result, openedUntil: openedUntil.toISOString() },
    'The search for accounts that were not verified within 90 days ended.',
  )
  return result

  async function eraseOne(userId: UserId): Promise<keyof EraseUnverifiedResult> {
    try {
      if (await parts.hasCustomer(userId)) {
        log.error(
          { userId },
          "An account that was never verified has a customer at the payment provider, so it is not erased. Check the customer, then run 'billing erase'.",
        )
        return 'withCustomer'
      }
      const outcome = await eraseIfUnverified(userId, parts, contextOf(userId))
      return outcome === 'verified' ? 'verified' : 'erased'
    } catch (error) {
      if (error instanceof EventStoreUnavailable || isDatabaseUnavailable(error)) throw error
      log.error(
        { err: error, userId },
        'An account that was never verified could not be erased. The next run tries again; the other accounts are not affected.',
      )
      return 'failures'
    }
  }
}

/** A constant command id: a repeated run appends no second event. */
function contextOf(userId: UserId) {
  const commandId = `erase unverified ${userId}`
  return {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', id: 'unverified accounts' },
    source: 'system',
  } as const
}

/** The lock that one process holds while it erases. */
export interface ErasureLease {
  /** Aborts if the lock is lost. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** From one look at the business clock to the next. */
const checkMs = 10_000

/**
 * Erases at the start and then every 24 hours of the business clock. Each process may start it: the
 * lease lets one of them run, and a run that finds nothing is short. The returned function stops
 * after the erasure in progress.
 */
export function startErasingUnverified(
  parts: EraseUnverifiedParts & {
    /** Null if another process holds the lease. */
    readonly takeLease: () => Promise<ErasureLease | null>
  },
): () => Promise<void> {
  const { clock, log, queries, takeLease } = parts
  const stop = new AbortController()
  let ranAt: number | null = null

  async function runIfDue(): Promise<void> {
    const now = clock.now().getTime()
    if (ranAt !== null && now - ranAt < dayMs) return
    if (!(await queries.isReady())) return
    const lease = await takeLease()
    if (lease === null) return
    try {
      await eraseUnverified(parts, AbortSignal.any([stop.signal, lease.lost]))
      ranAt = now
    } finally {
      await lease.release()
    }
  }

  const running = repeat(runIfDue, {
    everyMs: checkMs,
    backoff: createBackoff({ firstMs: 5_000, longestMs: 60_000 }),
    outage: createOutageLog(log, {
      began: 'Erasing accounts that were never verified failed; retrying with backoff.',
      lasts: 'Erasing accounts that were never verified still fails.',
      over: 'Accounts that were never verified are erased again.',
    }),
    signal: stop.signal,
  })
  return async () => {
    stop.abort()
    await running
  }
}
