import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { UnavailableError } from '@eventstore/db-client'
import { EventStoreUnavailable } from '#services/event-store/errors'
import type { Position, StoredEvent, SubscribeOptions } from '#services/event-store/event-store'
import { pull } from '#services/event-store/eventstoredb/pull'
import { runSubscription, type OpenFeed } from '#services/event-store/eventstoredb/subscription'
import { someEvent } from '../support/some-event.ts'

const dead = () => new UnavailableError(Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: '', metadata: { getMap: () => ({}) } }) as never)
const at = (n: number) => `${n}/${n}`
const event = (n: number): StoredEvent => ({ ...someEvent(), stream: 'test-1', revision: n, position: at(n) })

/** A server whose log has the events 1 to `length`; each subscription to it is a stream that the test holds. */
function server(length: number) {
  const opened: { readonly after: Position | null; readonly stream: PassThrough; checkpoint: Position | null; confirm(): void; ended: boolean }[] = []
  const open: OpenFeed = (after, confirm) => {
    const stream = new PassThrough({ objectMode: true, highWaterMark: 4 })
    const one = { after, stream, checkpoint: null, confirm, ended: false }
    opened.push(one)
    const cancel = () => {
      one.ended = true
      return Promise.resolve()
    }
    const events = pull(stream, cancel, (each: StoredEvent) => each)
    for (let n = after === null ? 1 : Number(after.split('/')[0]) + 1; n <= length; n += 1) stream.write(event(n))
    return { events, checkpoint: () => one.checkpoint }
  }
  return { open, opened, last: () => opened.at(-1)! }
}

/** Subscribes; `until` waits for a moment that the test describes. */
function subscribe(open: OpenFeed, over: Partial<SubscribeOptions> = {}) {
  const stop = new AbortController()
  const batches: (readonly number[])[] = []
  const connection: string[] = []
  const running = runSubscription({
    after: null, signal: stop.signal, maxBatchSize: 3,
    onEvents: async (events) => {
      await sleep(5)
      batches.push(events.map(({ revision }) => revision))
    },
    onConnectionChange: (state) => connection.push(state),
    ...over,
  }, open)
  running.catch(() => undefined)
  return { batches, connection, running, end: () => (stop.abort(), running) }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5)
}

describe('a subscription', () => {
  it('hands over what has gathered while the handler worked, never more than asked for', async () => {
    const { open } = server(20)
    const { batches, end } = subscribe(open)
    await until(() => batches.flat().length === 20)
    await end()
    expect(batches.flat()).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    expect(Math.max(...batches.map(({ length }) => length))).toBe(3)
    expect(batches.length).toBeLessThan(15)
  })

  it('takes no more from the server than is worked on', async () => {
    const { open, last } = server(100)
    let letGo = () => {}
    const held = new Promise<void>((resolve) => { letGo = resolve })
    const { end } = subscribe(open, { onEvents: () => held })
    await sleep(50)
    // At most three are with the handler; the rest is left to the server, here the stream's other side.
    expect(last().stream.readableLength + last().stream.writableLength).toBeGreaterThanOrEqual(97)
    letGo()
    await end()
  })

  it('comes back behind the last event that was handled, loses and doubles nothing', async () => {
    const { open, opened, last } = server(10)
    const { batches, connection, end } = subscribe(open)
    await until(() => batches.length === 2)
    last().stream.emit('error', dead())
    await until(() => opened.length === 2)
    last().confirm()
    await until(() => batches.flat().length === 10)
    expect(batches.flat()).toEqual(Array.from({ length: 10 }, (_, n) => n + 1))
    expect(connection).toEqual(['lost', 'restored'])
    expect(opened[0]?.ended).toBe(true)
    await end()
  })

  it('comes back behind the checkpoint where only the server’s own events followed', async () => {
    const { open, opened, last } = server(2)
    const { batches, end } = subscribe(open)
    await until(() => batches.flat().length === 2)
    last().checkpoint = at(7_000)
    last().stream.emit('error', dead())
    await until(() => opened.length === 2)
    expect(opened[1]?.after).toBe(at(7_000))
    await end()
  })

  it('comes back when the server ends it without a word', async () => {
    const { open, opened, last } = server(0)
    const { connection, end } = subscribe(open)
    last().stream.end()
    await until(() => opened.length === 2)
    expect(connection).toEqual(['lost'])
    await end()
  })

  it('tells once that the server went away, however often it looks', async () => {
    const { open, opened, last } = server(0)
    const lost: unknown[] = []
    const { end } = subscribe(open, { onConnectionChange: (_, error) => lost.push(error) })
    for (let n = 1; n <= 3; n += 1) {
      last().stream.emit('error', dead())
      await until(() => opened.length === n + 1)
    }
    expect(lost).toHaveLength(1)
    expect(lost[0]).toBeInstanceOf(EventStoreUnavailable)
    await end()
  })

  it('ends with what its handler threw, though that is what a lost server throws', async () => {
    const { open, opened } = server(1)
    const { running } = subscribe(open, { onEvents: () => Promise.reject(new EventStoreUnavailable(new Error('the keys are away'))) })
    await expect(running).rejects.toThrow('the keys are away')
    expect(opened).toHaveLength(1)
  })

  it('ends with what the server refuses for good', async () => {
    const { open, last } = server(0)
    const { running } = subscribe(open)
    last().stream.emit('error', new Error('Access Denied'))
    await expect(running).rejects.toThrow('Access Denied')
  })
})

