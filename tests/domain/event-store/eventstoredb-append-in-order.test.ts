import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { EventStoreUnavailable, WrongExpectedRevision } from '#services/event-store/errors'
import type { EventToRestore } from '#services/event-store/event-log'
import type { EventStore } from '#services/event-store/event-store'
import {
  appendInOrder,
  type OrderedAppends,
} from '#services/event-store/eventstoredb/append-in-order'
import { appendRuns } from '#services/event-store/eventstoredb/append-runs'

/**
 * What happens to an append:
 * - `lost-answer`: it is written, and the answer is lost.
 * - `cut`: the connection breaks. This append and the later ones on the connection are dropped.
 * - `refused`: the server refuses this append only, as while it starts.
 */
type Fault = 'none' | 'lost-answer' | 'cut' | 'refused'

describe('appending in order with many appends in flight', () => {
  it('writes the events of the source in its order, without gap or duplicate, whatever answers are lost', async () => {
    await fc.assert(
      fc.asyncProperty(sourceLogs, faults('none', 'lost-answer', 'cut'), async (events, plan) => {
        const server = someServer(plan)
        await appendInOrder(server, [...appendRuns(events)])
        expect(server.log).toEqual(events.map(({ id }) => id))
      }),
    )
  })

  it('has the first events of the source at any time, so that a killed process can resume', async () => {
    await fc.assert(
      fc.asyncProperty(
        sourceLogs,
        faults('none', 'lost-answer', 'cut'),
        fc.nat(),
        async (events, plan, seed) => {
          const killed = someServer(plan, { diesAt: seed % (events.length + 1) })
          await appendInOrder(killed, [...appendRuns(events)]).catch(() => undefined)
          const ids = events.map(({ id }) => id)
          expect(killed.log).toEqual(ids.slice(0, killed.log.length))

          const resumed = someServer([], { with: killed })
          await appendInOrder(resumed, [...appendRuns(events.slice(killed.log.length))])
          expect(resumed.log).toEqual(ids)
        },
      ),
    )
  })

  it('writes in order or reports that the order differs, if a server refuses an append and accepts a later one', async () => {
    await fc.assert(
      fc.asyncProperty(sourceLogs, faults('none', 'refused', 'cut'), async (events, plan) => {
        const server = someServer(plan)
        const result = await appendInOrder(server, [...appendRuns(events)]).catch(
          (error: Error) => error.message,
        )
        const isInOrder = server.log.join() === events.map(({ id }) => id).join()
        expect(isInOrder).toBe(result === undefined)
        if (!isInOrder) expect(result).toMatch(/the order in the log differs from the source/)
      }),
    )
  })

  it('names the event that came too late, and what to do', async () => {
    const events = eventsOf(['a-1', 'b-1', 'c-1', 'd-1'])
    await expect(
      appendInOrder(someServer(['none', 'refused']), [...appendRuns(events)]),
    ).rejects.toThrow(
      "The server wrote revision 0 of 'c-1' before an earlier event: the order in the log differs from the source. Begin again with an empty log.",
    )
  })

  it('sends the first append alone, because a server that becomes ready may refuse it only', async () => {
    const events = eventsOf(['a-1', 'b-1', 'c-1', 'd-1'])
    const server = someServer(['refused', 'refused'])
    await appendInOrder(server, [...appendRuns(events)])
    expect(server.log).toEqual(events.map(({ id }) => id))
  })

  it('sends nothing beside a large append, so that its refusal leaves no later event in the log', async () => {
    const events = eventsOf(['a-1', 'b-1', 'c-1', 'd-1', 'e-1'], { c: 'x'.repeat(150_000) })
    const server = someServer([])
    await appendInOrder(server, [...appendRuns(events)])
    expect(server.inFlightBefore).toEqual([0, 0, 0, 0, 1])
    expect(server.log).toEqual(events.map(({ id }) => id))
  })

  it('refuses a log in which another process wrote to a stream', async () => {
    const events = eventsOf(['a-1', 'b-1', 'b-1'])
    const server = someServer([])
    await server.append('b-1', 'no-stream', [
      { id: 'other', type: 'SomethingHappened', data: {}, metadata: {} },
    ])
    await expect(appendInOrder(server, [...appendRuns(events)])).rejects.toThrow(
      "The log has other events in 'b-1' already",
    )
  })
})

