import type Stripe from 'stripe'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import { historyEventTypes, historyFromStripe, type HistoryEvent } from './from-stripe/history.ts'
import { refOrNull } from './from-stripe/references.ts'
import type { PlanPrices } from '../plan-prices.ts'
import type { ProviderHistory } from '../provider-change.ts'

/**
 * The number of events that one look-up reads. Stripe lists the events of all customers together,
 * and keeps them for 30 days.
 */
const maxEvents = 1_000

/**
 * What Stripe's events report about these subscriptions, refunds and disputes since `since`. Null
 * for the newest events, as far back as a look-up reaches.
 */
export async function fetchHistory(
  stripe: Stripe,
  prices: PlanPrices,
  objectRefs: ReadonlySet<ProviderRef>,
  since: Instant | null,
): Promise<ProviderHistory> {
  const events = await stripe.events
    .list({
      types: [...historyEventTypes],
      ...(since === null ? {} : { created: { gte: Math.floor(Date.parse(since) / 1000) } }),
      limit: 100,
    })
    .autoPagingToArray({ limit: maxEvents })
  const own = events
    .filter(isHistoryEvent)
    .filter((event) => isAmong(objectRefs, objectRefOf(event)))
    .reverse()
  return historyFromStripe(own, prices, await pricesOf(stripe, own))
}

const historyTypes: ReadonlySet<string> = new Set(historyEventTypes)

function isHistoryEvent(event: Stripe.Event): event is HistoryEvent {
  return historyTypes.has(event.type)
}

/** A schedule's changes are changes of its subscription. */
function objectRefOf({ data: { object } }: HistoryEvent): ProviderRef | null {
  return refOrNull(
    object.object === 'subscription_schedule'
      ? (object.subscription ?? object.released_subscription)
      : object.id,
  )
}

function isAmong(refs: ReadonlySet<ProviderRef>, ref: ProviderRef | null): boolean {
  return ref !== null && refs.has(ref)
}

/** The prices that the phases of schedules name by their ids. */
async function pricesOf(
  stripe: Stripe,
  events: readonly HistoryEvent[],
): Promise<ReadonlyMap<string, Stripe.Price>> {
  const ids = new Set(
    events.flatMap(({ data: { object } }) =>
      object.object === 'subscription_schedule'
        ? object.phases.flatMap(({ items }) => items.map(({ price }) => price))
        : [],
    ),
  )
  const prices = await Promise.all(
    [...ids].filter((id) => typeof id === 'string').map((id) => stripe.prices.retrieve(id)),
  )
  return new Map(prices.map((price) => [price.id, price]))
}
