import type { PaymentMethod, SubscriptionTerms } from '#contracts/events/billing-parts'
import type { ReminderEvent } from '#contracts/events/reminder'
import type { Instant } from '#contracts/instant'
import { renewalBeforeEnd } from '#contracts/renewal-before-end'
import { isActive } from '#contracts/subscription-status'
import type { BillingState } from '#services/billing/billing-state'
import { startedSubscriptions } from '#services/billing/billing-state'
import type { StartedSubscription } from '#services/billing/subscription-state'
import { accepted, unreachable, type Decided, type Decider } from '#services/foundation/decider'

/** The names of the reminders that were due. */
export type ReminderState = ReadonlySet<string>

/** Records the reminders that are due. A repeat records nothing. */
export interface FollowDates {
  readonly type: 'follow'
  readonly billing: Pick<BillingState, 'subscriptions' | 'method'>
  /** The time of the business clock. */
  readonly at: Instant
}

const dayMs = 24 * 60 * 60_000
/**
 * Before the renewal of a period of six months or a year. New York requires 15 to 45 days for
 * consumers (General Business Law § 527-a) and 15 to 30 days for services to businesses (General
 * Obligations Law § 5-903).
 */
const renewalAheadMs = 30 * dayMs
/** Before the end of the card's last month, in UTC. */
const cardAheadMs = 30 * dayMs

/** Decides which mails a date causes: each once. */
export const reminderDecider: Decider<
  'reminder',
  ReminderState,
  FollowDates,
  ReminderEvent,
  never
> = {
  category: 'reminder',
  initialState: new Set(),

  evolve(state, event) {
    switch (event.type) {
      case 'RenewalReminderDue':
        return new Set(state).add(nameOfRenewal(event.data))
      case 'CardReminderDue':
        return new Set(state).add(nameOfCard(event.data.method))
      default:
        return unreachable(event)
    }
  },

  decide({ billing, at }, state) {
    return accepted<ReminderEvent>(
      ...datesOf(billing)
        .filter(({ from, until, name }) => from <= at && at < until && !state.has(name))
        .map(({ event, name }): Decided<ReminderEvent> => ({
          ...event,
          occurredAt: at,
          fact: name,
        })),
    )
  },
}

/** When the next reminder is due, by the business clock. Null if none is to come. */
export function nextDateAt(
  { billing, at }: Pick<FollowDates, 'billing' | 'at'>,
  state: ReminderState,
): Instant | null {
  const times = datesOf(billing)
    .filter(({ until, name }) => at < until && !state.has(name))
    .map(({ from }) => from)
  return times.sort()[0] ?? null
}

/** Whether the card is still the one that pays, and not renewed. */
export function isSameCard(card: PaymentMethod, current: PaymentMethod | null): boolean {
  return current !== null && nameOfCard(card) === nameOfCard(current)
}

/** The subscription that the provider charges again at the end of its period. */
export function renews({ status, currentPeriodEnd, cancelAt }: StartedSubscription): boolean {
  return isActive(status) && renewalBeforeEnd(currentPeriodEnd, cancelAt) !== null
}

interface Reminder {
  readonly name: string
  readonly from: Instant
  /** Afterwards the reminder is no longer true. */
  readonly until: Instant
  readonly event: ReminderEvent
}

function datesOf({
  subscriptions,
  method,
}: Pick<BillingState, 'subscriptions' | 'method'>): readonly Reminder[] {
  const renewing = startedSubscriptions({ subscriptions }).filter(renews)
  const card = method?.current ?? null
  return [
    ...renewing.filter(({ terms }) => isLong(terms)).map(renewalOf),
    ...renewing.slice(0, 1).flatMap(({ subscriptionId }) => expiryOf(subscriptionId, card)),
  ]
}

/** A planned change applies to the next period. */
function renewalOf(subscription: StartedSubscription): Reminder {
  const { subscriptionId, currentPeriodEnd: renewsAt, plannedChange } = subscription
  const isPlanned = plannedChange !== null && plannedChange.effectiveAt <= renewsAt
  const terms = isPlanned ? plannedChange.terms : subscription.terms
  return {
    name: nameOfRenewal({ subscriptionId, renewsAt }),
    from: before(renewsAt, renewalAheadMs),
    until: renewsAt,
    event: { type: 'RenewalReminderDue', data: { subscriptionId, renewsAt, ...terms } },
  }
}

function expiryOf(subscriptionId: string, method: PaymentMethod | null): readonly Reminder[] {
  if (method?.expiryYear == null || method.expiryMonth === null) return []
  // Months count from 0 here, so this is the first day after the card's last month.
  const until = new Date(Date.UTC(method.expiryYear, method.expiryMonth)).toISOString()
  return [
    {
      name: nameOfCard(method),
      from: before(until, cardAheadMs),
      until,
      event: { type: 'CardReminderDue', data: { subscriptionId, method } },
    },
  ]
}

function isLong({ interval, intervalCount }: SubscriptionTerms): boolean {
  return interval === 'year' || (interval === 'month' && intervalCount >= 6)
}

function nameOfRenewal({
  subscriptionId,
  renewsAt,
}: {
  readonly subscriptionId: string
  readonly renewsAt: Instant
}): string {
  return `${subscriptionId} renews ${renewsAt}`
}

function nameOfCard({ brand, last4, expiryMonth, expiryYear }: PaymentMethod): string {
  return `card ${brand} ${last4} expires ${expiryMonth}/${expiryYear}`
}

function before(instant: Instant, ms: number): Instant {
  return new Date(Date.parse(instant) - ms).toISOString()
}
