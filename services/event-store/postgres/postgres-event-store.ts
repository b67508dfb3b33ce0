import { backOff } from 'exponential-backoff'
import pg from 'pg'
import { applicationNames, type ApplicationName } from '#services/foundation/application-names'
import {
  clientOptions,
  databaseLimits,
  type DatabaseLimits,
} from '#services/foundation/database-limits'
import { checkAppend } from '../check-append.ts'
import { EventStoreUnavailable } from '../errors.ts'
import type { AppendResult, EventStore } from '../event-store.ts'
import { appendBatch, explainTakenId, type Append } from './append-batch.ts'
import { createAppendQueue } from './append-queue.ts'
import { createNotifications } from './notifications.ts'
import { createEventReading } from './event-reading.ts'
import { comparePositions } from './rows.ts'
import { createSharedTail } from './shared-tail.ts'
import { runSubscription } from './subscription.ts'
import { isUnavailable, orUnavailable } from '../database-unavailable.ts'
import { createWakeSignal } from '#services/foundation/wake-signal'
import { hearErrors } from '#services/foundation/hear-errors'
import { createWriterConnection } from './writer-connection.ts'

/**
 * Limits of a group commit. They bound the message to the server and the wait of the first append.
 */
const maxBatchLength = 256
const maxBatchBytes = 4 * 1024 * 1024
/** The pauses between the attempts of an append are 50, 100, 200 and 400 ms. */
const appendAttempts = { startingDelay: 50, numOfAttempts: 5 }
/**
 * An attempt that fails later is the last one. A frozen server fails later, so its appends are not
 * retried.
 */
const retryWithinMs = 600
export interface PostgresEventStoreOptions {
  /** The database must have this release's migrations. */
  readonly connectionString: string
  /** Default: `databaseLimits.log`. */
  readonly limits?: DatabaseLimits
}

/**
 * The event log in one PostgreSQL table. Migration 0001 implements its guarantees. The store
 * connects on first use: if the server cannot be reached, each call of the port throws
 * EventStoreUnavailable.
 */
export function createPostgresEventStore({
  connectionString,
  limits = databaseLimits.log,
}: PostgresEventStoreOptions): EventStore {
  // Appends use a separate connection, so that readers that use all pooled connections do not delay
  // a writer.
  const poolOf = (name: ApplicationName, max: number) =>
    createPool(connectionString, name, max, limits)
  const writer = createWriterConnection(poolOf(applicationNames.logWriter, 1))
  const readers = poolOf(applicationNames.logReader, 4)
  const reading = createEventReading(readers)
  const { readPage, lastPosition } = reading
  const news = createWakeSignal()
  const notifications = createNotifications(connectionString, readers, news)
  const closing = new AbortController()
  const subscriptions = new Set<Promise<void>>()

  const queue = createAppendQueue<Append, AppendResult>({
    commit: commitBatch,
    isWorthSplitting: (error) => !(error instanceof EventStoreUnavailable),
    keyOf: ({ stream }) => stream,
    weightOf: ({ events }) =>
      events.reduce((bytes, { data, metadata }) => bytes + data.length + metadata.length, 0),
    maxLength: maxBatchLength,
    maxWeight: maxBatchBytes,
  })

  async function commitBatch(batch: readonly Append[]) {
    const outcomes = await retryWhileUnavailable(() => appendBatch(writer, batch)).catch(
      (error: unknown) => {
        throw explainTakenId(batch, error)
      },
    )
    if (outcomes.some(({ kind }) => kind === 'done')) {
      news.wake()
      notifications.announce()
    }
    return outcomes
  }

  const readTail = createSharedTail({ readPage, news })

  return {
    async append(stream, expected, events) {
      if (closing.signal.aborted) throw new EventStoreUnavailable(new Error('it was closed'))
      return queue.enqueue({ stream, expected, events: checkAppend(stream, expected, events) })
    },

    readStream: reading.readStream,
    readLast: reading.readLast,

    async *readAll(after, pageSize = 1_000) {
      const end = await lastPosition()
      let page = end === null ? [] : await readPage(after, pageSize)
      while (end !== null && page.length > 0) {
        const last = page.at(-1)
        const isLastPage =
          last === undefined || page.length < pageSize || comparePositions(last.position, end) >= 0
        // The store fetches the next page while the caller works on this one. The later `await`
        // throws its failure.
        const next = isLastPage ? Promise.resolve([]) : readPage(last.position, pageSize)
        next.catch(() => undefined)
        yield page
        page = await next
      }
    },

    async subscribe(options) {
      notifications.listen()
      const signal = AbortSignal.any([options.signal, closing.signal])
      const subscription = runSubscription({ ...options, signal }, { readPage: readTail, news })
      subscriptions.add(subscription)
      try {
        await subscription
      } finally {
        subscriptions.delete(subscription)
      }
    },

    readBackwards: reading.readBackwards,
    lastPosition,
    countAfter: reading.countAfter,
    comparePositions,
    identity: reading.identity,

    async close() {
      closing.abort()
      await Promise.allSettled(subscriptions)
      await queue.idle()
      await notifications.close()
      await Promise.all([writer.close(), readers.end()])
    },
  }
}

/**
 * If a connection breaks before the answer, it is unknown whether the batch was written. A retry is
 * safe: a repeated append writes nothing and returns the same result. Callers do not notice a
 * server restart.
 */
async function retryWhileUnavailable<T>(query: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  return orUnavailable(() =>
    backOff(query, {
      ...appendAttempts,
      retry: (error) => isUnavailable(error) && performance.now() - startedAt < retryWithinMs,
    }),
  )
}

function createPool(
  connectionString: string,
  applicationName: ApplicationName,
  max: number,
  limits: DatabaseLimits,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: applicationName,
    ...clientOptions(limits),
    keepAlive: true,
    // Idle connections stay open: the timer that would close them costs a tenth of an append.
    idleTimeoutMillis: 0,
  })
  hearErrors(pool)
  return pool
}
