import { describe, expect, it } from '@jest/globals'
import type { StoredEvent } from '#services/event-store/event-store'
import { countAfter } from '#services/event-store/eventstoredb/count-after'
import { createLastPosition } from '#services/event-store/eventstoredb/last-position'
import {
  comparePositions,
  laterOf,
  toPosition,
  toServerPosition,
} from '#services/event-store/eventstoredb/positions'
import type { Page } from '#services/event-store/eventstoredb/reading'
import { someEvent } from '../../support/data/some-event.ts'

describe('a position in EventStoreDB', () => {
  it('is text that keeps values above 2^53', () => {
    const position = { commit: 9_223_372_036_854_775_807n, prepare: 9_223_372_036_854_775_806n }
    expect(toServerPosition(toPosition(position))).toEqual(position)
  })

  it('is compared by numbers, not as text', () => {
    expect(comparePositions('9/9', '10/10')).toBeLessThan(0)
    expect(comparePositions('10/9', '10/10')).toBeLessThan(0)
    expect(comparePositions('9007199254740993/0', '9007199254740992/0')).toBeGreaterThan(0)
    expect(comparePositions('7/7', '7/7')).toBe(0)
    expect(laterOf(laterOf(null, '7/7'), '10/10')).toBe('10/10')
  })

  it('is after any position of PostgreSQL, which the store cannot read from', () => {
    expect(comparePositions('12345', '0/0')).toBeLessThan(0)
    expect(() => toServerPosition('12345')).toThrow(/not a position in EventStoreDB/)
  })
})

/**
 * A log of 'o' (this log's events) and 's' (system events). The n-th event is at position n * 100.
 */
function logOf(kinds: string) {
  const at = (index: number) => `${index * 100}/${index * 100}`
  const page = (indexes: readonly number[], isEnd: boolean): Page => ({
    events: indexes
      .filter((index) => kinds[index] === 'o')
      .map((index): StoredEvent => ({
        ...someEvent(),
        stream: 'test-1',
        revision: index,
        position: at(index),
      })),
    first: indexes.length > 0 ? at(indexes[0] ?? 0) : null,
    last: indexes.length > 0 ? at(indexes.at(-1) ?? 0) : null,
    isEnd,
  })
  const indexOf = (position: string) => Number(position.split('/')[0]) / 100
  let looked = 0
  return {
    at,
    looked: () => looked,
    append: (more: string) => {
      kinds += more
    },
    readBackwards(before: string | null, count: number): Promise<Page> {
      const from = (before === null ? kinds.length : indexOf(before)) - 1
      const indexes = Array.from(
        { length: Math.max(0, Math.min(count, from + 1)) },
        (_, n) => from - n,
      )
      looked += indexes.length
      return Promise.resolve(page(indexes, indexes.length < count))
    },
    read(after: string | null, count: number): Promise<Page> {
      const from = after === null ? 0 : indexOf(after) + 1
      const indexes = Array.from(
        { length: Math.max(0, Math.min(count, kinds.length - from)) },
        (_, n) => from + n,
      )
      return Promise.resolve(page(indexes, indexes.length < count))
    },
  }
}

describe('the last position', () => {
  it.each([
    ['', null],
    ['sss', null],
    ['so', 1],
    ['oss', 0],
    [`o${'s'.repeat(5_000)}`, 0],
    [`${'s'.repeat(5_000)}`, null],
  ])('is the position of the last event of this log: case %#', async (kinds, expected) => {
    const log = logOf(kinds)
    expect(await createLastPosition(log.readBackwards)()).toBe(
      expected === null ? null : log.at(expected),
    )
  })

  it('is found by reading only the events since the last call', async () => {
    const log = logOf(`o${'s'.repeat(20_000)}`)
    const lastPosition = createLastPosition(log.readBackwards)
    await lastPosition()
    const before = log.looked()
    log.append('s'.repeat(10))
    expect(await lastPosition()).toBe(log.at(0))
    log.append('os')
    expect(await lastPosition()).toBe(log.at(20_011))
    expect(log.looked() - before).toBeLessThan(100)
  })
})

describe('the last position of a log that shares its server', () => {
  it('is found without a read of other logs if the server reports that this log is empty', async () => {
    const log = logOf('s'.repeat(20_000))
    const lastPosition = createLastPosition(log.readBackwards, () => Promise.resolve(true))
    expect(await lastPosition()).toBeNull()
    log.append('sos')
    expect(await lastPosition()).toBe(log.at(20_001))
    expect(log.looked()).toBeLessThan(100)
  })
})

describe('how many events follow', () => {
  const count = (kinds: string, after: number | null) => {
    const log = logOf(kinds)
    return countAfter(after === null ? null : log.at(after), {
      lastPosition: createLastPosition(log.readBackwards),
      read: log.read,
      readBackwards: log.readBackwards,
    })
  }

  it('is exact for few events and leaves out system events', async () => {
    expect(await count('osososs', null)).toBe(3)
    expect(await count('osososs', 2)).toBe(1)
    expect(await count('osososs', 4)).toBe(0)
    expect(await count('sss', null)).toBe(0)
  })

  it('is estimated by file offsets for many events', async () => {
    expect(await count('oos'.repeat(30_000), null)).toBeGreaterThan(55_000)
    expect(await count('oos'.repeat(30_000), null)).toBeLessThan(65_000)
  })
})
