import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { UnavailableError } from '@eventstore/db-client'
import { EventStoreUnavailable } from '#services/event-store/errors'
import type { Position, StoredEvent, SubscribeOptions } from '#services/event-store/event-store'
import {
  createStreamReader,
  type StreamReaderOptions,
} from '#services/event-store/eventstoredb/stream-reader'
import {
  runSubscription,
  type OpenClientSubscription,
} from '#services/event-store/eventstoredb/subscription'
import { someEvent } from '../../support/data/some-event.ts'
import { grpcError } from '../../support/event-store/grpc-error.ts'
import { until } from '../../support/machine/until.ts'

const dead = () => new UnavailableError(grpcError(14, 'UNAVAILABLE'))
const at = (n: number) => `${n}/${n}`
const event = (n: number): StoredEvent => ({
  ...someEvent(),
  stream: 'test-1',
  revision: n,
  position: at(n),
})

/**
 * A server whose log has the events 1 to `length`. The test controls the stream of each
 * subscription.
 */
function server(length: number, bufferSize = 3) {
  const opened: {
    readonly after: Position | null
    readonly stream: PassThrough
    checkpoint: Position | null
    isBehind: boolean
    confirm(): void
    ended: boolean
  }[] = []
  const open: OpenClientSubscription = (after, signal, confirm) => {
    const stream = new PassThrough({ objectMode: true, highWaterMark: 4 })
    const one = { after, stream, checkpoint: null, isBehind: false, confirm, ended: false }
    opened.push(one)
    const cancel = () => {
      one.ended = true
      return Promise.resolve()
    }
    const events = createStreamReader(stream, cancel, (each: StoredEvent) => each, {
      bufferSize,
      signal,
    })
    for (let n = after === null ? 1 : Number(after.split('/')[0]) + 1; n <= length; n += 1)
      stream.write(event(n))
    return { events, checkpoint: () => one.checkpoint, isBehind: () => one.isBehind }
  }
  return { open, opened, last: () => opened.at(-1)! }
}

/** Subscribes, and collects the revisions of each batch. */
function subscribe(open: OpenClientSubscription, over: Partial<SubscribeOptions> = {}) {
  const stop = new AbortController()
  const batches: (readonly number[])[] = []
  const running = runSubscription(
    {
      after: null,
      signal: stop.signal,
      maxBatchSize: 3,
      onEvents: async (events) => {
        await sleep(5)
        batches.push(events.map(({ revision }) => revision))
      },
      ...over,
    },
    open,
  )
  running.catch(() => undefined)
  return { batches, running, end: () => (stop.abort(), running) }
}

