import type { PortalAction } from '#contracts/checkout'
import type { SubscriptionTerms } from '#contracts/events/billing'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { ProviderState } from './provider-state.ts'

export interface CheckoutSession {
  readonly sessionId: string
  readonly status: 'open' | 'complete' | 'expired'
  /** The address of the hosted page; null if the session is no longer open. */
  readonly url: string | null
  readonly expiresAt: Instant
}

/**
 * A webhook with a valid signature. The webhook only names the customer that changed, not the
 * change.
 */
export interface ProviderNotice {
  readonly eventId: string
  readonly type: string
  readonly created: Instant
  readonly apiVersion: string | null
  readonly stripeCustomerId: string | null
}

/**
 * The port to the card payment provider. Calls that create customers and checkout sessions, or
 * expire checkout sessions, send an idempotency key, so that a repeat has no second effect. Every
 * call rejects with `PaymentProviderUnavailable` if the provider fails.
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
  /** The customer's complete state at the provider, without the invoices in `knownPaidInvoices`. */
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
  /** The id of the provider's product that the price belongs to. */
  productIdOf(priceId: string): Promise<string>
  /**
   * The id of the user that the provider's customer belongs to; null if the product did not create
   * the customer.
   */
  userIdOfCustomer(stripeCustomerId: string): Promise<UserId | null>
}

/** The provider did not answer, or answered with an error. A retry can succeed. */
export class PaymentProviderUnavailable extends Error {
  override readonly name = 'PaymentProviderUnavailable'
  constructor(doing: string, cause: unknown) {
    super(
      `The payment provider failed while ${doing}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}
