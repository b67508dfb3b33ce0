import { setMaxListeners } from 'node:events'
import { checkAppend } from '../check-append.ts'
import { EventStoreUnavailable } from '../errors.ts'
import type { EventStore, Position } from '../event-store.ts'
import { append } from './append.ts'
import { openClientSubscription } from './client-subscription.ts'
import { Client } from './client.ts'
import { parseConnectionString } from './connection-string.ts'
import { countAfter } from './count-after.ts'
import { identity } from './identity.ts'
import { createLastPosition } from './last-position.ts'
import { createLogStreams } from './log-streams.ts'
import { comparePositions } from './positions.ts'
import { readAll } from './read-all.ts'
import {
  eachPageBackwards,
  readLast,
  readPage,
  readPageBackwards,
  readStream,
  timeoutMs,
} from './reading.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import { defaultBatchSize, runSubscription, type OpenClientSubscription } from './subscription.ts'
import { explained } from './unavailable.ts'

export interface EventStoreDbOptions {
  /** EVENTSTORE_URL; see docs/eventstoredb.md. */
  readonly connectionString: string
  /** How long a call is retried while the server does not answer, in milliseconds (6,000). */
  readonly retryWithinMs?: number
}

/** The port, and an append for restores. */
export interface EventStoreDbEventStore extends EventStore {
  /**
   * Appends without a retry. Calls that are made one after the other reach the server in this
   * order, if the connection is in use already.
   */
  readonly appendOnce: EventStore['append']
}

/**
 * The event log in EventStoreDB, one server or a cluster. The store connects on first use: if the
 * server cannot be reached, each call of the port throws EventStoreUnavailable.
 * @throws StartupError for an invalid connection string
 */
export function createEventStoreDbEventStore({
  connectionString,
  retryWithinMs,
}: EventStoreDbOptions): EventStoreDbEventStore {
  const settings = parseConnectionString(connectionString)
  const client = new Client(settings)
  const streams = createLogStreams(settings.streamPrefix)
  const closing = new AbortController()
  // Every read adds a listener, and above ten Node warns of a leak.
  setMaxListeners(0, closing.signal)
  const source = { client, streams, signal: closing.signal }
  const underWay = new Set<Promise<unknown>>()

  const first = () => firstPosition(source)
  const read = (after: Position | null, count: number) => ask(() => readPage(source, after, count))
  const readBackwards = (before: Position | null, count: number) =>
    ask(() => readPageBackwards(source, before, count))
  const lastPosition = createLastPosition(
    readBackwards,
    settings.streamPrefix === '' ? undefined : async () => (await ask(first)) === null,
  )

  /** Retries until the server answers, for a bounded time. */
  async function ask<T>(call: () => Promise<T>): Promise<T> {
    if (closing.signal.aborted) throw new EventStoreUnavailable(new Error('it was closed'))
    try {
      return await waitedFor(retryWhileUnavailable(call, closing.signal, retryWithinMs))
    } catch (error) {
      throw explained(error)
    }
  }

  /** `close` waits for this work. */
  async function waitedFor<T>(work: Promise<T>): Promise<T> {
    underWay.add(work)
    try {
      return await work
    } finally {
      underWay.delete(work)
    }
  }

  return {
    async append(stream, expected, events) {
      const serialised = checkAppend(stream, expected, events)
      return ask(() => append(client, streams, stream, expected, events, serialised))
    },

    async appendOnce(stream, expected, events) {
      const serialised = checkAppend(stream, expected, events)
      return waitedFor(append(client, streams, stream, expected, events, serialised))
    },

    readStream: (stream, fromRevision = 0, maxCount) =>
      ask(() => readStream(source, stream, fromRevision, maxCount)),

    readLast: (stream) => ask(() => readLast(source, stream)),

    readAll: (after, pageSize = 1_000) =>
      readAll(after, pageSize, {
        lastPosition,
        ask,
        open: (position, bufferSize, isLast) =>
          openClientSubscription(source, position, {
            bufferSize,
            toEvent: streams.toStoredEvent,
            isLast,
            signal: closing.signal,
          }),
      }),

    async subscribe(options) {
      const signal = AbortSignal.any([options.signal, closing.signal])
      const bufferSize = options.maxBatchSize ?? defaultBatchSize
      const open: OpenClientSubscription = (after, ends, onConfirmed) =>
        openClientSubscription(source, after, {
          bufferSize,
          toEvent: streams.toUncheckedEvent,
          signal: ends,
          onConfirmed,
        })
      // Rejects with the handler's error or with a permanent refusal of the server.
      await waitedFor(runSubscription({ ...options, signal }, open))
    },

    async *readBackwards(pageSize = 1_000) {
      yield* eachPageBackwards(pageSize, await ask(first), readBackwards)
    },

    lastPosition,
    countAfter: (after) => countAfter(after, { lastPosition, read, readBackwards }),
    comparePositions,
    identity: () => ask(() => identity(client, streams)),

    async close() {
      closing.abort()
      await Promise.allSettled(underWay)
      await client.close()
    },
  }
}

/**
 * The position of this log's first event. Null if the log is empty; the server then searches its
 * whole file.
 */
async function firstPosition(
  source: Parameters<typeof openClientSubscription>[0] & { readonly signal: AbortSignal },
): Promise<Position | null> {
  const caughtUp = new AbortController()
  const subscription = openClientSubscription(source, null, {
    bufferSize: 1,
    toEvent: source.streams.toUncheckedEvent,
    signal: AbortSignal.any([caughtUp.signal, source.signal]),
    onCaughtUp: () => caughtUp.abort(),
  })
  try {
    const [first] = await subscription.events.take(1, { timeoutMs })
    if (first === undefined && !caughtUp.signal.aborted)
      throw new EventStoreUnavailable(new Error('the server ended the reading'))
    return first?.position ?? null
  } finally {
    subscription.events.end()
  }
}
