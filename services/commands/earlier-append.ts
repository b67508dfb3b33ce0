import { EventStoreUnavailable } from '#services/event-store/errors'
import type { EventStore, StreamEvent } from '#services/event-store/event-store'

/** Events that are read on each side of the found event. An append seldom has more. */
const firstReach = 32

/**
 * The events of the append that wrote the event `id` at `revision`, as they are stored. All events
 * of an append have one causation id and one time of recording, and are neighbors. Reads a few
 * events, whatever the length of the stream.
 * @throws EventStoreUnavailable, also if the log was replaced since the stream was folded
 */
export async function earlierAppend(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  { id, revision }: { readonly id: string; readonly revision: number },
): Promise<readonly StreamEvent[]> {
  for (let reach = firstReach; ; reach *= 4) {
    const from = Math.max(0, revision - reach)
    const max = revision + reach + 1 - from
    const events = await store.readStream(stream, from, max)
    const place = revision - from
    const found = events[place]
    if (found?.id !== id)
      throw new EventStoreUnavailable(new Error('the stream was replaced while it was read'))
    const first = events.slice(0, place).findLastIndex((each) => !haveOneCause(each, found)) + 1
    const next = events.findIndex((each, index) => index > place && !haveOneCause(each, found))
    const isWhole = (first > 0 || from === 0) && (next !== -1 || events.length < max)
    if (isWhole) return events.slice(first, next === -1 ? undefined : next)
  }
}

function haveOneCause(a: StreamEvent, b: StreamEvent): boolean {
  return (['causationId', 'recordedAt'] as const).every(
    (field) => a.metadata[field] === b.metadata[field],
  )
}
