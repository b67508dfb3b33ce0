import { START, type AllStreamResolvedEvent, type Position as ServerPosition } from '@eventstore/db-client'
import { checkAppend } from '../check-append.ts'
import { EventStoreUnavailable } from '../errors.ts'
import type { EventStore, Position } from '../event-store.ts'
import { append } from './append.ts'
import { Client } from './client.ts'
import { parseConnectionString } from './connection-string.ts'
import { countAfter } from './count-after.ts'
import { identity } from './identity.ts'
import { createLastPosition } from './last-position.ts'
import { createOwnStreams } from './own-streams.ts'
import { comparePositions, toPosition, toServerPosition } from './positions.ts'
import { pull } from './pull.ts'
import { readAll } from './read-all.ts'
import { eachPageBackwards, readPage, readPageBackwards, readStream, silenceMs } from './reading.ts'
import { defaultBatchSize, runSubscription, type Feed } from './subscription.ts'
import { explained } from './unavailable.ts'
import { untilAnswered } from './until-answered.ts'

export interface EventStoreDbOptions {
  /** EVENTSTORE_URL; see docs/eventstoredb.md. */
  readonly connectionString: string
  /** How long a call is sent again while nobody answers, in milliseconds (6,000). */
  readonly retryWithin?: number
}

/**
 * The event log in an EventStoreDB, one server or a cluster. Connects when first used; an unreachable server is an
 * EventStoreUnavailable of each call, not of this one.
 * @throws StartupError for a connection string that cannot be used
 */
export function createEventStoreDbEventStore({ connectionString, retryWithin }: EventStoreDbOptions): EventStore {
  const settings = parseConnectionString(connectionString)
  const client = new Client(settings)
  const own = createOwnStreams(settings.streamPrefix)
  const closing = new AbortController()
  const source = { client, own, signal: closing.signal }
  const underWay = new Set<Promise<unknown>>()

  const read = (after: Position | null, count: number) => ask(() => readPage(source, after, count))
  const readBackwards = (before: Position | null, count: number) => ask(() => readPageBackwards(source, before, count))
  const lastPosition = createLastPosition(readBackwards, settings.streamPrefix === '' ? undefined : async () => (await ask(firstPosition)) === null)

  /** Until there is an answer, for a bounded time; whoever closes the store waits for it. */
  async function ask<T>(call: () => Promise<T>): Promise<T> {
    if (closing.signal.aborted) throw new EventStoreUnavailable(new Error('it was closed'))
    return until(untilAnswered(call, closing.signal, retryWithin))
  }

  async function until<T>(work: Promise<T>): Promise<T> {
    underWay.add(work)
    try {
      return await work
    } catch (error) {
      throw explained(error)
    } finally {
      underWay.delete(work)
    }
  }

  function openFeed(after: Position | null, maxBatchSize: number, onConfirmed: () => void = () => undefined, onCaughtUp: () => void = () => undefined): Feed {
    let checkpoint: Position | null = null
    const filter = own.filter((position: ServerPosition) => {
      checkpoint = toPosition(position)
      events.touch()
    })
    const subscription = client.subscribeToAll(
      { fromPosition: after === null ? START : toServerPosition(after), filter }, { highWaterMark: maxBatchSize },
    )
    subscription.on('confirmation', onConfirmed)
    subscription.on('caughtUp', onCaughtUp)
    const events = pull(subscription, () => subscription.unsubscribe(), ({ event }: AllStreamResolvedEvent) =>
      event && own.isOwn(event) ? own.toStoredEvent(event) : undefined)
    return {
      events,
      checkpoint: () => checkpoint,
    }
  }

  /** Of the first event that is ours; null when there is none, for which the server looks through all it has. */
  async function firstPosition(): Promise<Position | null> {
    const caughtUp = new AbortController()
    const feed = openFeed(null, 1, undefined, () => caughtUp.abort())
    try {
      const [first] = await feed.events.take(1, { silenceMs, signal: AbortSignal.any([caughtUp.signal, closing.signal]) })
      if (first === undefined && !caughtUp.signal.aborted) throw new EventStoreUnavailable(new Error('the server ended the reading'))
      return first?.position ?? null
    } finally {
      feed.events.end()
    }
  }

  return {
    async append(stream, expected, events) {
      const serialised = checkAppend(stream, expected, events)
      return ask(() => append(client, own, stream, expected, events, serialised))
    },

    readStream: (stream, fromRevision = 0) => ask(() => readStream(source, stream, fromRevision)),

    readAll: (after, pageSize = 1_000) => readAll(after, pageSize, { lastPosition, ask, open: openFeed, signal: closing.signal }),

    async subscribe(options) {
      const signal = AbortSignal.any([options.signal, closing.signal])
      const open = (after: Position | null, onConfirmed: () => void) => openFeed(after, options.maxBatchSize ?? defaultBatchSize, onConfirmed)
      await until(runSubscription({ ...options, signal }, open))
    },

    async *readBackwards(pageSize = 1_000) {
      yield* eachPageBackwards(pageSize, await ask(firstPosition), readBackwards)
    },

    lastPosition,
    countAfter: (after) => countAfter(after, { lastPosition, read, readBackwards }),
    comparePositions,
    identity: () => ask(() => identity(client, own)),

    async close() {
      closing.abort()
      await Promise.allSettled(underWay)
      await client.close()
    },
  }
}
