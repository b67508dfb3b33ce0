import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Subscription } from '@eventstore/db-client/dist/streams/utils/Subscription.js'
import { describe, it, expect } from '@jest/globals'
import fc from 'fast-check'
import type { Position } from '#services/event-store/event-store'
import { openClientSubscription } from '#services/event-store/eventstoredb/client-subscription'
import { createLogStreams } from '#services/event-store/eventstoredb/log-streams'
import {
  runSubscription,
  type OpenClientSubscription,
} from '#services/event-store/eventstoredb/subscription'
import { seededInteger, seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'

/** The number of events on the server. Some belong to other logs. */
const length = 400
const maxConnections = 8

/**
 * A gRPC message: an event, a checkpoint or a confirmation. It has only the methods of its kind.
 */
type Message = Readonly<Record<string, () => unknown>>

const eventAt = (place: number): Message => ({ hasEvent: () => true, getEvent: () => place })
const checkpointAt = (place: number): Message => ({
  hasCheckpoint: () => true,
  getCheckpoint: () => ({
    getCommitPosition: () => String(place),
    getPreparePosition: () => String(place),
  }),
})

/**
 * A fake gRPC stream under the real Subscription of the client library. The stream sends events and
 * checkpoints in bursts of any size. Each connection is lost in one of four ways, except the last
 * connection.
 */
function unreliableServer(random: () => number, isOwn: (place: number) => boolean) {
  let connections = 0
  const subscribeToAll = (
    options: { fromPosition: unknown; filter: { checkpointReached: unknown } },
    { highWaterMark }: { highWaterMark: number },
  ) => {
    connections += 1
    const from = options.fromPosition as 'start' | { commit: bigint }
    let next = from === 'start' ? 1 : Number(from.commit) + 1
    const losesAt =
      connections === maxConnections
        ? Number.POSITIVE_INFINITY
        : next + seededInteger(random, 0, 100)
    const burst = seededInteger(random, 1, 60)
    let isLost = false

    function* messages(): Generator<Message, void> {
      yield { hasConfirmation: () => true, getConfirmation: () => undefined }
      for (; next <= length && next < losesAt; next += 1) {
        if (isOwn(next)) yield eventAt(next)
        if (random() < 0.1) yield checkpointAt(next)
        if (random() < 0.05) yield { hasCaughtUp: () => true }
      }
      yield checkpointAt(next - 1)
    }
    const pending = messages()
    const grpc = Object.assign(
      new Readable({
        objectMode: true,
        highWaterMark: seededInteger(random, 1, 30),
        read() {
          send()
        },
      }),
      {
        cancel() {
          isLost = true
          grpc.push(null)
        },
      },
    )
    const lose = () => {
      isLost = true
      const failure = Object.assign(new Error('14 UNAVAILABLE'), {
        code: 14,
        details: '',
        metadata: { getMap: () => ({}) },
      })
      const way = seededInteger(random, 1, 4)
      if (way === 1) grpc.emit('error', failure)
      else if (way === 2) grpc.destroy(failure)
      else grpc.push(null)
      if (way === 3) grpc.emit('error', failure)
    }
    function send(): void {
      for (let sent = 0; sent < burst && !isLost; sent += 1) {
        const { value, done }: IteratorResult<Message, void> = pending.next()
        if (done) {
          if (next >= losesAt) lose()
          return
        }
        if (!grpc.push(value)) return
      }
      if (!isLost) setImmediate(send)
    }
    const convert = (place: number) => {
      const at = BigInt(place)
      return {
        event: {
          id: String(place),
          type: 'Counted',
          streamId: 'test-1',
          revision: at,
          data: {},
          metadata: {},
          isJson: true,
          position: { commit: at, prepare: at },
        },
      }
    }
    return new Subscription(
      () => Promise.resolve(grpc) as never,
      convert as never,
      { highWaterMark: Math.min(highWaterMark, seededInteger(random, 1, 20)) },
      options.filter.checkpointReached as never,
    )
  }
  return { client: { subscribeToAll } as never, count: () => connections }
}

describe('a subscription whose connections are lost repeatedly', () => {
  it('delivers each event once and in order', async () => {
    let [lost, fromCheckpoints] = [0, 0]
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 50 }), async (seed, bufferSize) => {
        const random = seededRandom(seed)
        const share = random()
        const isOwn = (place: number) => place === length || seededRandom(place)() < share
        const server = unreliableServer(random, isOwn)
        const stop = new AbortController()
        const handled: number[] = []
        let after: Position | null = null
        const open: OpenClientSubscription = (position, signal, onConfirmed) => {
          if (position !== after) fromCheckpoints += 1
          const streams = createLogStreams('')
          return openClientSubscription({ client: server.client, streams }, position, {
            bufferSize,
            toEvent: streams.toStoredEvent,
            signal,
            onConfirmed,
          })
        }
        await runSubscription(
          {
            after: null,
            signal: stop.signal,
            maxBatchSize: bufferSize,
            onEvents: async (events) => {
              expect(events.length).toBeLessThanOrEqual(bufferSize)
              handled.push(...events.map(({ id }) => Number(id)))
              after = events.at(-1)?.position ?? after
              if (random() < 0.3) await sleep(1)
              if (handled.at(-1) === length) stop.abort()
            },
          },
          open,
        )
        expect(handled).toEqual(Array.from({ length }, (_, index) => index + 1).filter(isOwn))
        lost += server.count() - 1
      }),
      { numRuns: 70 },
    )
    expect(lost).toBeGreaterThan(20)
    expect(fromCheckpoints).toBeGreaterThan(5)
  }, 120_000)
})
