import type { BillingEvent, SubscriptionTerms } from '#contracts/events/billing'
import type { SubscriptionId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { unreachable, type Decided } from '#services/foundation/decider'
import type {
  ProviderCheckout,
  ProviderInvoice,
  ProviderState,
  ProviderSubscription,
} from '#services/payments/provider-state'
import {
  evolveBilling,
  type BillingState,
  type StartedSubscription,
  type SubscriptionState,
} from './billing-state.ts'
import { paymentIdOf, subscriptionIdOf } from './product-ids.ts'

type Fact = Decided<BillingEvent> & { readonly fact: string }

/**
 * The differences between the provider's state and the billing stream, as facts. The same
 * difference gives the same facts on every path (webhook, the confirmation page's sync, a
 * reconciler). Without a difference the result is empty. `seenAt` dates the changes that the
 * provider does not date.
 */
export function reconcile(
  state: BillingState,
  providerState: ProviderState,
  seenAt: Instant,
): readonly Fact[] {
  return [
    ...checkoutFacts(state, providerState.checkouts),
    ...providerState.subscriptions.flatMap((subscription) =>
      subscriptionFacts(state, subscription, seenAt),
    ),
    ...providerState.invoices.flatMap((invoice) => invoiceFacts(state, invoice)),
  ]
}

/**
 * The facts about the open checkout. A session whose answer was lost is found here by its checkout
 * id. Only the recorded session's expiry releases a reservation with a session.
 */
function checkoutFacts(state: BillingState, checkouts: readonly ProviderCheckout[]): Fact[] {
  const open = state.openCheckout
  if (open === null) return []
  const { checkoutId } = open
  const own = checkouts.filter((each) => each.checkoutId === checkoutId)
  const complete = own.find(({ status }) => status === 'complete')
  if (complete !== undefined) {
    const { sessionId, at: occurredAt } = complete
    return [
      {
        type: 'CheckoutCompleted',
        data: { checkoutId, sessionId },
        occurredAt,
        fact: `${sessionId} completed`,
      },
    ]
  }
  const session =
    open.session === null
      ? (own.find(({ status }) => status === 'open') ?? own.at(-1))
      : own.find(({ sessionId }) => sessionId === open.session?.sessionId)
  if (session === undefined) return []
  if (session.status === 'expired') return [expiredFact(checkoutId, session.at)]
  return open.session === null ? [sessionOpenedFact(session, session.at)] : []
}

export function sessionOpenedFact(
  {
    checkoutId,
    sessionId,
    expiresAt,
  }: Pick<ProviderCheckout, 'checkoutId' | 'sessionId' | 'expiresAt'>,
  occurredAt: Instant,
): Fact {
  return {
    type: 'CheckoutSessionOpened',
    data: { checkoutId, sessionId, expiresAt },
    occurredAt,
    fact: `${checkoutId} session ${sessionId}`,
  }
}

export function expiredFact(checkoutId: string, occurredAt: Instant): Fact {
  return {
    type: 'CheckoutExpired',
    data: { checkoutId },
    occurredAt,
    fact: `${checkoutId} expired`,
  }
}

function subscriptionFacts(
  state: BillingState,
  seen: ProviderSubscription,
  seenAt: Instant,
): Fact[] {
  const subscriptionId = subscriptionIdOf(seen.stripeSubscriptionId)
  const known = state.subscriptions.get(subscriptionId)
  if (!known) {
    // The customer never had this subscription.
    if (seen.kind === 'ended' && seen.why === 'expired') return []
    const started = startedFact(subscriptionId, seen)
    const afterStart = evolveBilling(state, started).subscriptions.get(subscriptionId)
    return afterStart ? [started, ...changeFacts(afterStart, seen, seenAt)] : [started]
  }
  return changeFacts(known, seen, seenAt)
}

function startedFact(subscriptionId: SubscriptionId, seen: ProviderSubscription): Fact {
  const { stripeSubscriptionId, terms, currentPeriodStart, currentPeriodEnd } = seen
  return {
    type: 'SubscriptionStarted',
    data: {
      subscriptionId,
      stripeSubscriptionId,
      ...terms,
      status: seen.kind === 'ended' ? 'active' : seen.status,
      currentPeriodStart,
      currentPeriodEnd,
    },
    occurredAt: seen.startedAt,
    fact: `${stripeSubscriptionId} started`,
  }
}

/** The end is final: a later answer about an ended subscription adds no facts. */
function changeFacts(
  known: SubscriptionState,
  seen: ProviderSubscription,
  seenAt: Instant,
): Fact[] {
  if (known.kind === 'ended') return []
  const { subscriptionId } = known
  const id = seen.stripeSubscriptionId
  const facts: Fact[] = periodFacts(known, seen, seenAt)

  if (seen.cancelAt !== known.cancelAt) {
    const number = known.cancellationChanges + 1
    facts.push(
      seen.cancelAt === null
        ? {
            type: 'CancellationWithdrawn',
            data: { subscriptionId },
            occurredAt: seenAt,
            fact: `${id} cancellation ${number} withdrawn`,
          }
        : {
            type: 'CancellationScheduled',
            data: { subscriptionId, effectiveAt: seen.cancelAt },
            occurredAt: seenAt,
            fact: `${id} cancellation ${number} at ${seen.cancelAt}`,
          },
    )
  }
  return [...facts, ...statusFacts(known, seen, seenAt)]
}

/**
 * A new plan, or else a new period. A plan change can shorten the period: the provider starts a new
 * period when the interval changes.
 */
function periodFacts(
  known: StartedSubscription,
  seen: ProviderSubscription,
  seenAt: Instant,
): Fact[] {
  const { subscriptionId, terms } = known
  const { stripeSubscriptionId: id, currentPeriodStart, currentPeriodEnd } = seen
  if (!haveEqualPrice(terms, seen.terms)) {
    const startsPeriod = currentPeriodStart > known.currentPeriodStart
    const { priceId, quantity } = seen.terms
    return [
      {
        type: 'PlanChanged',
        data: {
          subscriptionId,
          from: terms,
          to: seen.terms,
          effectiveAt: startsPeriod ? currentPeriodStart : seenAt,
          currentPeriodStart,
          currentPeriodEnd,
        },
        occurredAt: seenAt,
        fact: `${id} plan ${known.planChanges + 1} ${priceId} × ${quantity}`,
      },
    ]
  }
  if (currentPeriodEnd <= known.currentPeriodEnd) return []
  return [
    {
      type: 'SubscriptionRenewed',
      data: { subscriptionId, currentPeriodStart, currentPeriodEnd },
      occurredAt: currentPeriodStart,
      fact: `${id} period_end ${currentPeriodEnd}`,
    },
  ]
}

/**
 * The names of a plan are the product's: only the price, the quantity and the interval can change.
 */
function haveEqualPrice(a: SubscriptionTerms, b: SubscriptionTerms): boolean {
  return (
    a.priceId === b.priceId &&
    a.price.amount === b.price.amount &&
    a.price.currency === b.price.currency &&
    a.interval === b.interval &&
    a.intervalCount === b.intervalCount &&
    a.quantity === b.quantity
  )
}

function statusFacts(
  known: StartedSubscription,
  seen: ProviderSubscription,
  seenAt: Instant,
): Fact[] {
  const { subscriptionId } = known
  const id = seen.stripeSubscriptionId
  switch (seen.kind) {
    case 'ended': {
      const { endedAt, why } = seen
      return [
        {
          type: 'SubscriptionEnded',
          data: { subscriptionId, why, endedAt },
          occurredAt: endedAt,
          fact: `${id} ended`,
        },
      ]
    }
    case 'started':
      if (seen.status === known.status) return []
      return [
        {
          type: 'SubscriptionStatusChanged',
          data: { subscriptionId, from: known.status, to: seen.status },
          occurredAt: seenAt,
          fact: `${id} status ${known.statusChanges + 1} ${seen.status}`,
        },
      ]
    default:
      return unreachable(seen)
  }
}

function invoiceFacts(state: BillingState, invoice: ProviderInvoice): Fact[] {
  const known = state.invoices.get(invoice.invoiceId)
  if (known?.kind === 'paid') return []
  const { invoiceId, planName, method, outcome } = invoice
  const common = {
    paymentId: paymentIdOf(invoiceId),
    invoiceId,
    stripePaymentIntentId: invoice.paymentIntentId,
    subscriptionId:
      invoice.stripeSubscriptionId === null ? null : subscriptionIdOf(invoice.stripeSubscriptionId),
    planName,
    method,
  }
  switch (outcome.kind) {
    case 'paid': {
      const { planId, total, subtotal, periodStart, periodEnd, billed } = invoice
      return [
        {
          type: 'PaymentSucceeded',
          data: { ...common, planId, total, subtotal, periodStart, periodEnd, ...billed },
          occurredAt: outcome.at,
          fact: `${invoiceId} paid`,
        },
      ]
    }
    case 'failed': {
      const { attempt, reason, nextAttemptAt } = outcome
      if (known !== undefined && known.attempt >= attempt) return []
      return [
        {
          type: 'PaymentFailed',
          data: { ...common, due: invoice.total, attempt, reason, nextAttemptAt },
          occurredAt: outcome.at,
          fact: `${invoiceId} failed ${attempt}`,
        },
      ]
    }
    default:
      return unreachable(outcome)
  }
}
