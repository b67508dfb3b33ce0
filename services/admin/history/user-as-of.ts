import { LRUCache } from 'lru-cache'
import type { AdminUser } from '#contracts/admin/users'
import { eventCatalogue } from '#contracts/events/catalogue'
import type { UserId } from '#contracts/ids'
import { createKeylessCodec, type DecodedEvent } from '#services/event-store/encryption/codec'
import { accountStream, billingStream } from '#services/foundation/stream-names'
import type { HistoryQueries } from './history-queries.ts'
import type { EventLogParts } from './read-events.ts'

/**
 * Decodes without decryption: a personal field reads as '[erased]'. No field of the shown user
 * comes from a personal field of the billing stream, and a payment has eight of them.
 */
const withoutKeys = createKeylessCodec()

/** Of all users. An event takes about 1 kB. */
const maxEventsInMemory = 20_000

/** The beginning of a billing stream. */
interface KnownEvents {
  /** Those that the fold uses. */
  readonly events: readonly DecodedEvent[]
  readonly nextRevision: number
}

/**
 * Returns the user at the instant `asOf`: the fold of the events that had happened by then. Null if
 * the account did not exist. Keeps decoded billing streams of the users that were read last: an
 * administrator who moves through a history requests the same user again and again. Events never
 * change, and these have no personal data, so an erasure changes nothing in memory.
 * @throws EventStoreUnavailable, UnreadableEvent (both by the returned function)
 */
export function createUserAsOf(
  log: EventLogParts,
  queries: Pick<HistoryQueries, 'userEventTypes' | 'userFrom'>,
): (userId: UserId, asOf: Date) => Promise<AdminUser | null> {
  const known = new LRUCache<UserId, KnownEvents>({
    maxSize: maxEventsInMemory,
    sizeCalculation: ({ events }) => events.length + 1,
  })
  // To decode an unknown type fails: a newer release may fold it.
  const isFolded = ({ type }: { readonly type: string }) =>
    queries.userEventTypes.has(type) || !Object.hasOwn(eventCatalogue, type)

  async function billingOf(userId: UserId): Promise<readonly DecodedEvent[]> {
    const before = known.get(userId) ?? { events: [], nextRevision: 0 }
    const stored = await log.store.readStream(billingStream(userId), before.nextRevision)
    const last = stored.at(-1)
    if (last === undefined) return before.events
    const decoded = await withoutKeys.decodeStream(stored.filter(isFolded))
    const events = [...before.events, ...decoded]
    known.set(userId, { events, nextRevision: last.revision + 1 })
    return events
  }

  return async (userId, asOf) => {
    const [account, billing] = await Promise.all([
      log.store
        .readStream(accountStream(userId))
        .then((stored) => log.codec.decodeStream(stored.filter(isFolded))),
      billingOf(userId),
    ])
    const hadHappened = ({ metadata }: DecodedEvent) =>
      Date.parse(metadata.occurredAt) <= asOf.getTime()
    return queries.userFrom([...account, ...billing].filter(hadHappened), asOf)
  }
}
