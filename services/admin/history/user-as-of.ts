import type { AdminUser } from '#contracts/admin/users'
import { eventMetadata } from '#contracts/events/envelope'
import type { UserId } from '#contracts/ids'
import { createCodec } from '#services/event-store/encryption/codec'
import type { StreamEvent } from '#services/event-store/event-store'
import { accountStream, billingStream } from '#services/foundation/stream-names'
import type { HistoryQueries } from './history-queries.ts'
import type { EventLogParts } from './read-events.ts'

const envelope = eventMetadata.pick({ occurredAt: true })

/**
 * Decodes without decryption: a personal field reads as '[erased]'. No field of the shown user
 * comes from a personal field of the billing stream, and a payment has eight of them.
 */
const withoutKeys = createCodec({
  forReading: () => Promise.resolve(new Map()),
  forWriting: () => Promise.resolve(null),
})

/**
 * The user at the instant `asOf`: the fold of the events that had happened by then. Null if the
 * account did not exist.
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
  const [account, billing] = await Promise.all([
    store.readStream(accountStream(userId)),
    store.readStream(billingStream(userId)),
  ])
  const events = await Promise.all([
    codec.decodeStream(account.filter(hadHappened)),
    withoutKeys.decodeStream(billing.filter(hadHappened)),
  ])
  return userFrom(events.flat(), asOf)
}
