import type { PortalAction } from '#contracts/checkout'
import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { CheckoutId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import type { RefundReason } from '#contracts/refund-reasons'
import type { ProviderHistory } from './provider-change.ts'
import type { KnownObjects, PresentState } from './provider-state.ts'

export interface CheckoutSession {
  readonly sessionRef: ProviderRef
  readonly status: 'open' | 'complete' | 'expired'
  /** The address of the hosted page; null if the session is no longer open. */
  readonly url: string | null
  readonly expiresAt: Instant
  readonly customerRef: ProviderRef | null
  /** Paid, or there was nothing to pay. A complete session can wait for its payment. */
  readonly isPaid: boolean
  /** The subscription that the session started; null before. */
  readonly subscriptionRef: ProviderRef | null
}

/** Who the next invoice names. */
export interface CustomerDetails {
  readonly email: string | null
  readonly name: string | null
  readonly phone: string | null
  readonly address: {
    readonly line1: string
    readonly city: string | null
    readonly state: string
    readonly postalCode: string
    /** The two-letter code. */
    readonly country: string
  } | null
}

export interface NewCustomer extends CustomerDetails {
  readonly userId: UserId
  readonly email: string
}

/**
 * What the proof of one open checkout needs of a provider: see decision 5,
 * docs/decisions/0005-one-open-checkout.md. A provider that lacks one of these calls, or ignores
 * idempotency keys, cannot be used.
 */
interface CheckoutCalls {
  /** A repeat with the same idempotency key opens no second session. */
  createCheckoutSession(checkout: {
    readonly idempotencyKey: string
    readonly checkoutId: CheckoutId
    readonly userId: string
    readonly customerRef: ProviderRef
    readonly terms: SubscriptionTerms
  }): Promise<CheckoutSession>
  /** Null if the provider does not have the session. */
  retrieveCheckoutSession(sessionRef: ProviderRef): Promise<CheckoutSession | null>
  /**
   * Expires an open session. The answer has the session's status afterwards: the customer can have
   * paid, and the status stays 'open' if the provider does not expire the session. After 'expired',
   * no customer can pay the session.
   */
  expireCheckoutSession(sessionRef: ProviderRef): Promise<CheckoutSession>
}

/**
 * The port to the card payment provider. The caller gives each call that creates something an
 * idempotency key, so that a repeat has no second effect. Every call rejects with
 * `PaymentProviderUnavailable` if the provider fails, and with `PaymentProviderRefused` if the
 * provider refuses the call for good.
 */
export interface PaymentProvider extends CheckoutCalls {
  /** The provider's name in refs. */
  readonly name: string
  /**
   * A repeat with the same idempotency key returns the first customer. `isNew`: this call created
   * the customer, and no earlier call with the same key.
   */
  createCustomer(
    customer: NewCustomer & { readonly idempotencyKey: string },
  ): Promise<{ readonly customerRef: ProviderRef; readonly isNew: boolean }>
  /**
   * Changes what the next invoice says about the customer; null removes a detail. Succeeds also for
   * a customer that the provider does not have any more.
   */
  updateCustomer(customerRef: ProviderRef, change: Partial<CustomerDetails>): Promise<void>
  /** False for a customer that the provider never had. */
  isCustomerDeleted(customerRef: ProviderRef): Promise<boolean>
  /** The customer's complete state at the provider, without the payments that are known. */
  fetchState(customerRef: ProviderRef, known: KnownObjects): Promise<PresentState>
  /**
   * What the provider's events report about these subscriptions, refunds and disputes since
   * `since`. With null, as far back as a look-up reaches.
   */
  fetchHistory(
    objectRefs: ReadonlySet<ProviderRef>,
    since: Instant | null,
  ): Promise<ProviderHistory>
  /**
   * Cancels a subscription immediately. Succeeds also for a subscription that ended before, or that
   * the provider does not have.
   */
  cancelSubscription(subscriptionRef: ProviderRef, idempotencyKey: string): Promise<void>
  /**
   * Withdraws the scheduled cancellation of a subscription, also one that a schedule plans. Without
   * a scheduled cancellation nothing changes.
   */
  withdrawCancellation(subscriptionRef: ProviderRef, idempotencyKey: string): Promise<void>
  /**
   * Creates the requested refund. A repeat with the same idempotency key has no second effect for
   * as long as the provider keeps the request's answer, which can be 24 h: after a longer time,
   * read the state first. The refund in the state has the `requestId`.
   */
  createRefund(refund: {
    readonly idempotencyKey: string
    readonly requestId: string
    readonly paymentRef: ProviderRef
    readonly amount: Money
    readonly reason: RefundReason
  }): Promise<void>
  createPortalSession(portal: {
    readonly customerRef: ProviderRef
    readonly subscriptionRef: ProviderRef | null
    readonly action: Exclude<PortalAction, 'pay'>
    /** With `update`: the price to change to, whose confirmation the portal shows. */
    readonly priceRef: ProviderRef | null
    readonly returnUrl: string
  }): Promise<{ readonly url: string }>
  /**
   * The provider's page on which the customer pays an open invoice; null if the invoice is no
   * longer open. Read at each click: the address is valid for some weeks.
   */
  invoicePageOf(invoiceRef: ProviderRef): Promise<{ readonly url: string } | null>
  /** The provider's product that the price belongs to. */
  productRefOf(priceRef: ProviderRef): Promise<ProviderRef>
  /**
   * The id of the user that the provider's customer belongs to; null if the product did not create
   * the customer.
   */
  userIdOfCustomer(customerRef: ProviderRef): Promise<UserId | null>
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

/**
 * The provider refused the call for good: a 4xx other than a conflict or a rate limit. A repeat of
 * the call gives the same answer until a setting or an object at the provider changes.
 */
export class PaymentProviderRefused extends Error {
  override readonly name = 'PaymentProviderRefused'
  /** The provider's sentence. */
  readonly reason: string
  constructor(doing: string, cause: Error) {
    super(`The payment provider refused ${doing}: ${cause.message}`, { cause })
    this.reason = cause.message
  }
}
