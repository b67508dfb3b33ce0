import { categoryOf } from '#services/foundation/stream-names'
import type { EventStore } from '../event-store.ts'
import type { LogStatistics } from '../event-log.ts'
import { toServerPosition } from './positions.ts'

/**
 * Reads the whole log, since EventStoreDB keeps no counts by type. `bytes` is the size of the
 * server's file up to the last event.
 */
export async function logStatistics(
  store: Pick<EventStore, 'readAll' | 'lastPosition'>,
  onEvents: (count: number) => void,
): Promise<LogStatistics> {
  const types = new Map<string, { events: number; bytes: number }>()
  const categories = new Map<string, number>()
  let [events, streams] = [0, 0]
  let firstRecordedAt: string | null = null
  let lastRecordedAt: string | null = null
  let isFirst = true
  for await (const page of store.readAll(null)) {
    for (const { type, stream, revision, data, metadata } of page) {
      const count = types.get(type) ?? { events: 0, bytes: 0 }
      count.events += 1
      count.bytes +=
        Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata))
      types.set(type, count)
      if (revision === 0) {
        const category = categoryOf(stream)
        categories.set(category, (categories.get(category) ?? 0) + 1)
        streams += 1
      }
      const { recordedAt } = metadata
      lastRecordedAt = typeof recordedAt === 'string' ? recordedAt : null
      if (isFirst) firstRecordedAt = lastRecordedAt
      isFirst = false
    }
    events += page.length
    onEvents(page.length)
  }
  const end = await store.lastPosition()
  return {
    events,
    streams,
    bytes: end === null ? 0 : Number(toServerPosition(end).commit),
    firstRecordedAt,
    lastRecordedAt,
    types: [...types]
      .map(([type, count]) => ({ type, ...count }))
      .toSorted((a, b) => b.events - a.events || (a.type < b.type ? -1 : 1)),
    categories: [...categories]
      .map(([category, count]) => ({ category, streams: count }))
      .toSorted((a, b) => b.streams - a.streams || (a.category < b.category ? -1 : 1)),
  }
}
