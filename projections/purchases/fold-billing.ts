import type { BillingEvent, SubscriptionTerms } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { statusAfter } from '#contracts/subscription-status'
import { intervalText } from '#contracts/billing-interval'
import { unreachable } from '#services/foundation/decider'
import { streamOwner } from '#services/foundation/stream-names'
import { chargeOf, failedChargeOf } from './charges.ts'
import type { ChangeRow, ChargeRow, SubscriptionRow } from './rows.ts'

/** The rows that a batch reads and changes, by id. */
export interface BillingRows {
  readonly subscriptions: Map<string, SubscriptionRow>
  readonly charges: Map<string, ChargeRow>
  readonly changes: Map<string, ChangeRow>
}

/** Checkouts and the link to the provider's customer change no purchase. */
export const ignoredBillingTypes = [
  'PaymentCustomerLinked',
  'CheckoutStarted',
  'CheckoutSessionOpened',
  'CheckoutCompleted',
  'CheckoutExpired',
  'CheckoutFailed',
] as const

export type FoldedBillingEvent = Exclude<
  BillingEvent,
  { type: (typeof ignoredBillingTypes)[number] }
>

type Event<Type extends BillingEvent['type']> = RecordedEvent<Extract<BillingEvent, { type: Type }>>

/** Folds one event into the rows of its batch. */
export function foldBilling(rows: BillingRows, event: RecordedEvent<FoldedBillingEvent>): void {
  switch (event.type) {
    case 'SubscriptionStarted':
      return setSubscription(rows, startedSubscription(event))
    case 'SubscriptionRenewed':
      return setSubscription(rows, {
        ...subscriptionOf(rows, event.data),
        current_period_start: new Date(event.data.currentPeriodStart),
        current_period_end: new Date(event.data.currentPeriodEnd),
      })
    case 'SubscriptionStatusChanged':
      return setStatus(rows, event)
    case 'PlanChanged':
      return changePlan(rows, event)
    case 'CancellationScheduled':
      return scheduleCancellation(rows, event)
    case 'CancellationWithdrawn':
      return withdrawCancellation(rows, event)
    case 'SubscriptionEnded':
      return endSubscription(rows, event)
    case 'PaymentSucceeded':
      return setCharge(rows, chargeOf(event))
    case 'PaymentFailed':
      return setCharge(rows, failedChargeOf(event))
    default:
      return unreachable(event)
  }
}

function subscriptionOf(
  rows: BillingRows,
  { subscriptionId }: { subscriptionId: string },
): SubscriptionRow {
  const known = rows.subscriptions.get(subscriptionId)
  if (!known)
    throw new Error(
      `Subscription ${subscriptionId} has no SubscriptionStarted before this event. Run 'billing events verify'.`,
    )
  return known
}

function setSubscription(rows: BillingRows, subscription: SubscriptionRow): void {
  rows.subscriptions.set(subscription.subscription_id, subscription)
}

/** An end is final: the status of an ended subscription does not change. */
function setStatus(rows: BillingRows, { data }: Event<'SubscriptionStatusChanged'>): void {
  const subscription = subscriptionOf(rows, data)
  if (subscription.ended_at === null) setSubscription(rows, { ...subscription, status: data.to })
}

function setCharge(rows: BillingRows, charge: ChargeRow): void {
  rows.charges.set(charge.charge_id, charge)
}

function startedSubscription({
  stream,
  data,
  metadata,
}: Event<'SubscriptionStarted'>): SubscriptionRow {
  return {
    subscription_id: data.subscriptionId,
    user_id: streamOwner(stream),
    stripe_subscription_id: data.stripeSubscriptionId,
    plan_id: data.planId,
    plan_name: data.planName,
    price_minor: data.price.amount,
    currency: data.price.currency,
    interval_unit: data.interval,
    interval_count: data.intervalCount,
    quantity: data.quantity,
    status: data.status,
    started_at: new Date(metadata.occurredAt),
    current_period_start: new Date(data.currentPeriodStart),
    current_period_end: new Date(data.currentPeriodEnd),
    cancel_at: null,
    cancellation_id: null,
    ended_at: null,
  }
}

