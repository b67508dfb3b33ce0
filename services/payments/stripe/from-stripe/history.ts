import type Stripe from 'stripe'
import type { DisputeStage } from '#contracts/dispute'
import { startedStatus } from '#contracts/events/billing'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { RefundStatus } from '#contracts/refund-status'
import { unreachable } from '#services/foundation/decider'
import type { PlanPrices } from '../../plan-prices.ts'
import { haveEqualPlannedChange, haveEqualPrice, haveEqualStanding } from '../../equal-values.ts'
import type {
  Change,
  PlanAndPeriod,
  ProviderHistory,
  Reading,
  Standing,
  SubscriptionParts,
} from '../../provider-change.ts'
import { disputeStageOf, refundStatusOf } from './after-payment.ts'
import { instantOf, refOf, refOrNull } from './references.ts'
import { plannedChangeFromStripe } from './schedules.ts'
import { cancelAtOf, pauseOf } from './subscriptions.ts'
import { termsFromStripe } from './terms.ts'

/**
 * The events of Stripe that show how an object was before and after a change, or when it closed.
 */
export const historyEventTypes = [
  'customer.subscription.updated',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'subscription_schedule.created',
  'subscription_schedule.updated',
  'subscription_schedule.released',
  'subscription_schedule.completed',
  'subscription_schedule.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'checkout.session.completed',
  'checkout.session.expired',
] as const satisfies readonly Stripe.Event['type'][]

export type HistoryEvent = Extract<Stripe.Event, { type: (typeof historyEventTypes)[number] }>
type SubscriptionEvent = Extract<HistoryEvent, { type: `customer.subscription.${string}` }>
type ScheduleEvent = Extract<HistoryEvent, { type: `subscription_schedule.${string}` }>

/** `events` are oldest first. `known` has the prices that the phases of schedules name by ids. */
export function historyFromStripe(
  events: readonly HistoryEvent[],
  prices: PlanPrices,
  known: ReadonlyMap<string, Stripe.Price>,
): ProviderHistory {
  const subscriptions = new Map<ProviderRef, ChangesByPart>()
  const refunds = new Map<ProviderRef, Reading<RefundStatus>[]>()
  const disputes = new Map<ProviderRef, Reading<DisputeStage>[]>()
  const checkouts = new Map<ProviderRef, Reading<'complete' | 'expired'>[]>()
  for (const event of events) {
    const at = instantOf(event.created)
    switch (event.type) {
      case 'customer.subscription.updated':
      case 'customer.subscription.paused':
      case 'customer.subscription.resumed':
        addSubscriptionChanges(changesOf(subscriptions, refOf(event.data.object.id)), event, prices)
        break
      case 'subscription_schedule.created':
      case 'subscription_schedule.updated':
      case 'subscription_schedule.released':
      case 'subscription_schedule.completed':
      case 'subscription_schedule.canceled': {
        const { subscription, released_subscription: released } = event.data.object
        const ref = refOrNull(subscription ?? released)
        if (ref !== null) addPlannedChange(changesOf(subscriptions, ref), event, prices, known)
        break
      }
      case 'refund.created':
      case 'refund.updated':
      case 'refund.failed':
        addTo(refunds, refOf(event.data.object.id), {
          at,
          value: refundStatusOf(event.data.object),
        })
        break
      case 'charge.dispute.created':
      case 'charge.dispute.updated':
      case 'charge.dispute.closed':
        addTo(disputes, refOf(event.data.object.id), {
          at,
          value: disputeStageOf(event.data.object),
        })
        break
      case 'checkout.session.completed':
        addTo(checkouts, refOf(event.data.object.id), { at, value: 'complete' })
        break
      case 'checkout.session.expired':
        addTo(checkouts, refOf(event.data.object.id), { at, value: 'expired' })
        break
      default:
        unreachable(event)
    }
  }
  return { subscriptions, refunds, disputes, checkouts }
}

