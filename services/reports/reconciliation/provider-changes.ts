import type { ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { EventFeed } from '#services/payments/event-feed'

/** The customers that the provider's newest events are about. */
export interface ProviderChanges {
  readonly changed: ReadonlySet<ProviderRef>
  /** Those of them with an event that the product has not handled. */
  readonly unhandled: ReadonlySet<ProviderRef>
}

export interface ProviderChangesSource {
  readonly feed: Pick<EventFeed, 'since' | 'customerOf'>
  /** Those of the events that the product has handled. */
  readonly handled: (eventRefs: readonly ProviderRef[]) => Promise<ReadonlySet<ProviderRef>>
}

/** What changed at the provider since `since`, by the provider's own events. */
export async function changesSince(
  { feed, handled }: ProviderChangesSource,
  since: Instant,
): Promise<ProviderChanges> {
  const providerEvents = await feed.since(since)
  const settled = await handled(providerEvents.map(({ eventRef }) => eventRef))
  const ofObject = new Map(providerEvents.map((each) => [each.objectRef, each.customerRef]))
  const changed = new Set<ProviderRef>()
  const unhandled = new Set<ProviderRef>()
  for (const { eventRef, customerRef, reference } of providerEvents) {
    // Mostly another event has the invoice or the charge itself.
    const customer =
      customerRef ??
      (reference && (ofObject.get(reference.ref) ?? (await feed.customerOf(reference))))
    if (customer === null) continue
    changed.add(customer)
    if (!settled.has(eventRef)) unhandled.add(customer)
  }
  return { changed, unhandled }
}
