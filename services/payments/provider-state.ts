import type {
  BilledTo,
  Deductions,
  InvoiceAmounts,
  InvoiceLine,
  PaymentMethod,
  SubscriptionTerms,
  WayOfPayment,
} from '#contracts/events/billing-parts'
import type { BillingEvent, SubscriptionEnd } from '#contracts/events/billing'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { CheckoutId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { InvoiceCause } from '#contracts/invoice-cause'
import type { Money } from '#contracts/money'
import type { RefundStatus } from '#contracts/refund-status'
import type { UnpausedStatus } from '#contracts/subscription-status'
import type { PlannedChange, ProviderHistory } from './provider-change.ts'

type DataOf<Type extends BillingEvent['type']> = Extract<BillingEvent, { type: Type }>['data']

/**
 * One customer's state at the payment provider, in the product's terms. The anti-corruption layer
 * (services/payments) translates the provider's objects. The billing decider compares this state
 * with the billing stream and records the differences.
 */
export interface ProviderState extends PresentState {
  /** What changed before this state. Read only if the log can lack a change. */
  readonly history: ProviderHistory
}

/** What the provider answers about a customer now. */
export interface PresentState {
  /** Null for a customer that was deleted at the provider. */
  readonly customer: ProviderCustomer | null
  readonly checkouts: readonly ProviderCheckout[]
  readonly subscriptions: readonly ProviderSubscription[]
  readonly invoices: readonly ProviderInvoice[]
  readonly refunds: readonly ProviderRefund[]
  readonly creditNotes: readonly ProviderCreditNote[]
  readonly disputes: readonly ProviderDispute[]
}

/** What the product has recorded, so that it need not be read again. */
export interface KnownObjects {
  /** The invoices with a recorded payment. */
  readonly paidInvoices: ReadonlySet<ProviderRef>
}

/** What the provider uses for the next invoice. */
export interface ProviderCustomer {
  /** Null if no subscription will have another invoice. */
  readonly method: { readonly current: PaymentMethod | null } | null
  readonly billed: BilledTo
}

export interface ProviderCheckout {
  readonly checkoutId: CheckoutId
  readonly sessionRef: ProviderRef
  readonly status: 'open' | 'complete' | 'expired'
  readonly openedAt: Instant
  /** The planned expiry. The provider can close the page earlier. */
  readonly expiresAt: Instant
  /** The subscription that the completion created; null before. */
  readonly subscriptionRef: ProviderRef | null
}

interface AnySubscription {
  readonly subscriptionRef: ProviderRef
  readonly terms: SubscriptionTerms
  readonly startedAt: Instant
  readonly currentPeriodStart: Instant
  readonly currentPeriodEnd: Instant
  /** All proration lines of the subscription, on invoices and waiting for the next invoice. */
  readonly prorations: readonly Proration[]
}

/**
 * `amount` is in minor units of the terms' currency: a credit of the former price is negative, a
 * charge of the new price is positive.
 */
export interface Proration {
  /** The invoice item: equal before and after it becomes a line. */
  readonly ref: ProviderRef
  /** From when on the line credits or charges: the time of the plan change, in most cases. */
  readonly at: Instant
  readonly amount: number
  readonly priceRef: ProviderRef | null
  readonly quantity: number | null
}

export interface StartedProviderSubscription extends AnySubscription {
  readonly kind: 'started'
  readonly status: UnpausedStatus
  /** Null if the provider collects payments. */
  readonly pause: { readonly resumesAt: Instant | null } | null
  /**
   * When the scheduled cancellation ends the subscription; null without a scheduled cancellation.
   */
  readonly cancelAt: Instant | null
  /** The terms that a schedule plans for later; null without such a schedule. */
  readonly plannedChange: PlannedChange | null
  readonly deductions: Deductions
  /** The start of the newest coupon without an end; null without such a coupon. */
  readonly discountedAt: Instant | null
}

export interface EndedProviderSubscription extends AnySubscription {
  readonly kind: 'ended'
  readonly why: SubscriptionEnd['why']
  /** Null if the provider does not date the end. */
  readonly endedAt: Instant | null
}

export type ProviderSubscription = StartedProviderSubscription | EndedProviderSubscription

export interface ProviderInvoice {
  readonly invoiceRef: ProviderRef
  readonly invoiceNumber: string | null
  readonly cause: InvoiceCause
  readonly subscriptionRef: ProviderRef | null
  readonly planId: string | null
  readonly planName: string | null
  readonly paymentRef: ProviderRef | null
  /** Empty: nothing was due, or the invoice is not paid. */
  readonly paidBy: readonly WayOfPayment[]
  readonly amounts: InvoiceAmounts
  /** What an unpaid invoice asks for, in minor units. */
  readonly due: number
  readonly lines: readonly InvoiceLine[]
  readonly periodStart: Instant
  readonly periodEnd: Instant
  readonly billed: BilledTo
  readonly hostedInvoiceUrl: string | null
  /** The failed attempts to collect the invoice, oldest first. */
  readonly failures: readonly FailedAttempt[]
  readonly outcome: InvoiceOutcome
}

/** `attempt` counts from 1. `at` is null if the provider does not date the attempt. */
export interface FailedAttempt {
  readonly at: Instant | null
  readonly attempt: number
  readonly reason: string
  /** The provider's code of the reason; null without one. */
  readonly code: string | null
  readonly method: PaymentMethod | null
  readonly nextAttemptAt: Instant | null
}

type InvoiceOutcome =
  | { readonly kind: 'paid'; readonly at: Instant }
  | { readonly kind: 'open' }
  | {
      readonly kind: 'written-off'
      /** Null if the provider does not date it. */
      readonly at: Instant | null
      readonly how: DataOf<'InvoiceWrittenOff'>['how']
    }

export interface ProviderRefund {
  readonly refundRef: ProviderRef
  readonly paymentRef: ProviderRef | null
  readonly invoiceRef: ProviderRef | null
  readonly amount: Money
  /** The captured amount of the payment; null if the provider does not report the payment. */
  readonly captured: Money | null
  readonly status: RefundStatus
  readonly reason: string | null
  /** The request of the product that made the refund; null without one. */
  readonly requestId: string | null
  /** The kind that the refund's metadata names; null without one. */
  readonly statedKind: DataOf<'RefundRecorded'>['kind'] | null
  readonly method: PaymentMethod | null
  readonly at: Instant
}

export interface ProviderCreditNote {
  readonly creditNoteRef: ProviderRef
  readonly number: string
  readonly invoiceRef: ProviderRef
  readonly isVoid: boolean
  readonly total: Money
  readonly tax: number
  readonly beforePayment: number
  readonly refunded: number
  readonly toBalance: number
  readonly outOfBand: number
  readonly reason: string | null
  /** What the operator wrote to the customer on the credit note. */
  readonly memo: string | null
  /** Every line credits a proration line of the invoice. */
  readonly isProration: boolean
  readonly refundRefs: readonly ProviderRef[]
  readonly at: Instant
  readonly voidedAt: Instant | null
}

interface ProviderFee {
  readonly balanceTransactionRef: ProviderRef
  readonly fee: Money
  readonly at: Instant
}

export interface ProviderDispute {
  readonly disputeRef: ProviderRef
  readonly paymentRef: ProviderRef | null
  readonly invoiceRef: ProviderRef | null
  readonly kind: DataOf<'DisputeOpened'>['kind']
  readonly amount: Money
  readonly reason: string
  readonly evidenceDueAt: Instant | null
  /** What the provider charged for the dispute, or returned: then the fee is negative. */
  readonly fees: readonly ProviderFee[]
  readonly at: Instant
  /** Null while the dispute is open. */
  readonly outcome: DataOf<'DisputeClosed'>['outcome'] | null
}
