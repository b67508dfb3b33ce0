import type { DecodedEvent, EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore, StreamEvent } from '#services/event-store/event-store'
import { isDamaged } from '#services/event-store/newer-event'
import { inParallel } from '#services/foundation/in-parallel'
import type { EventPlace } from './history-queries.ts'

/** The names of administrators, by their ids. An id of the shared password has none. */
export type AdministratorNames = ReadonlyMap<string, string>

export interface EventLogParts {
  readonly store: Pick<EventStore, 'readStream'>
  readonly codec: Pick<EventCodec, 'decodeStream'>
  /** For the actors of events. */
  readonly administratorNames: () => Promise<AdministratorNames>
}

/** As many reads at once as the PostgreSQL adapter has connections. */
const readsAtOnce = 4
/** Reading so many events that are not wanted costs less than another read. */
const largestGap = 8

/** Revisions of a stream that one read returns. Both ends are inclusive. */
interface Range {
  readonly stream: string
  readonly from: number
  readonly to: number
}

/**
 * The events at these places, decrypted, in the order of `places`. Reads only the revisions around
 * the places, so the cost does not depend on the length of a stream.
 * @throws EventStoreUnavailable, UnreadableEvent
 * @throws Error if the log has no event at a place
 */
export async function readEvents(
  { store, codec }: Pick<EventLogParts, 'store' | 'codec'>,
  places: readonly EventPlace[],
): Promise<readonly DecodedEvent[]> {
  return codec.decodeStream(await storedEvents(store, places))
}

/** An event that cannot be read. */
export interface DamagedEvent {
  readonly id: string
  /** Names the event and says why it cannot be read. */
  readonly damage: string
}

/**
 * As `readEvents`, with each damaged event in its place. Whole pages first: one query reads the
 * keys of a page.
 * @throws EventStoreUnavailable, NewerEvent
 * @throws Error if the log has no event at a place
 */
export async function readEventsOrDamage(
  { store, codec }: EventLogParts,
  places: readonly EventPlace[],
): Promise<readonly (DecodedEvent | DamagedEvent)[]> {
  const stored = await storedEvents(store, places)
  try {
    return await codec.decodeStream(stored)
  } catch (error) {
    if (!isDamaged(error)) throw error
  }
  const shown: (DecodedEvent | DamagedEvent)[] = []
  for (const event of stored)
    try {
      shown.push(...(await codec.decodeStream([event])))
    } catch (error) {
      if (!isDamaged(error)) throw error
      shown.push({ id: event.id, damage: error.message })
    }
  return shown
}

/** @throws Error if the log has no event at a place */
async function storedEvents(
  store: EventLogParts['store'],
  places: readonly EventPlace[],
): Promise<readonly StreamEvent[]> {
  const found = new Map<string, StreamEvent>()
  await inParallel(readsAtOnce, rangesOf(places), async ({ stream, from, to }) => {
    for (const event of await store.readStream(stream, from, to - from + 1))
      found.set(keyOf(event), event)
  })
  return places.map((place) => {
    const event = found.get(keyOf(place))
    if (event === undefined)
      throw new Error(
        `The log has no event at revision ${place.revision} of stream ${place.stream}. Run npm run billing -- projections verify history.`,
      )
    return event
  })
}

function rangesOf(places: readonly EventPlace[]): readonly Range[] {
  const ranges: Range[] = []
  for (const { stream, revision } of [...places].sort(byStreamAndRevision)) {
    const last = ranges.at(-1)
    if (last?.stream === stream && revision - last.to <= largestGap)
      ranges[ranges.length - 1] = { ...last, to: revision }
    else ranges.push({ stream, from: revision, to: revision })
  }
  return ranges
}

function byStreamAndRevision(a: EventPlace, b: EventPlace): number {
  return a.stream === b.stream ? a.revision - b.revision : a.stream < b.stream ? -1 : 1
}

function keyOf({ stream, revision }: EventPlace): string {
  return `${revision} ${stream}`
}
