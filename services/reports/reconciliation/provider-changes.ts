import type { Instant } from '#contracts/instant'
import type { EventFeed } from '#services/payments/event-feed'

/** The customers that the provider's newest events are about. */
export interface ProviderChanges {
  readonly changed: ReadonlySet<string>
  /** Those of them with an event that the product has not handled. */
  readonly unhandled: ReadonlySet<string>
}

export interface ProviderChangesSource {
  readonly feed: Pick<EventFeed, 'since' | 'customerOf'>
  /** Those of the events that the product has handled. */
  readonly handled: (eventIds: readonly string[]) => Promise<ReadonlySet<string>>
}

/** What changed at the provider since `since`, by the provider's own events. */
export async function changesSince(
  { feed, handled }: ProviderChangesSource,
  since: Instant,
): Promise<ProviderChanges> {
  const notices = await feed.since(since)
  const settled = await handled(notices.map(({ eventId }) => eventId))
  const ofObject = new Map(notices.map((each) => [each.objectId, each.stripeCustomerId]))
  const changed = new Set<string>()
  const unhandled = new Set<string>()
  for (const { eventId, stripeCustomerId, reference } of notices) {
    // Mostly another event has the invoice or the charge itself.
    const customer =
      stripeCustomerId ??
      (reference && (ofObject.get(reference.id) ?? (await feed.customerOf(reference))))
    if (customer === null) continue
    changed.add(customer)
    if (!settled.has(eventId)) unhandled.add(customer)
  }
  return { changed, unhandled }
}