describe('a subscription', () => {
  it('delivers the events that arrived while the handler worked, at most maxBatchSize', async () => {
    const { open } = server(20)
    const { batches, end } = subscribe(open)
    await until(() => batches.flat().length === 20)
    await end()
    expect(batches.flat()).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    expect(Math.max(...batches.map(({ length }) => length))).toBe(3)
    expect(batches.length).toBeLessThan(15)
  })

  it('buffers at most one batch more than the handler works on', async () => {
    const { open, last } = server(100)
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const { end } = subscribe(open, { onEvents: () => held })
    await sleep(50)
    // The handler has at most three events, and three wait for it. The other events stay on the
    // server's side of the stream.
    expect(last().stream.readableLength + last().stream.writableLength).toBeGreaterThanOrEqual(94)
    letGo()
    await end()
  })

  it('delivers past events in large batches and new events at once', async () => {
    const { open, last } = server(3, 5)
    const sizes: number[] = []
    const { end } = subscribe(
      (...given) => {
        const subscription = open(...given)
        last().isBehind = true
        return subscription
      },
      { maxBatchSize: 5, onEvents: (events) => Promise.resolve(void sizes.push(events.length)) },
    )
    setTimeout(() => [4, 5].forEach((n) => last().stream.write(event(n))), 1)
    await until(() => sizes.length > 0)
    last().isBehind = false
    last().stream.write(event(6))
    await until(() => sizes.length > 1)
    expect(sizes).toEqual([5, 1])
    await end()
  })

  it('resumes after the last handled event without loss or duplicates', async () => {
    const { open, opened, last } = server(10)
    const { batches, end } = subscribe(open)
    await until(() => batches.length >= 2)
    last().stream.emit('error', dead())
    await until(() => opened.length === 2)
    last().confirm()
    await until(() => batches.flat().length === 10)
    expect(batches.flat()).toEqual(Array.from({ length: 10 }, (_, n) => n + 1))
    expect(opened[0]?.ended).toBe(true)
    await end()
  })

  it('resumes after the checkpoint if only system events followed', async () => {
    const { open, opened, last } = server(2)
    const { batches, end } = subscribe(open)
    await until(() => batches.flat().length === 2)
    last().checkpoint = at(7_000)
    last().stream.emit('error', dead())
    await until(() => opened.length === 2)
    expect(opened[1]?.after).toBe(at(7_000))
    await end()
  })

  it('resumes when the server ends it without an error', async () => {
    const { open, opened, last } = server(0)
    const { end } = subscribe(open)
    last().stream.end()
    await until(() => opened.length === 2)
    expect(opened[0]?.ended).toBe(true)
    await end()
  })

  it('opens again after every failure', async () => {
    const { open, opened, last } = server(0)
    const { end } = subscribe(open)
    for (let n = 1; n <= 3; n += 1) {
      last().stream.emit('error', dead())
      await until(() => opened.length === n + 1)
    }
    await end()
  })

  it('ends with the error of its handler, even if that is EventStoreUnavailable', async () => {
    const { open, opened } = server(1)
    const { running } = subscribe(open, {
      onEvents: () => Promise.reject(new EventStoreUnavailable(new Error('the keys are away'))),
    })
    await expect(running).rejects.toThrow('the keys are away')
    expect(opened).toHaveLength(1)
  })

  it('ends with a permanent refusal of the server', async () => {
    const { open, last } = server(0)
    const { running } = subscribe(open)
    last().stream.emit('error', new Error('Access Denied'))
    await expect(running).rejects.toThrow('Access Denied')
  })
})

