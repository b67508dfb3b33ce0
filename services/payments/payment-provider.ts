import type { SubscriptionTerms } from '#contracts/events/billing'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { ProviderState } from './provider-state.ts'

export interface CheckoutSession {
  readonly sessionId: string
  readonly status: 'open' | 'complete' | 'expired'
  /** The hosted page; null once the session is no longer open. */
  readonly url: string | null
  readonly expiresAt: Instant
}

/** A webhook whose signature held: a hint that this customer changed, never the change itself. */
export interface ProviderNotice {
  readonly eventId: string
  readonly type: string
  readonly created: Instant
  readonly apiVersion: string | null
  readonly stripeCustomerId: string | null
}

export type PortalAction = 'manage' | 'cancel' | 'update' | 'payment_method'

/**
 * The card payment provider, as this product needs it. Every call that creates carries its own
 * idempotency key, so that a repeat is the same thing. Failures are `PaymentProviderUnavailable`.
 */
export interface PaymentProvider {
  createCustomer(customer: {
    readonly userId: string
    readonly email: string
    readonly name: string | null
  }): Promise<{ readonly stripeCustomerId: string }>
  createCheckoutSession(checkout: {
    readonly checkoutId: string
    readonly userId: string
    readonly stripeCustomerId: string
    readonly terms: SubscriptionTerms
  }): Promise<CheckoutSession>
  retrieveCheckoutSession(sessionId: string): Promise<CheckoutSession>
  expireCheckoutSession(sessionId: string): Promise<CheckoutSession>
  /** Everything the provider knows of a customer; `knownPaidInvoices` are not looked at again. */
  fetchState(
    stripeCustomerId: string,
    knownPaidInvoices: ReadonlySet<string>,
  ): Promise<ProviderState>
  createPortalSession(portal: {
    readonly stripeCustomerId: string
    readonly stripeSubscriptionId: string | null
    readonly action: PortalAction
    readonly returnUrl: string
  }): Promise<{ readonly url: string }>
  /** The provider's product behind a price. */
  productIdOf(priceId: string): Promise<string>
  /** The user whom a provider's customer belongs to, null for a customer that is not ours. */
  userIdOfCustomer(stripeCustomerId: string): Promise<UserId | null>
}

/** The provider did not answer, or answered with a failure that a later try may not meet. */
export class PaymentProviderUnavailable extends Error {
  override readonly name = 'PaymentProviderUnavailable'
  constructor(doing: string, cause: unknown) {
    super(
      `The payment provider failed while ${doing}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}
