import { z } from 'zod'
import type { EventStore, EventToAppend } from '#services/event-store/event-store'
import { categoryOf } from '#services/foundation/stream-names'
import type { Spans } from '#services/tracing/spans'
import { spanIdOfAppend } from '#services/tracing/trace-ids'

const appended = z.object({ causationId: z.string(), recordedAt: z.string() })

/** Appends, and reads of one stream, in spans. The reads of the whole log stay as they are. */
export function tracedStore(store: EventStore, spans: Spans): EventStore {
  const reading = (name: string, stream: string) => ({
    name: `read ${name}`,
    kind: 'client' as const,
    attributes: { 'stream.category': categoryOf(stream) },
  })
  const traced: Pick<EventStore, 'append' | 'readStream' | 'readLast'> = {
    append: (stream, expectedRevision, events) =>
      spans.inside(
        {
          name: 'append',
          kind: 'client',
          attributes: {
            'stream.category': categoryOf(stream),
            'event.types': events.map(({ type }) => type),
          },
          ...spanIdOf(stream, events),
        },
        () => store.append(stream, expectedRevision, events),
      ),
    readStream: (stream, fromRevision, maxCount) =>
      spans.inside(reading('stream', stream), async (span) => {
        const events = await store.readStream(stream, fromRevision, maxCount)
        span.set({ 'event.count': events.length })
        return events
      }),
    readLast: (stream) => spans.inside(reading('last event', stream), () => store.readLast(stream)),
  }
  return { ...store, ...traced }
}

function spanIdOf(stream: string, [first]: readonly EventToAppend[]) {
  const { data: metadata } = appended.safeParse(first?.metadata)
  return metadata === undefined ? {} : { spanId: spanIdOfAppend({ stream, metadata }) }
}
