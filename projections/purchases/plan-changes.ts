import { intervalText } from '#contracts/billing-interval'
import type { BillingEvent } from '#contracts/events/billing'
import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { ChangeRow, PlannedChange, SubscriptionRow } from './rows.ts'

type Event<Type extends BillingEvent['type']> = RecordedEvent<Extract<BillingEvent, { type: Type }>>

/** The columns of a plan. */
export function planColumns(terms: SubscriptionTerms) {
  return {
    plan_id: terms.planId,
    plan_name: terms.planName,
    price_minor: terms.price.amount,
    currency: terms.price.currency,
    interval_unit: terms.interval,
    interval_count: terms.intervalCount,
    quantity: terms.quantity,
  }
}

/** The change row of a plan change that has taken effect or is planned. */
export function planChangeRow(
  subscription: SubscriptionRow,
  event: Event<'PlanChanged' | 'PlanChangeScheduled'>,
  nextBilling: Date | null,
): ChangeRow {
  const { from, to, effectiveAt } = event.data
  const proration = event.type === 'PlanChanged' ? event.data.proration : null
  return {
    change_id: event.id,
    user_id: subscription.user_id,
    subscription_id: subscription.subscription_id,
    change_type: isUpgrade(from, to) ? 'upgrade' : 'downgrade',
    requested_at: new Date(event.metadata.occurredAt),
    effective_at: new Date(effectiveAt),
    withdrawn_at: null,
    old_plan_name: from.planName,
    new_plan_name: to.planName,
    old_interval: intervalOf(from),
    new_interval: intervalOf(to),
    old_next_billing: subscription.current_period_end,
    new_next_billing: nextBilling,
    proration_minor: proration?.amount ?? null,
    currency: to.price.currency,
  }
}

export function plannedChangeOf(event: Event<'PlanChangeScheduled'>): PlannedChange {
  const { to, effectiveAt } = event.data
  return { ...planColumns(to), starts_at: effectiveAt, change_id: event.id }
}

/** Whether the subscription planned the change that has taken effect now. */
export function isPlanned(
  { planned_change: planned }: SubscriptionRow,
  { to }: Event<'PlanChanged'>['data'],
): boolean {
  return (
    planned !== null &&
    planned.price_minor === to.price.amount &&
    planned.currency === to.price.currency &&
    planned.interval_unit === to.interval &&
    planned.interval_count === to.intervalCount &&
    planned.quantity === to.quantity &&
    planned.plan_id === to.planId
  )
}

function intervalOf({ interval, intervalCount }: SubscriptionTerms): string {
  return intervalText({ unit: interval, count: intervalCount })
}

/**
 * The plan with the larger invoice is the higher plan. So an annual plan is higher than a monthly
 * plan.
 */
function isUpgrade(from: SubscriptionTerms, to: SubscriptionTerms): boolean {
  return to.price.amount * to.quantity >= from.price.amount * from.quantity
}
