import { expect, it } from '@jest/globals'
import type { Position, StoredEvent } from '#services/event-store/event-store'
import { runSubscription } from '#services/event-store/postgres/subscription'
import { createWakeSignal } from '#services/foundation/wake-signal'
import { someEvent } from '../../support/data/some-event.ts'
import { until } from '../../support/machine/until.ts'

const event = (n: number): StoredEvent => ({
  ...someEvent(),
  stream: 'test-1',
  revision: n,
  position: String(n),
})

it('a subscription reads the log once after a wake, and again after a full page or a wake in between', async () => {
  const news = createWakeSignal()
  const stop = new AbortController()
  let length = 5
  const reads: (Position | null)[] = []
  const received: number[] = []
  const readPage = async (after: Position | null, limit: number) => {
    reads.push(after)
    const first = Number(after ?? 0) + 1
    return Array.from({ length: Math.min(limit, length - first + 1) }, (_, n) => event(first + n))
  }
  const subscription = runSubscription(
    {
      after: null,
      maxBatchSize: 3,
      signal: stop.signal,
      onEvents: async (events) => {
        received.push(...events.map(({ revision }) => revision))
        if (received.length !== 6) return
        // An append while the handler works.
        length = 7
        news.wake()
      },
    },
    { readPage, news },
  )
  await until(() => received.length === 5, 'the first pages are missing')
  expect(reads).toEqual([null, '3'])
  length = 6
  news.wake()
  await until(() => received.length === 7, 'the new events are missing')
  stop.abort()
  await subscription
  expect(received).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(reads).toEqual([null, '3', '5', '6'])
})
