import { backOff } from 'exponential-backoff'
import type { Logger } from 'pino'
import { textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { EventStoreUnavailable } from '#services/event-store/errors'
import { NewerEvent } from '#services/event-store/newer-event'
import { logFieldsOf } from '#services/event-store/newer-release'
import type { Clock } from '#services/foundation/clock'
import { storedReason } from '#services/foundation/stored-reason'
import { inParallel } from '#services/foundation/in-parallel'
import type { EventFeed } from '#services/payments/event-feed'
import { PaymentProviderUnavailable } from '#services/payments/payment-provider'
import { isDatabaseUnavailable } from '#services/postgres/unavailable'
import type { Billing } from '../billing-service.ts'
import type { CustomerLinks, CustomerOwner } from '../webhooks/customer-owner.ts'
import type { HandleProviderEvent } from '../webhooks/handle-provider-event.ts'
import type { WebhookLog } from '../webhooks/webhook-log.ts'
import type { FailedKey, ReconcilerState } from './reconciler-state.ts'

export interface ReconcilerParts {
  readonly billing: Pick<Billing, 'sync'>
  readonly feed: EventFeed
  readonly owner: CustomerOwner
  readonly links: CustomerLinks
  readonly webhookLog: WebhookLog
  readonly handle: HandleProviderEvent
  readonly state: ReconcilerState
  /** The security clock. */
  readonly clock: Clock
  readonly log: Logger
  /** The first pause after a failure of the provider, in milliseconds. Default 1,000. */
  readonly firstPauseMs?: number
}

export interface RunOptions {
  readonly signal: AbortSignal
  /** Customers that will be synchronized are added to the total. */
  readonly onExpected?: (customers: number) => void
  readonly onSynchronized?: () => void
  /** Receives each failure after it is noted. Default: an error line in the log. */
  readonly onFailure?: (key: FailedKey, error: unknown) => void
}

export interface RunResult {
  /** The number of synchronized customers. */
  readonly customers: number
  /** The number of events that the log received. */
  readonly facts: number
  /** The number of customers whose synchronization failed. Later runs retry them. */
  readonly failures: number
}

export type ReconcilerRun = ReturnType<typeof createReconcilerRun>

/** The provider's rate limit leaves room for the customers that use the product meanwhile. */
const maxAtOnce = 4
const attemptsPerRun = 3

/** The synchronizations of one run, with their sums. A run synchronizes a customer once. */
export function createReconcilerRun(parts: ReconcilerParts, options: RunOptions) {
  const { billing, clock, state, log, firstPauseMs = 1_000 } = parts
  const { signal, onExpected, onSynchronized, onFailure = logFailure } = options
  const runId = clock.now().toISOString()
  const synchronized = new Set<UserId>()
  let customers = 0
  let facts = 0
  let failures = 0
  const failed = new Set<string>()
  // One line for all customers that wait for a newer release.
  let hasWarned = false

  return {
    signal,
    result: (): RunResult => ({ customers, facts, failures }),

    /** At most four customers at once. Rejects if `signal` aborts, or if the product's own log or
     * database fails. */
    async each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
      onExpected?.(items.length)
      await inParallel(maxAtOnce, items, async (item) => {
        signal.throwIfAborted()
        await work(item)
        onSynchronized?.()
      })
    },

    /**
     * `work` returns the number of recorded facts, or null if no account was synchronized. A
     * failure is noted for later runs and logged.
     */
    async attempt(key: FailedKey, work: () => Promise<number | null>): Promise<boolean> {
      try {
        const recorded = await withRetries(work)
        facts += recorded ?? 0
        customers += recorded === null ? 0 : 1
      } catch (error) {
        await noteFailure(key, error)
        return false
      }
      await state.clearFailure(key.key)
      return true
    },

    /**
     * As `attempt`, for a look-up of the account of a customer at the provider. A success clears no
     * failure: the customer is not synchronized. Undefined if the customer failed in this run.
     */
    async lookUp<Found>(
      customerRef: ProviderRef,
      work: () => Promise<Found>,
    ): Promise<Found | undefined> {
      const key = textOfRef(customerRef)
      if (failed.has(key)) return undefined
      try {
        return await withRetries(work)
      } catch (error) {
        await noteFailure({ key, userId: null, eventRef: null, changesSince: null }, error)
        return undefined
      }
    },

    /** The accounts that this run has synchronized. */
    synchronized,

    /** Whether this run could not synchronize what has this key, such as an account. */
    hasFailed: (key: string): boolean => failed.has(key),

    /**
     * Returns the number of recorded facts.
     * @param changesSince of a provider event that the product missed: the history from then on is
     *   read
     */
    async synchronize(userId: UserId, changesSince: Instant | null = null): Promise<number> {
      const commandId = `reconcile ${userId} ${runId}`
      const context = {
        commandId,
        correlationId: commandId,
        actor: { kind: 'system', id: 'reconciler' },
        source: 'reconciler',
      } as const
      const { facts: count } = await billing.sync(userId, context, changesSince)
      synchronized.add(userId)
      return count
    },
  }

  /** @throws the error if no customer can be synchronized */
  async function noteFailure(key: FailedKey, error: unknown): Promise<void> {
    if (signal.aborted || isOwnFailure(error)) throw error
    failures += 1
    failed.add(key.key)
    if (error instanceof NewerEvent) {
      await state.noteWaiting(key, error.message)
      if (!hasWarned)
        log.warn(
          { ...key, ...logFieldsOf(error) },
          'The reconciler cannot synchronize customers that have events of a newer release. The reconciler of that release synchronizes them; the other customers are not affected.',
        )
      hasWarned = true
      return
    }
    await state.noteFailure(key, storedReason(error))
    onFailure(key, error)
  }

  function logFailure(key: FailedKey, error: unknown): void {
    log.error(
      { err: error, ...key },
      'The reconciler could not synchronize a customer. Later runs try again; the other customers are not affected.',
    )
  }

  /** The SDK repeats a failed call twice at once; these pauses are longer. */
  function withRetries<T>(work: () => Promise<T>): Promise<T> {
    return backOff(work, {
      numOfAttempts: attemptsPerRun,
      startingDelay: firstPauseMs,
      jitter: 'full',
      retry: (error: unknown) => error instanceof PaymentProviderUnavailable && !signal.aborted,
    })
  }
}

/** The product's own log or database fails, so no customer can be synchronized. */
function isOwnFailure(error: unknown): boolean {
  return error instanceof EventStoreUnavailable || isDatabaseUnavailable(error)
}
