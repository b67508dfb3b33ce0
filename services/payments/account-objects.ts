import type { DisputeStage } from '#contracts/dispute'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'

/*
 * The objects of an account at the provider, with the fields that a reconciliation compares.
 * Amounts are integer minor units of the object's currency.
 */

export interface AccountObjects {
  readonly invoices: readonly AccountInvoice[]
  readonly charges: readonly AccountCharge[]
  readonly refunds: readonly AccountRefund[]
  readonly creditNotes: readonly AccountCreditNote[]
  readonly disputes: readonly AccountDispute[]
  readonly subscriptions: readonly AccountSubscription[]
}

export interface AccountInvoice {
  readonly ref: ProviderRef
  readonly customerRef: ProviderRef | null
  readonly status: string | null
  readonly currency: string
  readonly total: number
  readonly tax: number
  readonly paid: number
  /** Every line is of nothing, as in a trial. */
  readonly isOfNothing: boolean
  /** The provider tried to collect it, by its own schedule. */
  readonly isAttempted: boolean
  /** The intent that paid the invoice, or that tries to. */
  readonly paymentRef: ProviderRef | null
  /** Every intent of the invoice. */
  readonly paymentRefs: readonly ProviderRef[]
  /** When it was paid; else when it was made. */
  readonly at: Instant
}

export interface AccountCharge {
  readonly ref: ProviderRef
  readonly customerRef: ProviderRef | null
  readonly paymentRef: ProviderRef | null
  readonly status: string
  readonly currency: string
  readonly captured: number
  readonly refunded: number
  readonly at: Instant
}

export interface AccountRefund {
  readonly ref: ProviderRef
  readonly chargeRef: ProviderRef | null
  readonly paymentRef: ProviderRef | null
  readonly status: string
  readonly amount: Money
  readonly at: Instant
}

export interface AccountCreditNote {
  readonly ref: ProviderRef
  readonly customerRef: ProviderRef | null
  readonly invoiceRef: ProviderRef
  readonly status: 'issued' | 'void'
  readonly amount: Money
  readonly at: Instant
}

export interface AccountDispute {
  readonly ref: ProviderRef
  readonly chargeRef: ProviderRef
  readonly paymentRef: ProviderRef | null
  readonly stage: DisputeStage
  readonly amount: Money
  readonly at: Instant
}

/** The product's fee on a payment to a merchant's account. */
export interface AccountFee {
  readonly ref: ProviderRef
  /** The merchant's account. */
  readonly accountRef: ProviderRef
  readonly amount: Money
  /** What went back to the merchant, in the currency of the amount. */
  readonly returned: number
  readonly at: Instant
  /** When the provider charged it, or returned a part of it last. */
  readonly changedAt: Instant
}

export interface AccountSubscription {
  readonly ref: ProviderRef
  readonly customerRef: ProviderRef
  /** Also `paused` while the provider collects no payment. */
  readonly status: string
  /** The first item. Null for a subscription without one. */
  readonly item: {
    readonly priceRef: ProviderRef
    readonly price: Money
    readonly quantity: number
    readonly currentPeriodEnd: Instant
  } | null
  /** When the scheduled cancellation ends the subscription; null without one. */
  readonly cancelAt: Instant | null
  readonly startedAt: Instant
  readonly endedAt: Instant | null
}
