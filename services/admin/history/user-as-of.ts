import type { AdminUser } from '#contracts/admin/users'
import { eventMetadata } from '#contracts/events/envelope'
import type { UserId } from '#contracts/ids'
import type { StreamEvent } from '#services/event-store/event-store'
import { accountStream, billingStream } from '#services/foundation/stream-names'
import type { HistoryQueries } from './history-queries.ts'
import type { EventLogParts } from './read-events.ts'

const envelope = eventMetadata.pick({ occurredAt: true })

/**
 * The user at the instant `asOf`: the fold of the events that had happened by then. Null if the
 * account did not exist. Decrypts only events that show in the result.
 * @throws EventStoreUnavailable, UnreadableEvent
 */
export async function userAsOf(
  { store, codec }: EventLogParts,
  { userEventTypes, userFrom }: Pick<HistoryQueries, 'userEventTypes' | 'userFrom'>,
  userId: UserId,
  asOf: Date,
): Promise<AdminUser | null> {
  const hadHappened = ({ type, metadata }: StreamEvent) =>
    userEventTypes.has(type) && Date.parse(envelope.parse(metadata).occurredAt) <= asOf.getTime()
  const streams = await Promise.all([
    store.readStream(accountStream(userId)),
    store.readStream(billingStream(userId)),
  ])
  return userFrom(await codec.decodeStream(streams.flat().filter(hadHappened)), asOf)
}
