import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Position, StoredEvent } from '#services/event-store/event-store'
import { createSharedTail } from '#services/event-store/postgres/shared-tail'
import { someEvent } from '../../support/data/some-event.ts'

const base = someEvent()

/** A log whose reads can be delayed and can fail, and its shared tail. */
function sharedLog() {
  const log: StoredEvent[] = []
  const reads: { readonly after: Position | null; readonly limit: number }[] = []
  const state = { now: 0, wakes: 0, fails: false }
  const readPage = async (after: Position | null, limit: number) => {
    reads.push({ after, limit })
    const page = log.slice(Number(after ?? 0)).slice(0, limit)
    await new Promise((resolve) => setImmediate(resolve))
    if (state.fails) throw new Error('away')
    return page
  }
  /** By another process that announces nothing. */
  const appendSilently = (count: number) => {
    for (let n = 0; n < count; n += 1)
      log.push({ ...base, stream: 'test-1', revision: log.length, position: `${log.length + 1}` })
  }
  return {
    reads,
    state,
    append(count: number) {
      appendSilently(count)
      state.wakes += 1
    },
    appendSilently,
    read: createSharedTail({
      readPage,
      news: { count: () => state.wakes },
      now: () => state.now,
    }),
    length: () => log.length,
  }
}

const positions = (page: readonly StoredEvent[]) => page.map(({ position }) => Number(position))

it('reads new events once for all readers at the end of the log', async () => {
  const { read, reads, append } = sharedLog()
  append(3)
  await read(null, 500)
  append(2)
  const pages = await Promise.all([read('3', 500), read('3', 500), read('1', 1)])
  expect(pages.map(positions)).toEqual([[4, 5], [4, 5], [2]])
  expect(positions(await read('4', 500))).toEqual([5])
  expect(await read('5', 500)).toEqual([])
  expect(reads.map(({ after }) => after)).toEqual([null, '3'])
})

it('a reader that polls sees what another process appended without an announcement', async () => {
  const { read, state, append, appendSilently } = sharedLog()
  append(1)
  await read(null, 500)
  appendSilently(1)
  state.now += 1_000
  expect(positions(await read('1', 500))).toEqual([2])
})

it('a page that is not full ends at the end of the log, also after more events than are read at once', async () => {
  const { read, append } = sharedLog()
  append(1)
  await read(null, 500)
  append(1_300)
  expect(positions(await read('1', 4_000)).at(-1)).toBe(1_301)
})

it('keeps a bounded number of events, and none after a while without new ones', async () => {
  const { read, reads, state, append } = sharedLog()
  append(1)
  await read(null, 4_000)
  append(4_500)
  await read('1', 5_000)
  await read('400', 4_000)
  // Before the kept events: read from the log.
  expect(reads.at(-1)).toEqual({ after: '400', limit: 4_000 })
  state.now += 1_000
  await read('4501', 4_000)
  await read('4500', 4_000)
  expect(reads.at(-1)).toEqual({ after: '4500', limit: 4_000 })
})

it('a failed read fails all that wait for it, and the next one reads again', async () => {
  const { read, state, append } = sharedLog()
  append(1)
  await read(null, 500)
  append(1)
  state.fails = true
  const outcomes = await Promise.allSettled([read('1', 500), read('1', 500)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  state.fails = false
  expect(positions(await read('1', 500))).toEqual([2])
})

it('any readers at any speed get every event once and in order, and miss no announced one', async () => {
  const step = fc.oneof(
    fc.record({ append: fc.integer({ min: 1, max: 700 }) }),
    fc.record({ silently: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ wait: fc.constantFrom(10, 200) }),
    fc.record({ reader: fc.nat(3), limit: fc.constantFrom(1, 7, 500, 4_000) }),
    fc.constant('turn' as const),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
      async (steps) => {
        const shared = sharedLog()
        const { read, state } = shared
        const after = [0, 0, 0, 0]
        const busy = [false, false, false, false]
        const running: Promise<void>[] = []
        let announced = 0
        const follow = async (reader: number, limit: number) => {
          if (busy[reader] === true) return
          busy[reader] = true
          const from = after[reader] ?? 0
          const known = announced
          const page = positions(await read(from === 0 ? null : `${from}`, limit))
          expect(page).toEqual(page.map((_, index) => from + 1 + index))
          expect(page.length).toBeLessThanOrEqual(limit)
          if (page.length < limit) expect(from + page.length).toBeGreaterThanOrEqual(known)
          after[reader] = from + page.length
          busy[reader] = false
        }
        for (const each of steps) {
          if (each === 'turn') await Promise.allSettled(running)
          else if ('append' in each) {
            shared.append(each.append)
            announced = shared.length()
          } else if ('silently' in each) shared.appendSilently(each.silently)
          else if ('wait' in each) state.now += each.wait
          else running.push(follow(each.reader, each.limit))
        }
        await Promise.all(running)
      },
    ),
  )
})