type ChangesByPart = { [Part in keyof SubscriptionParts]: Change<SubscriptionParts[Part]>[] }

function changesOf(
  subscriptions: Map<ProviderRef, ChangesByPart>,
  ref: ProviderRef,
): ChangesByPart {
  const found = subscriptions.get(ref)
  if (found !== undefined) return found
  const changes = { plan: [], plannedChange: [], cancellation: [], standing: [] }
  subscriptions.set(ref, changes)
  return changes
}

function addTo<Value>(readings: Map<ProviderRef, Value[]>, ref: ProviderRef, reading: Value): void {
  readings.set(ref, [...(readings.get(ref) ?? []), reading])
}

/** An event contains the subscription after the change, and the old values of changed fields. */
function addSubscriptionChanges(
  changes: ChangesByPart,
  { created, data }: SubscriptionEvent,
  prices: PlanPrices,
): void {
  const at = instantOf(created)
  const { object: after, previous_attributes: previous } = data
  const item = after.items.data[0]
  if (item === undefined || previous === undefined) return
  // The type promises a whole item. A part of an item has the values that changed.
  const earlier: Partial<Stripe.SubscriptionItem> | undefined = previous.items?.data[0]
  const plan = {
    at,
    from: planOf({ ...item, ...earlier }, prices),
    to: planOf(item, prices),
  }
  const before = { ...after, ...previous }
  const cancellation = {
    at,
    from: cancelAtOf(before, plan.from.currentPeriodEnd),
    to: cancelAtOf(after, plan.to.currentPeriodEnd),
  }
  const from = standingOf(before)
  const to = standingOf(after)
  if (!haveEqualPrice(plan.from.terms, plan.to.terms)) changes.plan.push(plan)
  if (cancellation.from !== cancellation.to) changes.cancellation.push(cancellation)
  if (from !== null && to !== null && !haveEqualStanding(from, to))
    changes.standing.push({ at, from, to })
}

function planOf(item: Stripe.SubscriptionItem, prices: PlanPrices): PlanAndPeriod {
  return {
    terms: termsFromStripe(item.price, item.quantity, prices),
    currentPeriodStart: instantOf(item.current_period_start),
    currentPeriodEnd: instantOf(item.current_period_end),
  }
}

/** Null for a subscription that has ended. */
function standingOf(
  subscription: Pick<Stripe.Subscription, 'status' | 'pause_collection'>,
): Standing | null {
  const pause = pauseOf(subscription)
  if (pause !== null) return { status: 'paused', ...pause }
  const { data: status } = startedStatus.safeParse(subscription.status)
  return status === undefined ? null : { status, resumesAt: null }
}

function addPlannedChange(
  changes: ChangesByPart,
  { type, created, data }: ScheduleEvent,
  prices: PlanPrices,
  known: ReadonlyMap<string, Stripe.Price>,
): void {
  const after = data.object
  const from =
    type === 'subscription_schedule.created'
      ? null
      : plannedChangeFromStripe(beforeOf(after, data.previous_attributes, created), prices, known)
  const to = plannedChangeFromStripe(after, prices, known)
  if (!haveEqualPlannedChange(from, to))
    changes.plannedChange.push({ at: instantOf(created), from, to })
}

/**
 * The schedule before its change. Only `updated` has the old values. A schedule that ended was
 * active before, in the phase of that time.
 */
function beforeOf(
  after: Stripe.SubscriptionSchedule,
  previous: Partial<Stripe.SubscriptionSchedule> | undefined,
  at: number,
): Stripe.SubscriptionSchedule {
  if (previous !== undefined) {
    const { current_phase: phase } = previous
    // Of a changed phase, Stripe can send only the changed fields.
    const current_phase = phase ? { ...after.current_phase, ...phase } : phase
    return { ...after, ...previous, ...(phase === undefined ? {} : { current_phase }) }
  }
  const phase = after.phases.findLast(({ start_date }) => start_date <= at) ?? null
  return { ...after, status: 'active', current_phase: phase }
}