describe('reading', () => {
  it('gives up on a server that says nothing, and not on one that is there', async () => {
    const stream = new PassThrough({ objectMode: true })
    const events = pull(stream, () => Promise.resolve(), (each: number) => each)
    const touching = setInterval(() => events.touch(), 20)
    const waiting = events.take(1, { silenceMs: 100 })
    await sleep(200)
    stream.write(1)
    expect(await waiting).toEqual([1])
    clearInterval(touching)
    await expect(events.take(1, { silenceMs: 100 })).rejects.toThrow(EventStoreUnavailable)
    events.end()
  })

  it('of a whole is never mistaken for done when it is given up', async () => {
    const stream = new PassThrough({ objectMode: true })
    const events = pull(stream, () => Promise.resolve(), (each: number) => each)
    const giveUp = new AbortController()
    stream.write(1)
    const waiting = events.take(5, { isLast: () => false, signal: giveUp.signal })
    setTimeout(() => giveUp.abort(), 20)
    await expect(waiting).rejects.toThrow(EventStoreUnavailable)
    events.end()
  })

  it('gives a few at once, and many together with those that follow on their heels', async () => {
    const stream = new PassThrough({ objectMode: true, highWaterMark: 500 })
    const events = pull(stream, () => Promise.resolve(), (each: number) => each)
    const write = (count: number) => { for (let each = 1; each <= count; each += 1) stream.write(each) }
    write(3)
    expect(await events.take(200, { gathers: true })).toHaveLength(3)
    write(60)
    const gathering = events.take(200, { gathers: true })
    // After the first ones were taken, and before the pause is over.
    setImmediate(() => write(40))
    expect(await gathering).toHaveLength(100)
    write(300)
    expect(await events.take(200, { gathers: true })).toHaveLength(200)
    events.end()
  })

  it('gives what came before a failure, and then the failure', async () => {
    const stream = new PassThrough({ objectMode: true })
    const events = pull(stream, () => Promise.resolve(), (each: number) => each)
    stream.write(1)
    stream.emit('error', new Error('gone'))
    expect(await events.take(5)).toEqual([1])
    await expect(events.take(5)).rejects.toThrow('gone')
    // Nobody listens any more, and nothing may end the process.
    stream.emit('error', new Error('gone again'))
    events.end()
  })
})
