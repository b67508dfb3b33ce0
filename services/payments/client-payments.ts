import type { PaymentMethod } from '#contracts/events/billing-parts'
import type { CheckoutItem, ReversalKind } from '#contracts/events/client-checkout'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { CheckoutId, ClientId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { PaymentProviderRefused } from './payment-provider.ts'

/** The provider takes no payment of this amount. */
export class AmountRefused extends PaymentProviderRefused {
  readonly why: 'too-small' | 'too-large'
  /** The least or the most that it takes, in minor units. Null: it does not say. */
  readonly bound: number | null
  constructor(doing: string, cause: Error, { why, bound }: Pick<AmountRefused, 'why' | 'bound'>) {
    super(doing, cause)
    this.why = why
    this.bound = bound
  }
}

/** A hosted page on which a client pays a merchant. */
export interface ClientSession {
  readonly sessionRef: ProviderRef
  readonly status: 'open' | 'complete' | 'expired'
  /** The address of the page; null if it is no longer open. */
  readonly url: string | null
  readonly expiresAt: Instant
}

/** Money of a payment that went back to the client. Amounts in minor units of the payment. */
export interface ProviderReversal {
  readonly reversalRef: ProviderRef
  readonly kind: ReversalKind
  readonly amount: number
  readonly at: Instant
  /**
   * `taken`: the money is with the client, or on its way there. `given-back`: the refund failed, or
   * the merchant won the dispute. `lost`: a dispute that the merchant lost.
   */
  readonly standing: 'taken' | 'given-back' | 'lost'
  /** When it was given back. Null before. */
  readonly givenBackAt: Instant | null
  readonly reason: string | null
}

/** The product's fee of a payment. Amounts in minor units of `currency`. */
export interface ProviderFee {
  readonly feeRef: ProviderRef
  readonly currency: string
  readonly amount: number
  readonly chargedAt: Instant
  readonly returns: readonly {
    readonly returnRef: ProviderRef
    readonly amount: number
    readonly at: Instant
  }[]
}

/** A payment that succeeded. */
export interface ProviderClientPayment {
  readonly paymentRef: ProviderRef
  readonly paidAt: Instant
  readonly currency: string
  readonly amount: number
  readonly method: PaymentMethod
  /** Oldest first. */
  readonly reversals: readonly ProviderReversal[]
  /** Null if the provider charged none. */
  readonly fee: ProviderFee | null
}

/** What the provider knows of one checkout. */
export interface ProviderClientCheckout {
  readonly session: ClientSession
  /**
   * `submitted`: the session is complete, and the money is on its way. `failed`: it did not come,
   * and nothing can be paid on this page any more.
   */
  readonly payment: ProviderClientPayment | 'none' | 'submitted' | 'failed'
}

/** Whose checkout an object at the provider is, as the product wrote it there. Not verified. */
export interface CheckoutClaim {
  readonly clientId: ClientId
  readonly checkoutId: CheckoutId
}

/**
 * Payments of clients to merchants. Each merchant has an account of its own at the provider, and
 * the money goes there directly; the product gets its fee. Every call rejects with
 * `PaymentProviderUnavailable` if the provider fails, and with `PaymentProviderRefused` if it
 * refuses the call for good: an account that may not charge, or that was disconnected.
 */
export interface ClientPayments {
  /** The provider's name in refs. */
  readonly name: string
  /**
   * A repeat with the same idempotency key opens no second session.
   * @throws AmountRefused
   */
  createCheckout(checkout: {
    readonly idempotencyKey: string
    readonly accountRef: ProviderRef
    readonly claim: CheckoutClaim
    readonly merchantId: UserId
    readonly currency: string
    /** Minor units. `name`: what the page calls the item. */
    readonly lines: readonly (Pick<CheckoutItem, 'amount'> & { readonly name: string })[]
    /** The product's fee, in minor units. */
    readonly fee: number
    /** Where the receipt of the provider goes; null: the page asks. */
    readonly email: string | null
    /** Where the page leads afterwards. Neither address has the token of the portal. */
    readonly returnUrl: string
    readonly cancelUrl: string
  }): Promise<ClientSession>
  /** Null if the provider does not have the session. */
  checkoutOf(
    accountRef: ProviderRef,
    sessionRef: ProviderRef,
  ): Promise<ProviderClientCheckout | null>
  /**
   * Expires an open session. The answer has its status afterwards: the client can have paid. After
   * 'expired', nobody can pay it.
   */
  expireCheckout(accountRef: ProviderRef, sessionRef: ProviderRef): Promise<ClientSession['status']>
  /**
   * Returns a part of a fee, in minor units, to the merchant. A repeat with the same key has no
   * second effect for as long as the provider keeps the answer: read the fee first.
   */
  returnFee(fee: {
    readonly feeRef: ProviderRef
    readonly amount: number
    readonly idempotencyKey: string
  }): Promise<void>
  /** Whose checkout a payment is. Null if the product did not open it, or if there is none. */
  claimOf(accountRef: ProviderRef, paymentRef: ProviderRef): Promise<CheckoutClaim | null>
  /**
   * The checkouts of the account that changed since `since`, by the provider's events. Null: all
   * checkouts that the provider has. One may come twice. Read page by page. `at`: when it changed,
   * by the provider's clock.
   */
  changedCheckouts(
    accountRef: ProviderRef,
    since: Instant | null,
  ): AsyncIterable<CheckoutClaim & { readonly at: Instant }>
}

/** An event at an account of a merchant. It names what changed, not the change. */
export interface ConnectedAccountEvent {
  readonly eventRef: ProviderRef
  readonly type: string
  readonly created: Instant
  readonly apiVersion: string | null
  /** Null: the event is of the product's own account. */
  readonly accountRef: ProviderRef | null
  readonly about:
    /** The account itself. `merchantId` is not verified. */
    | { readonly kind: 'account'; readonly merchantId: UserId | null }
    /** A checkout that names itself. */
    | { readonly kind: 'checkout'; readonly claim: CheckoutClaim }
    /** What can be read from its payment. */
    | { readonly kind: 'payment'; readonly paymentRef: ProviderRef }
    | { readonly kind: 'other' }
}
