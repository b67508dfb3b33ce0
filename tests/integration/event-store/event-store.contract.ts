import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { maxEventBytes } from '#services/event-store/check-append'
import {
  EventStoreUnavailable,
  EventTooLarge,
  InvalidAppend,
  WrongExpectedRevision,
} from '#services/event-store/errors'
import type {
  EventStore,
  ExpectedRevision,
  Position,
  StoredEvent,
  StreamEvent,
} from '#services/event-store/event-store'
import { someEvent, someEvents } from '../../support/data/some-event.ts'
import { collect, type Collected } from '../../support/event-store/collect-events.ts'
import { startOtherWriter } from '../../support/event-store/start-other-writer.ts'

/** One log, and as many connections to it as a test opens. */
export interface LogUnderTest {
  readonly connectionString: string
  connect(): EventStore
  remove(): Promise<void>
}

/** A log whose server the test may stop and start. */
export interface InterruptibleLog extends LogUnderTest {
  stop(): Promise<void>
  start(): Promise<void>
}

export interface LogsUnderTest {
  readonly open: () => Promise<LogUnderTest>
  /** Null if the test cannot stop the server. */
  readonly openInterruptible: (() => Promise<InterruptibleLog>) | null
}

/** The contract of the port `event-store.ts`: facts that hold for every adapter. */
export function describeEventStore(name: string, { open, openInterruptible }: LogsUnderTest): void {
  describe(`event store on ${name}`, () => {
    let log: LogUnderTest
    let store: EventStore
    beforeAll(async () => {
      log = await open()
      store = log.connect()
    }, 60_000)
    afterAll(async () => {
      await store.close()
      await log.remove()
    })

    describe('append', () => {
      it('stores an event that is read as it was written', async () => {
        const stream = newStream()
        const data = {
          text: 'Zürich ☕ "quoted" \\ \n',
          b: 1,
          a: [1.5, -0.001, 1e21, null, true, { deep: [] }],
          nothing: {},
        }
        const event = someEvent({ data })
        const start = await store.lastPosition()
        const { position } = await store.append(stream, 'no-stream', [event])
        expect(await inLog(store, stream, start)).toEqual([
          { ...event, stream, revision: 0, position },
        ])
        const [read] = await store.readStream(stream)
        expect({ position, ...read }).toEqual({ ...event, stream, revision: 0, position })
      })

      it('counts revisions from 0 in each stream, and orders positions over all streams', async () => {
        const [a, b] = [newStream(), newStream()]
        const first = await store.append(a, 'no-stream', someEvents(3))
        const second = await store.append(b, 'no-stream', someEvents(1))
        const third = await store.append(a, 2, someEvents(1))
        expect([first.revision, second.revision, third.revision]).toEqual([2, 0, 3])
        expect(store.comparePositions(first.position, second.position)).toBeLessThan(0)
        expect(store.comparePositions(third.position, second.position)).toBeGreaterThan(0)
        expect(store.comparePositions(third.position, third.position)).toBe(0)
      })

      it.each<[string, number, ExpectedRevision, ExpectedRevision]>([
        ['no-stream for a stream that exists', 1, 'no-stream', 0],
        ['a revision before the last one', 3, 1, 2],
        ['a revision that does not exist yet', 2, 7, 1],
        ['a revision of a stream that does not exist', 0, 0, 'no-stream'],
      ])(
        'refuses %s, and reports the revision of the stream',
        async (_, existing, expected, actual) => {
          const stream = newStream()
          if (existing > 0) await store.append(stream, 'no-stream', someEvents(existing))
          const refused = store.append(stream, expected, someEvents(2))
          await expect(refused).rejects.toMatchObject({
            name: 'WrongExpectedRevision',
            stream,
            expected,
            actual,
          })
          expect(await store.readStream(stream)).toHaveLength(existing)
        },
      )

      it('stores thousands of events atomically', async () => {
        const stream = newStream()
        const events = someEvents(5_000)
        const start = await store.lastPosition()
        const { revision, position } = await store.append(stream, 'no-stream', events)
        expect(revision).toBe(4_999)
        const stored = await inLog(store, stream, start)
        expect(stored.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
        expect(stored.at(-1)?.position).toBe(position)
        expectInOrder(store, stored)
        expect((await store.readStream(stream)).map(withoutPosition)).toEqual(
          stored.map(withoutPosition),
        )
      })

      it('stores many large concurrent batches, more than fit into one commit', async () => {
        const batches = Array.from({ length: 12 }, () => ({
          stream: newStream(),
          events: Array.from({ length: 20 }, () =>
            someEvent({ data: { text: 'x'.repeat(50_000) } }),
          ),
        }))
        const answers = await Promise.all(
          batches.map(({ stream, events }) => store.append(stream, 'no-stream', events)),
        )
        expect(answers.map(({ revision }) => revision)).toEqual(batches.map(() => 19))
        for (const { stream, events } of batches)
          expect((await store.readStream(stream)).map(({ id }) => id)).toEqual(
            events.map(({ id }) => id),
          )
      })

      it('stores an event of exactly the size limit and refuses a larger one without a write', async () => {
        const stream = newStream()
        const spare =
          maxEventBytes -
          Buffer.byteLength(JSON.stringify({ text: '' }) + JSON.stringify(someEvent().metadata))
        await store.append(stream, 'no-stream', [someEvent({ data: { text: 'x'.repeat(spare) } })])
        const tooLarge = store.append(stream, 0, [
          someEvent(),
          someEvent({ data: { text: `${'x'.repeat(spare - 1)}é` } }),
        ])
        await expect(tooLarge).rejects.toThrow(EventTooLarge)
        expect(await store.readStream(stream)).toHaveLength(1)
      })

      it('refuses no events, a repeated id, an invalid id, an invalid revision, an empty stream name and reserved names', async () => {
        const event = someEvent()
        await expect(store.append(newStream(), 'no-stream', [])).rejects.toThrow(InvalidAppend)
        await expect(store.append(newStream(), 'no-stream', [event, event])).rejects.toThrow(
          InvalidAppend,
        )
        await expect(
          store.append(newStream(), 'no-stream', [someEvent({ id: 'evt_1' })]),
        ).rejects.toThrow(InvalidAppend)
        await expect(store.append(newStream(), -1, [event])).rejects.toThrow(InvalidAppend)
        await expect(store.append('', 'no-stream', [event])).rejects.toThrow(InvalidAppend)
        await expect(store.append('$mine', 'no-stream', [event])).rejects.toThrow(InvalidAppend)
        await expect(
          store.append(newStream(), 'no-stream', [someEvent({ type: '$Mine' })]),
        ).rejects.toThrow(InvalidAppend)
      })
    })

    describe('a repeated append', () => {
      it('at the same revision is stored once and has the same answer, also after later events', async () => {
        const stream = newStream()
        await store.append(stream, 'no-stream', someEvents(2))
        const events = someEvents(3)
        const answer = await store.append(stream, 1, events)
        expect(await store.append(stream, 1, events)).toEqual(answer)
        await store.append(stream, 4, someEvents(2))
        expect(await store.append(stream, 1, events)).toEqual(answer)
        expect(await store.readStream(stream)).toHaveLength(7)
      })

      it('has the same answer on another connection that is opened later', async () => {
        const stream = newStream()
        const events = someEvents(2)
        const earlier = log.connect()
        const answer = await earlier.append(stream, 'no-stream', events)
        await earlier.close()
        const later = log.connect()
        expect(await later.append(stream, 'no-stream', events)).toEqual(answer)
        await later.close()
      })

      it('that races with itself is stored once', async () => {
        const stream = newStream()
        const events = someEvents(2)
        const other = log.connect()
        const answers = await Promise.all(
          Array.from({ length: 16 }, (_, n) =>
            (n % 2 ? store : other).append(stream, 'no-stream', events),
          ),
        )
        expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
        expect(await store.readStream(stream)).toHaveLength(2)
        await other.close()
      })

      it('with a new event beside the known events is a conflict', async () => {
        const stream = newStream()
        const events = someEvents(2)
        await store.append(stream, 'no-stream', events)
        await expect(store.append(stream, 'no-stream', [...events, someEvent()])).rejects.toThrow(
          WrongExpectedRevision,
        )
        await expect(store.append(stream, 'no-stream', [...events].reverse())).rejects.toThrow(
          WrongExpectedRevision,
        )
        expect(await store.readStream(stream)).toHaveLength(2)
      })
    })

    describe('concurrent writers', () => {
      it('store each revision once, and 31 of 32 writers are refused', async () => {
        const stream = newStream()
        const others = [log.connect(), log.connect(), log.connect()]
        const stores = [store, ...others]
        for (let revision = 0; revision < 20; revision += 1) {
          const expected = revision === 0 ? 'no-stream' : revision - 1
          const race = Array.from({ length: 32 }, async (_, n) =>
            (stores[n % stores.length] ?? store).append(stream, expected, [someEvent()]),
          )
          const outcomes = await Promise.allSettled(race)
          const losses = outcomes.flatMap((outcome) =>
            outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
          )
          expect(losses).toHaveLength(31)
          expect(losses.filter((loss) => !(loss instanceof WrongExpectedRevision))).toEqual([])
        }
        expect((await store.readStream(stream)).map(({ revision }) => revision)).toEqual(upTo(20))
        await Promise.all(others.map((other) => other.close()))
      })

      it('in two processes store each revision once, and readers see each event once', async () => {
        const [stream, count] = [newStream(), 100]
        const readers = [store, log.connect()] as const
        const start = await store.lastPosition()
        const collected = readers.map((reader) => collect(reader, start, 7))
        const writers = await Promise.all(
          [1, 2].map(() => startOtherWriter(log.connectionString, stream, count, 16)),
        )
        const [won = [], wonByOther = []] = await Promise.all(
          writers.map((writer) => writer.race()),
        )
        expect([...won, ...wonByOther].sort((a, b) => a - b)).toEqual(upTo(count))
        const stored = await inLog(store, stream, start)
        expect(stored.map(({ revision }) => revision)).toEqual(upTo(count))
        for (const reader of collected) {
          await reader.until(count)
          await reader.stop()
          expect(reader.events).toEqual(stored)
        }
        await readers[1].close()
      }, 60_000)

      it('do not fail because of a refused append in the same commit', async () => {
        const taken = newStream()
        await store.append(taken, 'no-stream', someEvents(1))
        const good = Array.from({ length: 20 }, () => ({ stream: newStream(), event: someEvent() }))
        const outcomes = await Promise.allSettled(
          good.flatMap(({ stream, event }) => [
            store.append(stream, 'no-stream', [event]),
            store.append(taken, 'no-stream', someEvents(1)),
            store.append(stream, 5, someEvents(1)),
            store.append(stream, 'no-stream', [
              someEvent({ data: { text: 'x'.repeat(maxEventBytes) } }),
            ]),
          ]),
        )
        expect(outcomes.map(({ status }) => status)).toEqual(
          good.flatMap(() => ['fulfilled', 'rejected', 'rejected', 'rejected']),
        )
        for (const { stream, event } of good)
          expect((await store.readStream(stream)).map(({ id }) => id)).toEqual([event.id])
      })
    })

    describe('reading', () => {
      it('returns a stream from a revision on, and no event for an unknown stream', async () => {
        const stream = newStream()
        await store.append(stream, 'no-stream', someEvents(5))
        expect((await store.readStream(stream, 3)).map(({ revision }) => revision)).toEqual([3, 4])
        expect(await store.readStream(stream, 5)).toEqual([])
        expect(await store.readStream(newStream())).toEqual([])
      })

      it('returns at most the requested number of events of a stream', async () => {
        const stream = newStream()
        await store.append(stream, 'no-stream', someEvents(5))
        const read = async (from: number, maxCount: number) =>
          (await store.readStream(stream, from, maxCount)).map(({ revision }) => revision)
        expect(await read(1, 2)).toEqual([1, 2])
        expect(await read(3, 9)).toEqual([3, 4])
        expect(await read(5, 1)).toEqual([])
      })

      it('returns the last event of a stream, and null for an unknown stream', async () => {
        const stream = newStream()
        expect(await store.readLast(stream)).toBeNull()
        await store.append(stream, 'no-stream', someEvents(5))
        await store.append(newStream(), 'no-stream', someEvents(1))
        expect(await store.readLast(stream)).toEqual((await store.readStream(stream)).at(-1))
        await store.append(stream, 4, someEvents(1))
        expect(await store.readLast(stream)).toMatchObject({ stream, revision: 5 })
      })

      it('reads many streams at once, each from its own revision, and the same one for several callers', async () => {
        const streams = Array.from({ length: 200 }, () => newStream())
        await Promise.all(
          streams.flatMap((stream, index) =>
            index % 5 === 0 ? [] : [store.append(stream, 'no-stream', someEvents(index % 5))],
          ),
        )
        const calls = streams.flatMap((stream) => [
          { stream, from: 0, max: 1_000 },
          { stream, from: 1, max: 2 },
          { stream, from: 9, max: 1 },
        ])
        const read = await Promise.all(
          calls.map(({ stream, from, max }) => store.readStream(stream, from, max)),
        )
        const last = await Promise.all(streams.map((stream) => store.readLast(stream)))
        for (const [index, { stream, from, max }] of calls.entries()) {
          const whole = await store.readStream(stream)
          expect(read[index]).toEqual(whole.slice(from, from + max))
          if (from === 0) expect(last[index / 3]).toEqual(whole.at(-1) ?? null)
        }
      })

      it('returns the whole log page by page in position order, from any position, and backwards', async () => {
        const own = await open()
        const reader = own.connect()
        expect(await reader.lastPosition()).toBeNull()
        expect(await allOf(reader, null, 10)).toEqual([])
        const events = someEvents(25)
        for (const event of events) await reader.append(newStream(), 'no-stream', [event])
        const all = await allOf(reader, null, 10)
        expect(all.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
        expectInOrder(reader, all)
        expect(await reader.lastPosition()).toBe(all.at(-1)?.position)
        for (const start of [0, 9, 19, 24]) {
          expect(await allOf(reader, all[start]?.position ?? null, 5)).toEqual(all.slice(start + 1))
        }
        for (const pageSize of [7, 25, 100]) {
          const pages: (readonly StoredEvent[])[] = []
          for await (const page of reader.readBackwards(pageSize)) pages.push(page)
          expect(pages.flat()).toEqual(all.toReversed())
        }
        await reader.close()
        await own.remove()
      })
    })

    it('returns one identity to all callers, also to the first concurrent ones', async () => {
      const own = await open()
      const readers = Array.from({ length: 8 }, () => own.connect())
      const identities = await Promise.all(readers.map((reader) => reader.identity()))
      expect([...new Set(identities)]).toEqual([
        expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      ])
      // The store's record of its identity is no event for readers.
      expect(await readers[0]?.lastPosition()).toBeNull()
      await Promise.all(readers.map((reader) => reader.close()))
      await own.remove()
    })

    describe('a subscription', () => {
      it('delivers the existing and the new events after any position', async () => {
        const stream = newStream()
        const start = await store.lastPosition()
        await store.append(stream, 'no-stream', someEvents(5))
        const before = await inLog(store, stream, start)
        const collected = collect(store, before[1]?.position ?? null)
        await collected.until(3)
        await store.append(stream, 4, someEvents(2))
        await collected.until(5)
        await collected.stop()
        expect(collected.events).toEqual((await inLog(store, stream, start)).slice(2))
      })

      it('delivers each event once while 32 writers write', async () => {
        const start = await store.lastPosition()
        const others = [log.connect(), log.connect(), log.connect()]
        const readers = [store, ...others].map((from) => collect(from, start, 50))
        const ids = await Promise.all(
          Array.from({ length: 32 }, async (_, n) => {
            const written: string[] = []
            for (let round = 0; round < 50; round += 1) {
              const event = someEvent()
              await (others[n % 3] ?? store).append(newStream(), 'no-stream', [event])
              written.push(event.id)
            }
            return written
          }),
        )
        for (const reader of readers) {
          await reader.until(1_600)
          await reader.stop()
          expectInOrder(store, reader.events)
          expect(reader.events.map(({ id }) => id).sort()).toEqual(ids.flat().sort())
        }
        await Promise.all(others.map((other) => other.close()))
      }, 60_000)

      it('delivers an append of another connection without waiting for a poll', async () => {
        const other = log.connect()
        const collected = collect(store, await store.lastPosition())
        // If each append waited for a poll, the test would exceed its timeout.
        for (let count = 1; count <= 40; count += 1) {
          await other.append(newStream(), 'no-stream', [someEvent()])
          await collected.until(count)
        }
        await collected.stop()
        await other.close()
      }, 15_000)

      it('delivers one batch of at most maxBatchSize at a time and waits for the handler', async () => {
        const start = await store.lastPosition()
        await store.append(newStream(), 'no-stream', someEvents(35))
        const sizes: number[] = []
        let running = 0
        const controller = new AbortController()
        await store.subscribe({
          after: start,
          maxBatchSize: 10,
          signal: controller.signal,
          onEvents: async (events) => {
            running += 1
            expect(running).toBe(1)
            await sleep(5)
            sizes.push(events.length)
            running -= 1
            if (sizes.reduce((sum, size) => sum + size, 0) === 35) controller.abort()
          },
        })
        // Events that arrive while the handler works are delivered together.
        expect(sizes.filter((size) => size > 10)).toEqual([])
        expect(sizes.length).toBeLessThanOrEqual(5)
      })

      it('ends with the error of its handler', async () => {
        const start = await store.lastPosition()
        await store.append(newStream(), 'no-stream', someEvents(1))
        // The code of a lost connection: the store must not treat it as its own failure.
        const failure = Object.assign(new Error('the handler failed'), { code: 'ECONNRESET' })
        const subscription = store.subscribe({
          after: start,
          signal: new AbortController().signal,
          onEvents: () => Promise.reject(failure),
        })
        await expect(subscription).rejects.toBe(failure)
      })

      it('ends when the store is closed', async () => {
        const other = log.connect()
        const subscription = other.subscribe({
          after: null,
          signal: new AbortController().signal,
          onEvents: () => Promise.resolve(),
        })
        await other.close()
        await expect(subscription).resolves.toBeUndefined()
        await expect(other.append(newStream(), 'no-stream', someEvents(1))).rejects.toThrow(
          EventStoreUnavailable,
        )
      })
    })

    const itWithOutage: typeof it =
      openInterruptible === null
        ? (((what, ...rest) =>
            it.skip(
              `${String(what)} (not run: the test cannot stop the nodes of a cluster)`,
              ...rest,
            )) as typeof it)
        : it

    itWithOutage(
      'resumes by itself after an outage of the server, without loss or duplicates',
      async () => {
        const interruptible = await openInterruptible!()
        const own = interruptible.connect()
        const [stream, events] = [newStream(), someEvents(3)]
        await own.append(stream, 'no-stream', events.slice(0, 1))
        const collected: Collected = collect(own, null, 10)
        await collected.until(1)

        await interruptible.stop()
        await expect(own.append(stream, 0, events.slice(1, 2))).rejects.toThrow(
          EventStoreUnavailable,
        )
        await expect(own.readStream(stream)).rejects.toThrow(EventStoreUnavailable)
        await expect(own.lastPosition()).rejects.toThrow(EventStoreUnavailable)

        await interruptible.start()
        await own.append(stream, 0, events.slice(1, 2))
        expect(await own.append(stream, 0, events.slice(1, 2))).toMatchObject({ revision: 1 })
        await own.append(stream, 1, events.slice(2))
        await collected.until(3)
        await collected.stop()
        expect(collected.events.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
        await own.close()
        await interruptible.remove()
      },
      120_000,
    )

    itWithOutage(
      'gives a repeated append the same answer after a restart of the server and of the writer',
      async () => {
        const interruptible = await openInterruptible!()
        const before = interruptible.connect()
        const [stream, first, second] = [newStream(), someEvents(3), someEvents(2)]
        const answers = [
          await before.append(stream, 'no-stream', first),
          await before.append(stream, 2, second),
        ]
        await before.close()
        await interruptible.stop()
        await interruptible.start()
        const after = interruptible.connect()
        expect([
          await after.append(stream, 'no-stream', first),
          await after.append(stream, 2, second),
        ]).toEqual(answers)
        await expect(after.append(stream, 2, someEvents(1))).rejects.toThrow(WrongExpectedRevision)
        expect((await after.readStream(stream)).map(({ id }) => id)).toEqual(
          [...first, ...second].map(({ id }) => id),
        )
        await after.close()
        await interruptible.remove()
      },
      120_000,
    )

    itWithOutage(
      'appends across a restart of the server, and the writer gets only retryable errors',
      async () => {
        const interruptible = await openInterruptible!()
        const own = interruptible.connect()
        const [stream, count] = [newStream(), 300]
        const events = someEvents(count)
        const restart = sleep(50).then(async () => {
          await interruptible.stop()
          await interruptible.start()
        })
        for (const [index, event] of events.entries()) {
          for (;;) {
            try {
              const { revision } = await own.append(stream, index === 0 ? 'no-stream' : index - 1, [
                event,
              ])
              expect(revision).toBe(index)
              break
            } catch (error) {
              expect(error).toBeInstanceOf(EventStoreUnavailable)
            }
          }
          await sleep(1)
        }
        await restart
        expect((await own.readStream(stream)).map(({ id }) => id)).toEqual(
          events.map(({ id }) => id),
        )
        await own.close()
        await interruptible.remove()
      },
      120_000,
    )
  })
}

function newStream(): string {
  return `test-${randomUUID()}`
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => n)
}

/**
 * The events of a stream with their positions. Not every store returns positions from `readStream`.
 */
async function inLog(
  store: EventStore,
  stream: string,
  after: Position | null,
): Promise<readonly StoredEvent[]> {
  return (await allOf(store, after, 1_000)).filter((event) => event.stream === stream)
}

function withoutPosition(event: StreamEvent): object {
  return { ...event, position: undefined }
}

async function allOf(
  store: EventStore,
  after: string | null,
  pageSize: number,
): Promise<readonly StoredEvent[]> {
  const pages: (readonly StoredEvent[])[] = []
  for await (const page of store.readAll(after, pageSize)) {
    expect(page.length).toBeLessThanOrEqual(pageSize)
    pages.push(page)
  }
  return pages.flat()
}

function expectInOrder(store: EventStore, events: readonly StoredEvent[]): void {
  const outOfOrder = events.filter(
    (event, index) =>
      index > 0 && store.comparePositions(events[index - 1]?.position ?? '', event.position) >= 0,
  )
  expect(outOfOrder).toEqual([])
}
