import type Stripe from 'stripe'
import {
  paymentMethod,
  subscriptionStatus,
  type PaymentMethod,
  type SubscriptionEnd,
  type SubscriptionTerms,
} from '#contracts/events/billing'
import { isCheckoutId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { PlanPrices } from './plan-prices.ts'
import type { ProviderCheckout, ProviderInvoice, ProviderSubscription } from './provider-state.ts'

/*
 * The anti-corruption layer: translates Stripe's objects (API version 2026-10-28) into the
 * product's terms. Pure. In this version the periods are on a subscription's items, and an invoice
 * names its subscription under `parent` and its payments under `payments`. The older top-level
 * fields no longer exist.
 */

/** `seconds` is a Unix time, as Stripe writes times. */
export function instantOf(seconds: number): Instant {
  return new Date(seconds * 1000).toISOString()
}

export function idOf(reference: string | { readonly id: string }): string {
  return typeof reference === 'string' ? reference : reference.id
}

function idOrNull(reference: string | { readonly id: string } | null | undefined): string | null {
  return reference === null || reference === undefined ? null : idOf(reference)
}

/** Null for a session without a checkout id of the product, and for a session without a status. */
export function checkoutFromStripe(session: Stripe.Checkout.Session): ProviderCheckout | null {
  const checkoutId = session.metadata?.['checkoutId']
  if (checkoutId === undefined || !isCheckoutId(checkoutId) || session.status === null) return null
  const sessionId = session.id
  const status = checkoutStatusOf(session.status)
  // Stripe dates only the creation and the planned expiry of a session.
  const at = instantOf(status === 'expired' ? session.expires_at : session.created)
  return { checkoutId, sessionId, status, at, expiresAt: instantOf(session.expires_at) }
}

/** Stripe's types allow no status and future statuses. Such a session counts as open. */
export function checkoutStatusOf(
  status: Stripe.Checkout.Session['status'],
): ProviderCheckout['status'] {
  return status === 'complete' ? 'complete' : status === 'expired' ? 'expired' : 'open'
}

/** @throws Error if the subscription has no item or its price is not recurring. */
export function subscriptionFromStripe(
  subscription: Stripe.Subscription,
  prices: PlanPrices,
): ProviderSubscription {
  const item = subscription.items.data[0]
  if (!item)
    throw new Error(
      `Stripe's subscription ${subscription.id} has no item, so its plan and period are unknown. Check the subscription in Stripe's dashboard.`,
    )
  const currentPeriodEnd = instantOf(item.current_period_end)
  const common = {
    stripeSubscriptionId: subscription.id,
    terms: termsFromStripe(item, prices),
    startedAt: instantOf(subscription.start_date),
    currentPeriodStart: instantOf(item.current_period_start),
    currentPeriodEnd,
    cancelAt: cancelAtOf(subscription, currentPeriodEnd),
  }
  const status = subscriptionStatus.parse(subscription.status)
  switch (status) {
    case 'canceled':
      return { ...common, kind: 'ended', ...endOf(subscription) }
    case 'incomplete_expired':
      return { ...common, kind: 'ended', ...endOf(subscription), why: 'expired' }
    case 'active':
      return {
        ...common,
        kind: 'started',
        status: subscription.pause_collection === null ? 'active' : 'paused',
      }
    default:
      return { ...common, kind: 'started', status }
  }
}

/**
 * With flexible billing, a scheduled cancellation sets `cancel_at` and leaves
 * `cancel_at_period_end` false.
 */
function cancelAtOf(subscription: Stripe.Subscription, currentPeriodEnd: Instant): Instant | null {
  if (subscription.ended_at !== null) return null
  if (subscription.cancel_at !== null) return instantOf(subscription.cancel_at)
  return subscription.cancel_at_period_end ? currentPeriodEnd : null
}

function endOf(subscription: Stripe.Subscription): SubscriptionEnd {
  const seconds = subscription.ended_at ?? subscription.canceled_at ?? subscription.start_date
  const wasUnpaid = subscription.cancellation_details?.reason === 'payment_failed'
  return { endedAt: instantOf(seconds), why: wasUnpaid ? 'unpaid' : 'canceled' }
}

function termsFromStripe(
  { price, quantity }: Stripe.SubscriptionItem,
  prices: PlanPrices,
): SubscriptionTerms {
  const plan = prices.planOf(price.id)
  const recurring = price.recurring
  if (!recurring)
    throw new Error(
      `Stripe's price ${price.id} is not recurring, so it cannot be a plan. Check the STRIPE_PRICE_* settings.`,
    )
  return {
    planId: plan?.id ?? null,
    planName: plan?.name ?? price.nickname ?? 'Subscription Plan',
    priceId: price.id,
    price: { amount: price.unit_amount ?? 0, currency: price.currency },
    interval: recurring.interval as SubscriptionTerms['interval'],
    intervalCount: recurring.interval_count,
    // Stripe omits the quantity of a metered price.
    quantity: quantity ?? 1,
  }
}

/**
 * A paid invoice, or an invoice with a failed attempt to collect it. Null for a draft, a voided
 * invoice, an invoice without an attempt and a paid invoice without an amount. `intent` is the
 * invoice's payment intent with its payment method expanded; null if the invoice has no payment
 * intent.
 */
export function invoiceFromStripe(
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent | null,
  prices: PlanPrices,
): ProviderInvoice | null {
  const outcome = outcomeOf(invoice, intent)
  const line = planLineOf(invoice)
  if (!invoice.id || outcome === null) return null
  const priceId = idOrNull(line?.pricing?.price_details?.price)
  const plan = priceId === null ? null : prices.planOf(priceId)
  const currency = invoice.currency
  return {
    invoiceId: invoice.id,
    stripeSubscriptionId: idOrNull(invoice.parent?.subscription_details?.subscription),
    planId: plan?.id ?? null,
    planName: plan?.name ?? line?.description ?? null,
    paymentIntentId: paymentIntentIdOf(invoice),
    method: methodOf(intent),
    total: { amount: outcome.kind === 'paid' ? invoice.amount_paid : invoice.amount_due, currency },
    subtotal: { amount: invoice.subtotal, currency },
    periodStart: instantOf(line?.period.start ?? invoice.period_start),
    periodEnd: instantOf(line?.period.end ?? invoice.period_end),
    billed: {
      customerName: invoice.customer_name,
      customerEmail: invoice.customer_email,
      addressLine1: invoice.customer_address?.line1 ?? null,
      city: invoice.customer_address?.city ?? null,
      state: invoice.customer_address?.state ?? null,
      country: invoice.customer_address?.country ?? null,
    },
    outcome,
  }
}

export function paymentIntentIdOf(invoice: Stripe.Invoice): string | null {
  const payments = invoice.payments?.data ?? []
  const settled = payments.find((payment) => payment.status === 'paid') ?? payments.at(-1)
  return idOrNull(settled?.payment.payment_intent)
}

/** The line of the period that the customer pays for, not the proration of an earlier period. */
function planLineOf(invoice: Stripe.Invoice): Stripe.InvoiceLineItem | undefined {
  const lines = invoice.lines.data
  return (
    lines.find((line) => line.parent?.subscription_item_details?.proration === false) ??
    lines.at(-1)
  )
}

function outcomeOf(
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent | null,
): ProviderInvoice['outcome'] | null {
  if (invoice.status === 'paid') {
    if (invoice.amount_paid <= 0) return null
    return { kind: 'paid', at: instantOf(invoice.status_transitions.paid_at ?? invoice.created) }
  }
  const wasTried = invoice.attempted && invoice.attempt_count > 0
  if (!wasTried || (invoice.status !== 'open' && invoice.status !== 'uncollectible')) return null
  return {
    kind: 'failed',
    at: instantOf(invoice.status_transitions.finalized_at ?? invoice.created),
    attempt: invoice.attempt_count,
    reason: intent?.last_payment_error?.message ?? 'The payment was not collected.',
    nextAttemptAt:
      invoice.next_payment_attempt === null ? null : instantOf(invoice.next_payment_attempt),
  }
}

function methodOf(intent: Stripe.PaymentIntent | null): PaymentMethod | null {
  const used = intent?.payment_method ?? intent?.last_payment_error?.payment_method
  if (!used || typeof used === 'string') return null
  return paymentMethod.parse({
    type: used.type,
    brand: used.card?.brand ?? null,
    last4: used.card?.last4 ?? null,
    expiryMonth: used.card?.exp_month ?? null,
    expiryYear: used.card?.exp_year ?? null,
  })
}