function changePlan(rows: BillingRows, event: Event<'PlanChanged'>): void {
  const { from, to, effectiveAt, currentPeriodStart, currentPeriodEnd } = event.data
  const subscription = subscriptionOf(rows, event.data)
  const nextBilling = new Date(currentPeriodEnd)
  rows.changes.set(event.id, {
    change_id: event.id,
    user_id: subscription.user_id,
    subscription_id: subscription.subscription_id,
    change_type: isUpgrade(from, to) ? 'upgrade' : 'downgrade',
    requested_at: new Date(event.metadata.occurredAt),
    effective_at: new Date(effectiveAt),
    withdrawn_at: null,
    old_plan_name: from.planName,
    new_plan_name: to.planName,
    old_interval: intervalText({ unit: from.interval, count: from.intervalCount }),
    new_interval: intervalText({ unit: to.interval, count: to.intervalCount }),
    old_next_billing: subscription.current_period_end,
    new_next_billing: nextBilling,
    proration_minor: null,
    currency: to.price.currency,
  })
  setSubscription(rows, {
    ...subscription,
    plan_id: to.planId,
    plan_name: to.planName,
    price_minor: to.price.amount,
    currency: to.price.currency,
    interval_unit: to.interval,
    interval_count: to.intervalCount,
    quantity: to.quantity,
    current_period_start: new Date(currentPeriodStart),
    current_period_end: nextBilling,
  })
}

/**
 * The plan with the larger invoice is the higher plan. So an annual plan is higher than a monthly
 * plan.
 */
function isUpgrade(from: SubscriptionTerms, to: SubscriptionTerms): boolean {
  return to.price.amount * to.quantity >= from.price.amount * from.quantity
}

/**
 * Adds a change at the first request. A repeated request only changes the effective date of the
 * same change.
 */
function scheduleCancellation(rows: BillingRows, event: Event<'CancellationScheduled'>): void {
  const subscription = subscriptionOf(rows, event.data)
  const effectiveAt = new Date(event.data.effectiveAt)
  const change = changeOf(rows, subscription) ?? cancellationOf(subscription, event, effectiveAt)
  rows.changes.set(change.change_id, { ...change, effective_at: effectiveAt })
  setSubscription(rows, {
    ...subscription,
    cancel_at: effectiveAt,
    cancellation_id: change.change_id,
  })
}

function withdrawCancellation(rows: BillingRows, event: Event<'CancellationWithdrawn'>): void {
  const subscription = subscriptionOf(rows, event.data)
  const change = changeOf(rows, subscription)
  if (change)
    rows.changes.set(change.change_id, {
      ...change,
      withdrawn_at: new Date(event.metadata.occurredAt),
    })
  setSubscription(rows, { ...subscription, cancel_at: null, cancellation_id: null })
}

/**
 * If no cancellation was scheduled, the end adds a cancellation that takes effect at once. The end
 * of a subscription that was never paid is no cancellation.
 */
function endSubscription(rows: BillingRows, event: Event<'SubscriptionEnded'>): void {
  const subscription = subscriptionOf(rows, event.data)
  const endedAt = new Date(event.data.endedAt)
  const ended = { ...subscription, status: statusAfter(event.data.why), ended_at: endedAt }
  if (event.data.why === 'expired') return setSubscription(rows, ended)
  const change = changeOf(rows, subscription) ?? cancellationOf(subscription, event, endedAt)
  rows.changes.set(change.change_id, { ...change, effective_at: endedAt })
  setSubscription(rows, { ...ended, cancellation_id: change.change_id })
}

function changeOf(rows: BillingRows, { cancellation_id }: SubscriptionRow): ChangeRow | undefined {
  return cancellation_id === null ? undefined : rows.changes.get(cancellation_id)
}

function cancellationOf(
  subscription: SubscriptionRow,
  event: RecordedEvent<FoldedBillingEvent>,
  effectiveAt: Date,
): ChangeRow {
  return {
    change_id: event.id,
    user_id: subscription.user_id,
    subscription_id: subscription.subscription_id,
    change_type: 'cancellation',
    requested_at: new Date(event.metadata.occurredAt),
    effective_at: effectiveAt,
    withdrawn_at: null,
    old_plan_name: subscription.plan_name,
    new_plan_name: null,
    old_interval: intervalText({
      count: subscription.interval_count,
      unit: subscription.interval_unit,
    }),
    new_interval: null,
    old_next_billing: subscription.current_period_end,
    new_next_billing: null,
    proration_minor: null,
    currency: subscription.currency,
  }
}
