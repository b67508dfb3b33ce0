import type { ProfileResponse, SessionsResponse } from '#contracts/account'
import { actorNames, eventSentence } from '#contracts/event-sentences'
import type { UserId } from '#contracts/ids'
import type { DecodedEvent } from '#services/event-store/encryption/codec'
import { categoryOf } from '#services/foundation/stream-names'

/**
 * Everything that the log holds about a customer, as a document for people. It has no key, hash or
 * id of a session. A merchant's clients and invoices are data of other people, and can be 100,000:
 * the merchant exports them from their lists.
 */
export function ownData({
  userId,
  account: { profile, ...account },
  sessions,
  events,
  now,
}: {
  readonly userId: UserId
  readonly account: ProfileResponse
  readonly sessions: SessionsResponse['sessions']
  readonly events: readonly DecodedEvent[]
  readonly now: Date
}) {
  const { email, secondary_email, created_at } = account
  return {
    about:
      'This file contains everything that the product has recorded about your account. Your clients and invoices are not in it: export them from their lists under Receivables. Amounts within "data" are in the smallest unit of the currency, such as cents. Times are in UTC.',
    made_at: now.toISOString(),
    account: { user_id: userId, email, created_at },
    addresses: [
      { email, kind: 'primary' },
      ...(secondary_email === null ? [] : [{ email: secondary_email, kind: 'secondary' }]),
    ],
    profile,
    sessions: sessions.map(({ isCurrent, signedInAt, lastSeenAt, browser }) => ({
      browser: browser ?? 'unknown',
      signed_in_at: signedInAt,
      last_seen_at: lastSeenAt,
      is_this_browser: isCurrent,
    })),
    events: events.map((event) => ({
      what_happened: eventSentence(event),
      happened_at: event.metadata.occurredAt,
      recorded_at: event.metadata.recordedAt,
      done_by: actorNames[event.metadata.actor.kind],
      area: categoryOf(event.stream),
      type: event.type,
      data: event.data,
    })),
  }
}
