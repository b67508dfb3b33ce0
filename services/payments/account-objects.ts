import type { DisputeStage } from '#contracts/dispute'
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
  readonly id: string
  readonly stripeCustomerId: string | null
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
  readonly paymentIntentId: string | null
  /** Every intent of the invoice. */
  readonly paymentIntentIds: readonly string[]
  /** When it was paid; else when it was made. */
  readonly at: Instant
}

export interface AccountCharge {
  readonly id: string
  readonly stripeCustomerId: string | null
  readonly paymentIntentId: string | null
  readonly status: string
  readonly currency: string
  readonly captured: number
  readonly refunded: number
  readonly at: Instant
}

export interface AccountRefund {
  readonly id: string
  readonly chargeId: string | null
  readonly paymentIntentId: string | null
  readonly status: string
  readonly amount: Money
  readonly at: Instant
}

export interface AccountCreditNote {
  readonly id: string
  readonly stripeCustomerId: string | null
  readonly invoiceId: string
  readonly status: 'issued' | 'void'
  readonly amount: Money
  readonly at: Instant
}

export interface AccountDispute {
  readonly id: string
  readonly chargeId: string
  readonly paymentIntentId: string | null
  readonly stage: DisputeStage
  readonly amount: Money
  readonly at: Instant
}

export interface AccountSubscription {
  readonly id: string
  readonly stripeCustomerId: string
  /** Also `paused` while the provider collects no payment. */
  readonly status: string
  /** The first item. Null for a subscription without one. */
  readonly item: {
    readonly priceId: string
    readonly price: Money
    readonly quantity: number
    readonly currentPeriodEnd: Instant
  } | null
  /** When the scheduled cancellation ends the subscription; null without one. */
  readonly cancelAt: Instant | null
  readonly startedAt: Instant
  readonly endedAt: Instant | null
}
