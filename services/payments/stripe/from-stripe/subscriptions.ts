import type Stripe from 'stripe'
import { subscriptionStatus } from '#contracts/events/billing'
import type { Instant } from '#contracts/instant'
import type { PlanPrices } from '../../plan-prices.ts'
import type { PlannedChange } from '../../provider-change.ts'
import type {
  EndedProviderSubscription,
  Proration,
  ProviderSubscription,
  StartedProviderSubscription,
} from '../../provider-state.ts'
import { deductionsFromStripe } from './deductions.ts'
import { idOrNull, instantOf, instantOrNull, refOf } from './references.ts'
import { plannedChangeFromStripe } from './schedules.ts'
import { termsFromStripe } from './terms.ts'

/**
 * `schedules` and `prorations` can contain those of other subscriptions. `taxes` are those of the
 * newest invoice's line of the subscription. In this API version the
 * periods are on a subscription's items.
 * @throws Error if the subscription has no item or its price is not recurring
 */
export function subscriptionFromStripe(
  subscription: Stripe.Subscription,
  prices: PlanPrices,
  schedules: readonly Stripe.SubscriptionSchedule[],
  prorations: ReadonlyMap<string, readonly Proration[]>,
  taxes: readonly Stripe.InvoiceLineItem.Tax[],
): ProviderSubscription {
  const item = subscription.items.data[0]
  if (!item)
    throw new Error(
      `Stripe's subscription ${subscription.id} has no item, so its plan and period are unknown. Check the subscription in Stripe's dashboard.`,
    )
  const currentPeriodEnd = instantOf(item.current_period_end)
  const common = {
    subscriptionRef: refOf(subscription.id),
    terms: termsFromStripe(item.price, item.quantity, prices),
    // The start date can be earlier: `backdate_start_date`.
    startedAt: instantOf(subscription.created),
    currentPeriodStart: instantOf(item.current_period_start),
    currentPeriodEnd,
    prorations: prorations.get(subscription.id) ?? [],
  }
  const status = subscriptionStatus.parse(subscription.status)
  switch (status) {
    case 'canceled':
      return { ...common, kind: 'ended', ...endOf(subscription) }
    case 'incomplete_expired':
      return { ...common, kind: 'ended', ...endOf(subscription), why: 'expired' }
    default:
      return {
        ...common,
        kind: 'started',
        // A trial that ended without a means of payment pauses the subscription itself.
        status: status === 'paused' ? 'trialing' : status,
        pause: pauseOf(subscription),
        cancelAt: cancelAtOf(subscription, currentPeriodEnd),
        plannedChange: plannedChangeOf(subscription, schedules, prices),
        ...deductionsFromStripe(subscription, taxes),
      }
  }
}

/** Null without a pause. A trial that ended without a means of payment has the status `paused`. */
export function pauseOf({
  status,
  pause_collection: pause,
}: Pick<Stripe.Subscription, 'status' | 'pause_collection'>): StartedProviderSubscription['pause'] {
  if (pause !== null) return { resumesAt: instantOrNull(pause.resumes_at) }
  return status === 'paused' ? { resumesAt: null } : null
}

/**
 * With flexible billing, a scheduled cancellation sets `cancel_at` and leaves
 * `cancel_at_period_end` false.
 */
export function cancelAtOf(
  subscription: Pick<Stripe.Subscription, 'cancel_at' | 'cancel_at_period_end'>,
  currentPeriodEnd: Instant,
): Instant | null {
  if (subscription.cancel_at !== null) return instantOf(subscription.cancel_at)
  return subscription.cancel_at_period_end ? currentPeriodEnd : null
}

/** `canceled_at` is when the cancellation was requested, not the end. */
function endOf(
  subscription: Stripe.Subscription,
): Pick<EndedProviderSubscription, 'endedAt' | 'why'> {
  const wasUnpaid = subscription.cancellation_details?.reason === 'payment_failed'
  return {
    endedAt: instantOrNull(subscription.ended_at),
    why: wasUnpaid ? 'unpaid' : 'canceled',
  }
}

function plannedChangeOf(
  subscription: Stripe.Subscription,
  schedules: readonly Stripe.SubscriptionSchedule[],
  prices: PlanPrices,
): PlannedChange | null {
  const scheduleId = idOrNull(subscription.schedule)
  const schedule = schedules.find(({ id }) => id === scheduleId)
  // The schedules are listed with their prices, so no price is looked up.
  return schedule === undefined ? null : plannedChangeFromStripe(schedule, prices, new Map())
}
