import { z } from 'zod'
import { instant } from '../instant.ts'
import { money } from '../money.ts'
import { endedStatuses, endReasons, subscriptionStatuses } from '../subscription-status.ts'
import { event, personal, type EventsOf } from './define-event.ts'

export const subscriptionStatus = z.enum(subscriptionStatuses)
export const startedStatus = subscriptionStatus.exclude(endedStatuses)

/** How and when a subscription ended. */
const end = {
  why: z.enum(endReasons),
  endedAt: instant,
}
export type SubscriptionEnd = Readonly<z.infer<z.ZodObject<typeof end>>>

const subscriptionId = z.string()
const checkoutId = z.string()

const period = { currentPeriodStart: instant, currentPeriodEnd: instant }

/**
 * The bought plan, price and quantity. `price` is for one unit and one interval. `planId` is null
 * if the plan catalogue does not contain the provider's price.
 */
const terms = {
  planId: z.string().nullable(),
  planName: z.string(),
  priceId: z.string(),
  price: money,
  interval: z.enum(['day', 'week', 'month', 'year']),
  intervalCount: z.int().min(1),
  quantity: z.int().min(0),
}

/**
 * The means of a payment: the type, and for a card the brand, last four digits and expiry. Never
 * the card number.
 */
export const paymentMethod = z.object({
  type: z.string(),
  brand: z.string().nullable(),
  last4: z
    .string()
    .regex(/^\d{4}$/)
    .nullable(),
  expiryMonth: z.int().nullable(),
  expiryYear: z.int().nullable(),
})
export type PaymentMethod = z.infer<typeof paymentMethod>

const billedTo = {
  customerName: personal(z.string()).nullable(),
  customerEmail: personal(z.string()).nullable(),
  addressLine1: personal(z.string()).nullable(),
  city: personal(z.string()).nullable(),
  state: z.string().nullable(),
  country: z.string().nullable(),
}

/**
 * Stream `billing-{userId}`: one customer's subscriptions and ledger. Amounts are integer minor
 * units.
 */
export const billingEvents = {
  /**
   * The account has exactly one customer at the payment provider. A later event replaces a customer
   * that was deleted there.
   */
  PaymentCustomerLinked: event({ stripeCustomerId: z.string() }),
  /**
   * Reserves the customer's one open checkout. `checkoutId` is part of the provider's idempotency
   * key. A reservation that has no session at `lapsesAt` can be released without a call.
   */
  CheckoutStarted: event({ checkoutId, lapsesAt: instant, ...terms }),
  /** The provider opened the hosted page of the reserved checkout. */
  CheckoutSessionOpened: event({ checkoutId, sessionId: z.string(), expiresAt: instant }),
  CheckoutCompleted: event({ checkoutId, sessionId: z.string() }),
  CheckoutExpired: event({ checkoutId }),
  /** The provider refuses the checkout for good. `reason` is the provider's sentence. */
  CheckoutFailed: event({ checkoutId, reason: z.string() }),
  SubscriptionStarted: event({
    subscriptionId,
    stripeSubscriptionId: z.string(),
    ...terms,
    status: startedStatus,
    ...period,
  }),
  SubscriptionRenewed: event({ subscriptionId, ...period }),
  SubscriptionStatusChanged: event({
    subscriptionId,
    from: startedStatus,
    to: startedStatus,
  }),
  /**
   * Another price, quantity or interval. The subscription keeps its id. The period is the current
   * period after the change.
   */
  PlanChanged: event({
    subscriptionId,
    from: z.object(terms),
    to: z.object(terms),
    effectiveAt: instant,
    ...period,
  }),
  CancellationScheduled: event({ subscriptionId, effectiveAt: instant }),
  CancellationWithdrawn: event({ subscriptionId }),
  SubscriptionEnded: event({ subscriptionId, ...end }),
  PaymentSucceeded: event({
    paymentId: z.string(),
    invoiceId: z.string(),
    stripePaymentIntentId: z.string().nullable(),
    subscriptionId: subscriptionId.nullable(),
    planId: z.string().nullable(),
    planName: z.string().nullable(),
    total: money,
    subtotal: money,
    method: paymentMethod.nullable(),
    /** The period that the payment covers: `periodStart` to `periodEnd`. */
    periodStart: instant,
    periodEnd: instant,
    ...billedTo,
  }),
  PaymentFailed: event({
    paymentId: z.string(),
    invoiceId: z.string(),
    stripePaymentIntentId: z.string().nullable(),
    subscriptionId: subscriptionId.nullable(),
    planName: z.string().nullable(),
    due: money,
    attempt: z.int().min(1),
    method: paymentMethod.nullable(),
    reason: z.string(),
    nextAttemptAt: instant.nullable(),
  }),
} as const

export type BillingEvent = EventsOf<typeof billingEvents>
export type SubscriptionTerms = Omit<
  Extract<BillingEvent, { type: 'CheckoutStarted' }>['data'],
  'checkoutId' | 'lapsesAt'
>
