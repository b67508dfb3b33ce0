import type {
  BillingEvent,
  PaymentMethod,
  SubscriptionStatus,
  SubscriptionTerms,
} from '#contracts/events/billing'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'

/**
 * What the payment provider says of one customer, in our words. The anti-corruption layer
 * (services/payments) makes it out of the provider's objects; the billing decider only ever
 * sees this, and records how it differs from what it knows.
 */
export interface ProviderState {
  readonly checkouts: readonly ProviderCheckout[]
  readonly subscriptions: readonly ProviderSubscription[]
  readonly invoices: readonly ProviderInvoice[]
}

export interface ProviderCheckout {
  readonly checkoutId: string
  readonly sessionId: string
  readonly status: 'open' | 'complete' | 'expired'
  /** When the status became what it is, as well as the provider tells. */
  readonly at: Instant
}

export interface ProviderSubscription {
  readonly stripeSubscriptionId: string
  readonly terms: SubscriptionTerms
  readonly status: SubscriptionStatus
  readonly startedAt: Instant
  readonly currentPeriodStart: Instant
  readonly currentPeriodEnd: Instant
  /** When it will end by itself, if a cancellation is scheduled. */
  readonly cancelAt: Instant | null
  readonly ended: { readonly at: Instant; readonly why: 'canceled' | 'blocked' | 'unpaid' } | null
}

type Billed = Pick<
  Extract<BillingEvent, { type: 'PaymentSucceeded' }>['data'],
  'customerName' | 'customerEmail' | 'addressLine1' | 'city' | 'state' | 'country'
>

export interface ProviderInvoice {
  readonly invoiceId: string
  readonly stripeSubscriptionId: string | null
  readonly planId: string | null
  readonly planName: string | null
  readonly paymentIntentId: string | null
  readonly method: PaymentMethod | null
  readonly total: Money
  readonly subtotal: Money
  readonly periodStart: Instant
  readonly periodEnd: Instant
  readonly billed: Billed
  readonly outcome:
    | { readonly kind: 'paid'; readonly at: Instant }
    | {
        readonly kind: 'failed'
        readonly at: Instant
        readonly attempt: number
        readonly reason: string
        readonly nextAttemptAt: Instant | null
      }
}
