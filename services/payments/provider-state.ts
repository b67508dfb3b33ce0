import type {
  BillingEvent,
  PaymentMethod,
  SubscriptionEnd,
  SubscriptionTerms,
} from '#contracts/events/billing'
import type { CheckoutId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import type { StartedStatus } from '#contracts/subscription-status'

/**
 * One customer's state at the payment provider, in the product's terms. The anti-corruption layer
 * (services/payments) translates the provider's objects. The billing decider compares this state
 * with the billing stream and records the differences.
 */
export interface ProviderState {
  readonly checkouts: readonly ProviderCheckout[]
  readonly subscriptions: readonly ProviderSubscription[]
  readonly invoices: readonly ProviderInvoice[]
}

export interface ProviderCheckout {
  readonly checkoutId: CheckoutId
  readonly sessionId: string
  readonly status: 'open' | 'complete' | 'expired'
  /** When the checkout got its status, or the nearest time that the provider reports. */
  readonly at: Instant
  readonly expiresAt: Instant
}

interface AnySubscription {
  readonly stripeSubscriptionId: string
  readonly terms: SubscriptionTerms
  readonly startedAt: Instant
  readonly currentPeriodStart: Instant
  readonly currentPeriodEnd: Instant
  /**
   * When the scheduled cancellation ends the subscription; null without a scheduled cancellation.
   */
  readonly cancelAt: Instant | null
}

export interface StartedProviderSubscription extends AnySubscription {
  readonly kind: 'started'
  readonly status: StartedStatus
}

interface EndedProviderSubscription extends AnySubscription, SubscriptionEnd {
  readonly kind: 'ended'
}

export type ProviderSubscription = StartedProviderSubscription | EndedProviderSubscription

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
