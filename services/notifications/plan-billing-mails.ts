import { isDeepStrictEqual } from 'node:util'
import { isActivation } from '#contracts/subscription-status'
import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import { parseSubscriptionId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { renewalBeforeEnd } from '#contracts/renewal-before-end'
import type { BillingState } from '#services/billing/billing-state'
import type { StartedSubscription } from '#services/billing/subscription-state'
import { onboardingEnd } from '#services/foundation/business-hours'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import { haveEqualPlannedChange, haveEqualPrice } from '#services/payments/equal-values'
import type { EventOf } from '#services/reactors/reactor'
import type { Known } from './known.ts'
import type { Links } from './links.ts'
import type { PlanEnd, Price } from './notification.ts'
import { toCustomer, type PlannedMail } from './planned-mail.ts'

/** A failed payment has the mails of its reminders. */
export const billingMails = eventConsumer({
  name: 'mails: billing',
  concernedBy: ['subscription', 'customer', 'payment'],
  ignores: [
    'PaymentCustomerLinked',
    'BillingDetailsChanged',
    'SubscriptionRenewed',
    'SubscriptionPaused',
    'SubscriptionResumed',
    'RecurringDeductionsChanged',
    'PaymentFailed',
    'UnpaidInvoiceChanged',
    'InvoiceWrittenOff',
  ],
})
type AboutBilling = EventOf<FoldedBy<typeof billingMails>>

type AboutPayment = EventOf<'PaymentSucceeded'>

const hasEnded = 'the subscription has ended'

/** The mails about subscriptions and payments. Pure. @throws Error if the receipt is missing */
// A table: one case per event, with the values of its mail.
// oxlint-disable-next-line max-lines-per-function
export function planBillingMails(
  event: AboutBilling,
  { account, billing, billingBefore, failedInvoices, receipt }: Known,
  links: Links,
): readonly PlannedMail[] {
  switch (event.type) {
    case 'SubscriptionStarted':
    case 'SubscriptionStatusChanged': {
      const [from, to] =
        event.type === 'SubscriptionStarted'
          ? [null, event.data.status]
          : [event.data.from, event.data.to]
      if (!isActivation(from, to)) return []
      const { subscriptionId } = event.data
      const now = subscriptionIn(billing, subscriptionId)
      return toCustomer('subscription-activated', account, now ? null : hasEnded, ({ name }) => {
        const { terms, currentPeriodEnd: renewsAt, cancelAt: endsAt } = known(now)
        return {
          kind: 'subscription-activated',
          name,
          planName: terms.planName,
          price: priceOf(terms),
          startedAt: event.metadata.occurredAt,
          onboardingEndsAt: onboardingEnd(event.metadata.occurredAt),
          renewsAt,
          endsAt,
          portalUrl: links.managePlan(subscriptionId),
        }
      })
    }
    case 'PaymentSucceeded': {
      if (!hasReceiptMail(event.data)) return []
      return toCustomer('receipt', account, null, ({ name }) => ({
        kind: 'receipt',
        name,
        receipt: known(receipt ?? undefined),
        paidBy: event.data.paidBy,
        end: planEndIn(billing, event.data.subscriptionId),
      }))
    }
    case 'CancellationScheduled': {
      const { subscriptionId, effectiveAt } = event.data
      const now = subscriptionIn(billing, subscriptionId)
      const outdated =
        now === undefined
          ? hasEnded
          : now.cancelAt === effectiveAt
            ? null
            : 'the cancellation was withdrawn or moved'
      return toCustomer('cancellation-scheduled', account, outdated, ({ name }) => ({
        kind: 'cancellation-scheduled',
        name,
        planName: known(now).terms.planName,
        at: event.metadata.occurredAt,
        endsAt: effectiveAt,
        renewsAt: renewalOf(known(now)),
        isPaused: known(now).status === 'paused' && effectiveAt > known(now).currentPeriodEnd,
        isUnpaid: failedInvoices.some(
          (each) => each.subscriptionId === subscriptionId && each.standing === 'unpaid',
        ),
        keepUrl: links.keepPlan(subscriptionId),
      }))
    }
    case 'CancellationWithdrawn': {
      const { subscriptionId } = event.data
      const now = subscriptionIn(billing, subscriptionId)
      const outdated =
        now === undefined ? hasEnded : now.cancelAt === null ? null : 'it was canceled again'
      return toCustomer('cancellation-withdrawn', account, outdated, ({ name }) => ({
        kind: 'cancellation-withdrawn',
        name,
        planName: known(now).terms.planName,
        renewsAt: renewalOf(known(now)),
        portalUrl: links.managePlan(subscriptionId),
      }))
    }
    case 'SubscriptionEnded': {
      const { subscriptionId, endedAt, why } = event.data
      if (why === 'blocked' || why === 'expired') return []
      const former = subscriptionIn(billingBefore, subscriptionId)
      if (former === undefined) return []
      return toCustomer('subscription-ended', account, null, ({ name }) => ({
        kind: 'subscription-ended',
        name,
        planName: former.terms.planName,
        endedAt,
        why,
        wasScheduled: former.cancelAt !== null,
        pricingUrl: links.pricing,
      }))
    }
    case 'PaymentMethodChanged': {
      const { method } = event.data
      const former = billingBefore.method
      // The product learned the first means, for example that of a trial.
      if (former === null) return []
      const outdated = isDeepStrictEqual(billing.method?.current ?? null, method)
        ? null
        : 'it was changed again'
      return toCustomer('payment-method-changed', account, outdated, ({ name }) => ({
        kind: 'payment-method-changed',
        name,
        method,
        former: former.current,
        at: event.metadata.occurredAt,
        portalUrl: links.replaceCard,
      }))
    }
    case 'PlanChanged': {
      const { subscriptionId, from, to, proration } = event.data
      const now = subscriptionIn(billing, subscriptionId)
      const outdated =
        now === undefined
          ? hasEnded
          : haveEqualPrice(now.terms, to)
            ? null
            : 'the plan was changed again'
      return toCustomer('plan-changed', account, outdated, ({ name }) => ({
        kind: 'plan-changed',
        name,
        planName: to.planName,
        formerPlanName: from.planName,
        price: priceOf(to),
        proration,
        beginsPeriod: from.interval !== to.interval || from.intervalCount !== to.intervalCount,
        changedAt: event.data.effectiveAt,
        renewsAt: known(now).currentPeriodEnd,
        endsAt: known(now).cancelAt,
        portalUrl: links.managePlan(subscriptionId),
      }))
    }
    case 'PlanChangeScheduled': {
      const { subscriptionId, from, to, effectiveAt } = event.data
      const now = subscriptionIn(billing, subscriptionId)
      const planned = { terms: to, effectiveAt }
      const outdated =
        now === undefined
          ? hasEnded
          : haveEqualPlannedChange(now.plannedChange, planned)
            ? null
            : 'the planned change took effect or was replaced'
      return toCustomer('plan-change-scheduled', account, outdated, ({ name }) => ({
        kind: 'plan-change-scheduled',
        name,
        planName: to.planName,
        formerPlanName: from.planName,
        price: priceOf(to),
        at: event.metadata.occurredAt,
        startsAt: effectiveAt,
        portalUrl: links.managePlan(subscriptionId),
      }))
    }
    case 'PlanChangeDropped': {
      const { subscriptionId } = event.data
      const now = subscriptionIn(billing, subscriptionId)
      const former = subscriptionIn(billingBefore, subscriptionId)
      const outdated =
        now === undefined
          ? hasEnded
          : now.plannedChange === null
            ? null
            : 'another change was planned'
      return toCustomer('plan-change-dropped', account, outdated, ({ name }) => ({
        kind: 'plan-change-dropped',
        name,
        planName: known(now).terms.planName,
        plannedPlanName: former?.plannedChange?.terms.planName ?? null,
        price: priceOf(known(now).terms),
        renewsAt: known(now).currentPeriodEnd,
        endsAt: known(now).cancelAt,
        portalUrl: links.managePlan(subscriptionId),
      }))
    }
    default:
      return unreachable(event)
  }
}

/**
 * Not for an invoice of no money, which is part of a plan change with a mail of its own, and not
 * for an invoice on which nothing was due.
 */
export function hasReceiptMail({ amounts, paidBy }: AboutPayment['data']): boolean {
  return amounts.total > 0 && paidBy.length > 0
}

/** The subscription if it has not ended. */
export function subscriptionIn(
  { subscriptions }: Pick<BillingState, 'subscriptions'>,
  subscriptionId: string,
): StartedSubscription | undefined {
  const found = subscriptions.get(parseSubscriptionId(subscriptionId))
  return found?.kind === 'started' ? found : undefined
}

/** The next renewal at which the provider charges; null in a pause, or if the plan ends before. */
function renewalOf({ status, currentPeriodEnd, cancelAt }: StartedSubscription): Instant | null {
  return status === 'paused' ? null : renewalBeforeEnd(currentPeriodEnd, cancelAt)
}

/** The past or scheduled end of the subscription. Null while it continues. */
export function planEndIn(
  { subscriptions }: Pick<BillingState, 'subscriptions'>,
  subscriptionId: string | null,
): PlanEnd | null {
  if (subscriptionId === null) return null
  const found = subscriptions.get(parseSubscriptionId(subscriptionId))
  if (found?.kind === 'ended') return { at: found.endedAt, isPast: true }
  return found === undefined || found.cancelAt === null
    ? null
    : { at: found.cancelAt, isPast: false }
}

export function priceOf({
  price: { amount, currency },
  quantity,
  interval,
  intervalCount,
}: SubscriptionTerms): Price {
  return { amount: { amount: amount * quantity, currency }, interval, intervalCount }
}

/** A value that a true mail has. */
function known<Value>(value: Value | undefined): Value {
  if (value === undefined)
    throw new Error('A mail lacks what it is about. This is a bug; report it.')
  return value
}