const sourceLogs = fc
  .array(fc.constantFrom('a-1', 'b-1', 'c-1', 'd-1'), { minLength: 1, maxLength: 40 })
  .map((streams) => eventsOf(streams))

const faults = (...kinds: readonly Fault[]) =>
  fc.array(fc.constantFrom(...kinds), { maxLength: 30 })

/** One event in each of the streams. `texts` has the text of a stream's events, by category. */
function eventsOf(
  streams: readonly string[],
  texts: Readonly<Record<string, string>> = {},
): readonly EventToRestore[] {
  const lengths = new Map<string, number>()
  return streams.map((stream, index) => {
    const revision = lengths.get(stream) ?? 0
    lengths.set(stream, revision + 1)
    const text = texts[stream.slice(0, 1)] ?? ''
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    return { id, stream, revision, type: 'SomethingHappened', data: { text }, metadata: {} }
  })
}

interface SomeServer extends OrderedAppends {
  /** The ids of all events, in the order of their positions. */
  readonly log: readonly string[]
  /** The ids and positions of each stream. */
  readonly streams: Map<string, { readonly id: string; readonly position: number }[]>
  /** For each append, the number of appends that had no answer when it was sent. */
  readonly inFlightBefore: readonly number[]
}

/**
 * Follows the rules of a server: appends take effect in the order of the calls, a repeat returns
 * the first position, and another revision is a conflict. `plan` has the fault of each append.
 */
function someServer(
  plan: readonly Fault[],
  { diesAt = Infinity, with: earlier }: { diesAt?: number; with?: SomeServer } = {},
): SomeServer {
  const streams: SomeServer['streams'] =
    earlier?.streams ?? new Map<string, { readonly id: string; readonly position: number }[]>()
  const log = [...(earlier?.log ?? [])]
  const inFlightBefore: number[] = []
  let [calls, inFlight] = [0, 0]
  let isConnected = true

  const appendOnce: EventStore['append'] = async (stream, expected, events) => {
    const fault = plan[calls] ?? 'none'
    calls += 1
    inFlightBefore.push(inFlight)
    inFlight += 1
    const outcome = settle(() => {
      if (fault === 'cut' || log.length >= diesAt) isConnected = false
      if (!isConnected || fault === 'refused') throw unavailable()
      const result = write(stream, expected === 'no-stream' ? 0 : expected + 1, events)
      if (fault === 'lost-answer') throw unavailable()
      return result
    })
    // The answer arrives after the caller has sent its other appends.
    await new Promise(setImmediate)
    inFlight -= 1
    return outcome()
  }

  function write(stream: string, revision: number, events: readonly { readonly id: string }[]) {
    const known = streams.get(stream) ?? []
    streams.set(stream, known)
    if (revision < known.length) {
      const same = known.slice(revision, revision + events.length)
      if (same.map(({ id }) => id).join() !== events.map(({ id }) => id).join())
        throw new WrongExpectedRevision(stream, revision - 1, known.length - 1)
    } else if (revision > known.length) {
      throw new WrongExpectedRevision(stream, revision - 1, known.length - 1)
    } else {
      for (const { id } of events) known.push({ id, position: log.push(id) })
    }
    const last = known[revision + events.length - 1]
    return {
      revision: revision + events.length - 1,
      position: `${last?.position}/${last?.position}`,
    }
  }

  return {
    log,
    streams,
    inFlightBefore,
    appendOnce,
    async append(stream, expected, events) {
      // A new connection, and retries as the adapter makes them.
      isConnected = true
      for (;;) {
        try {
          return await appendOnce(stream, expected, events)
        } catch (error) {
          if (!(error instanceof EventStoreUnavailable) || log.length >= diesAt) throw error
          isConnected = true
        }
      }
    },
  }
}

/** Runs `work` now. The returned function returns its result or throws its error. */
function settle<Result>(work: () => Result): () => Result {
  try {
    const result = work()
    return () => result
  } catch (error) {
    return () => {
      throw error
    }
  }
}

const unavailable = () => new EventStoreUnavailable(new Error('no answer'))
