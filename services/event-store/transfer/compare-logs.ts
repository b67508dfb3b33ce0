import type { ChainWalk } from '../audit/verify-chain.ts'
import type { EventStore, Position, StoredEvent } from '../event-store.ts'
import { iterateEvents } from '../event-iterator.ts'

type Readable = Pick<EventStore, 'readAll' | 'readStream'>

/** Up to where a copy was compared with its source: the same event, at its position in either. */
export interface Compared {
  readonly events: number
  readonly inSource: Position | null
  readonly inCopy: Position | null
}

export const nothingCompared: Compared = { events: 0, inSource: null, inCopy: null }

export interface Comparison {
  readonly compared: Compared
  /** What is wrong with the first event of the copy that is not as in the source; null when all are. */
  readonly difference: string | null
}

/**
 * Walks both logs in step, event by event, behind what was compared before, to the copy's end: order, ids, streams,
 * revisions, types, data and metadata to the letter. What the source has beyond the copy's end is no difference.
 */
export async function compareLogs(
  source: Readable,
  copy: Readable,
  start: Compared,
  {
    walk,
    onEvents = () => undefined,
  }: { readonly walk?: ChainWalk; readonly onEvents?: (count: number) => void } = {},
): Promise<Comparison> {
  let compared = start
  // The copy's end is known before the source's: what grows meanwhile is more in the source.
  const inSource = iterateEvents(source.readAll(start.inSource))
  try {
    for await (const page of copy.readAll(start.inCopy)) {
      for (const event of page) {
        const original = await inSource.next()
        if (original === null || !isSame(original, event))
          return { compared, difference: await explain(event, original, source, compared.events) }
        walk?.add(event)
        compared = {
          events: compared.events + 1,
          inSource: original.position,
          inCopy: event.position,
        }
      }
      onEvents(page.length)
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
  const place = `behind ${equalBefore.toLocaleString('en-US')} equal ones`
  if (original?.id === event.id)
    return `The copy's ${what}, ${place}, is not what the source says: its ${differingParts(original, event)} differ.`
  const [namesake] = await source.readStream(event.stream, event.revision)
  if (namesake?.id === event.id)
    return `The copy has ${what} ${place}, where the source has ${original === null ? 'none' : `event ${original.id}`}: the order is another one.`
  return `The copy has ${what}, which the source has not; it stands ${place}.`
}

function differingParts(a: StoredEvent, b: StoredEvent): string {
  const parts = ['stream', 'revision', 'type', 'data', 'metadata'] as const
  return parts.filter((part) => JSON.stringify(a[part]) !== JSON.stringify(b[part])).join(' and ')
}
