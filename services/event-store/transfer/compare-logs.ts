import { formatCount } from '#services/foundation/format-count'
import type { EventStore, Position, StoredEvent } from '../event-store.ts'
import { iterateEvents } from '../event-iterator.ts'

type Readable = Pick<EventStore, 'readAll' | 'readStream'>

/**
 * How far a copy was compared with its source: the last equal event, by its position in each log.
 */
export interface Compared {
  readonly events: number
  readonly inSource: Position | null
  readonly inCopy: Position | null
}

export const nothingCompared: Compared = { events: 0, inSource: null, inCopy: null }

export interface Comparison {
  readonly compared: Compared
  /**
   * Describes the first event of the copy that differs from the source; null if no event differs.
   */
  readonly difference: string | null
}

/**
 * Compares both logs event by event, from `start` to the end of the copy: order, ids, streams,
 * revisions, types, data and metadata. Events of the source after the copy's last event are no
 * difference. `onEqual` receives the number of equal events of each page.
 */
export async function compareLogs(
  source: Readable,
  copy: Readable,
  start: Compared,
  onEqual: (count: number) => void,
): Promise<Comparison> {
  let compared = start
  // The read of the copy fixes its end first, so events that are appended meanwhile count as more
  // in the source only.
  const inSource = iterateEvents(source.readAll(start.inSource))
  try {
    for await (const page of copy.readAll(start.inCopy)) {
      for (const event of page) {
        const original = await inSource.next()
        if (original === null || !isSame(original, event))
          return { compared, difference: await explain(event, original, source, compared.events) }
        compared = {
          events: compared.events + 1,
          inSource: original.position,
          inCopy: event.position,
        }
      }
      onEqual(page.length)
    }
    return { compared, difference: null }
  } finally {
    await inSource.end()
  }
}

function isSame(a: StoredEvent, b: StoredEvent): boolean {
  return (
    a.id === b.id &&
    a.stream === b.stream &&
    a.revision === b.revision &&
    a.type === b.type &&
    JSON.stringify(a.data) === JSON.stringify(b.data) &&
    JSON.stringify(a.metadata) === JSON.stringify(b.metadata)
  )
}

async function explain(
  event: StoredEvent,
  original: StoredEvent | null,
  source: Readable,
  equalBefore: number,
): Promise<string> {
  const what = `event ${event.id} (${event.type}, revision ${event.revision} of '${event.stream}')`
  const place = `after ${formatCount(equalBefore)} equal events`
  if (original?.id === event.id)
    return `The copy's ${what}, ${place}, differs from the source in its ${differingParts(original, event)}.`
  const [namesake] = await source.readStream(event.stream, event.revision)
  if (namesake?.id === event.id)
    return `The copy has ${what}, ${place}, where the source has ${original === null ? 'no event' : `event ${original.id}`}: the order differs.`
  return `The copy has ${what}, ${place}. The source does not have this event.`
}

function differingParts(a: StoredEvent, b: StoredEvent): string {
  const parts = ['stream', 'revision', 'type', 'data', 'metadata'] as const
  return parts.filter((part) => JSON.stringify(a[part]) !== JSON.stringify(b[part])).join(' and ')
}