describe('reading', () => {
  const bufferSize = 300
  const givenUp = () => new AbortController().signal
  function numbers(over: Partial<StreamReaderOptions<number>> = {}) {
    const stream = new PassThrough({ objectMode: true, highWaterMark: 500 })
    const events = createStreamReader(
      stream,
      () => Promise.resolve(),
      (each: number) => each,
      { bufferSize, signal: givenUp(), ...over },
    )
    const write = (count: number) => {
      for (let each = 1; each <= count; each += 1) stream.write(each)
    }
    return { stream, events, write }
  }

  it('times out if the server sends nothing, and not if it sends checkpoints', async () => {
    const { stream, events } = numbers()
    const touching = setInterval(() => events.resetTimeout(), 20)
    const waiting = events.take(1, { timeoutMs: 100 })
    await sleep(200)
    stream.write(1)
    expect(await waiting).toEqual([1])
    clearInterval(touching)
    await expect(events.take(1, { timeoutMs: 100 })).rejects.toThrow(EventStoreUnavailable)
    events.end()
  })

  it('with waitForMax fails if it is aborted', async () => {
    const giveUp = new AbortController()
    const { stream, events } = numbers({ signal: giveUp.signal })
    stream.write(1)
    const waiting = events.take(5, { waitForMax: true })
    setTimeout(() => giveUp.abort(), 20)
    await expect(waiting).rejects.toThrow(EventStoreUnavailable)
    events.end()
  })

  it('returns the items that arrived before the timeout', async () => {
    const giveUp = new AbortController()
    const { stream, events } = numbers({ signal: giveUp.signal })
    stream.write(1)
    giveUp.abort()
    expect(await events.take(1)).toEqual([1])
    expect(await events.take(1)).toEqual([])
    events.end()
  })

  it('ignores items after the last one', async () => {
    const { stream, events, write } = numbers({ isLast: (each) => each === 7 })
    write(400)
    expect(await events.take(50, { waitForMax: true })).toHaveLength(7)
    await sleep(20)
    expect(stream.readableLength + stream.writableLength).toBeGreaterThan(380)
    events.end()
  })

  it('with waitForMax ends with the last item, even if others follow', async () => {
    const { events, write } = numbers({ isLast: (each) => each === 7 })
    write(9)
    expect(await events.take(5, { waitForMax: true })).toEqual([1, 2, 3, 4, 5])
    expect(await events.take(5, { waitForMax: true })).toEqual([6, 7])
    events.end()
  })

  it('with waitForMax returns fewer items if the server ends the stream', async () => {
    const { stream, events, write } = numbers()
    write(3)
    stream.end()
    expect(await events.take(5, { waitForMax: true })).toEqual([1, 2, 3])
    expect(await events.take(5, { waitForMax: true })).toEqual([])
    events.end()
  })

  it('returns few items at once, and many together with those that follow shortly', async () => {
    const { events, write } = numbers()
    const batching = { minItems: 50, maxWaitMs: 50 }
    write(3)
    expect(await events.take(200, { batching })).toHaveLength(3)
    write(60)
    const gathering = events.take(200, { batching })
    // The items arrive after the first items were taken, and before the pause ends.
    setImmediate(() => write(40))
    expect(await gathering).toHaveLength(100)
    write(300)
    expect(await events.take(200, { batching })).toHaveLength(200)
    events.end()
  })

  it('waits for more only until the batch is full', async () => {
    const { events, write } = numbers()
    write(1)
    const gathering = events.take(20, { batching: { minItems: 1, maxWaitMs: 50 } })
    setImmediate(() => write(30))
    expect(await gathering).toHaveLength(20)
    expect(await events.take(20, { batching: { minItems: 1, maxWaitMs: 50 } })).toHaveLength(11)
    events.end()
  })

  it('pauses the server while no take is pending', async () => {
    const { stream, events, write } = numbers()
    write(1_000)
    await sleep(20)
    // The two sides of the stream hold the items that the reader has not buffered.
    expect(stream.readableLength + stream.writableLength).toBeGreaterThanOrEqual(1_000 - bufferSize)
    let taken = 0
    while (taken < 1_000) taken += (await events.take(70)).length
    expect(taken).toBe(1_000)
    events.end()
  })

  it('returns the items before a failure, and then rejects with the failure', async () => {
    const { stream, events, write } = numbers()
    write(400)
    await sleep(20)
    stream.emit('error', new Error('gone'))
    // Later items may follow a gap.
    write(1)
    expect(await events.take(1_000)).toHaveLength(400)
    await expect(events.take(5)).rejects.toThrow('gone')
    // An error without a listener would end the process.
    stream.emit('error', new Error('gone again'))
    events.end()
  })

  it('reports whether all items have arrived, so that no checkpoint skips lost events', async () => {
    const { stream, events, write } = numbers()
    write(200)
    await sleep(20)
    expect(events.hasAll()).toBe(true)
    write(200)
    await sleep(20)
    expect(events.hasAll()).toBe(false)
    await events.take(200)
    await sleep(20)
    expect(events.hasAll()).toBe(true)
    stream.emit('error', new Error('gone'))
    expect(events.hasAll()).toBe(false)
    events.end()
  })

  it('returns the items before an unreadable item, and then rejects with its error', async () => {
    const stream = new PassThrough({ objectMode: true })
    const readable = (each: number) => {
      if (each === 3) throw new Error('3 is not a number of this stream')
      return each
    }
    const events = createStreamReader(stream, () => Promise.resolve(), readable, { bufferSize })
    for (const each of [1, 2, 3, 4]) stream.write(each)
    await sleep(20)
    expect(await events.take(5)).toEqual([1, 2])
    await expect(events.take(5)).rejects.toThrow('3 is not a number of this stream')
    events.end()
  })
})
