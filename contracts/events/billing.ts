import { z } from 'zod'
import { providerRef } from './provider-ref.ts'
import { instant } from '../instant.ts'
import { money } from '../money.ts'
import {
  billedTo,
  deductions,
  invoiceAmounts,
  invoiceLine,
  paymentMethod,
  period,
  seller,
  terms,
  wayOfPayment,
} from './billing-parts.ts'
import { event, mayGrow, personal, type EventsOf } from './define-event.ts'

/** The provider's statuses of a subscription. */
export const subscriptionStatus = mayGrow(
  z.enum([
    'incomplete',
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'canceled',
    'unpaid',
    'paused',
  ]),
)
/** Only SubscriptionEnded records an end. */
export const startedStatus = mayGrow(subscriptionStatus.exclude(['incomplete_expired', 'canceled']))
/** SubscriptionPaused and SubscriptionResumed record the status `paused`. */
const unpausedStatus = mayGrow(startedStatus.exclude(['paused']))

/** The provider's statuses of a refund. */
const refundStatus = mayGrow(
  z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']),
)
/** The statuses that screens show, when an administrator replaces the shown status. */
const shownRefundStatus = mayGrow(z.enum(['succeeded', 'pending', 'failed']))

/** How and when a subscription ended. `expired`: the first payment was not made within a day. */
const end = {
  why: mayGrow(z.enum(['canceled', 'blocked', 'unpaid', 'expired'])),
  endedAt: instant,
}
export type SubscriptionEnd = Readonly<z.infer<z.ZodObject<typeof end>>>

const subscriptionId = z.string()
const checkoutId = z.string()
const refundId = z.string()
const requestId = z.string()
const creditNoteId = z.string()
const disputeId = z.string()

/**
 * When something changed at the provider, by the event that reports it. `isInferred`: no event of
 * the provider shows the change, so this is when the product saw it.
 */
const observed = { changedAt: instant, isInferred: z.boolean() }

/** What an event about an invoice says about it. `paymentId` is the product's id of the invoice. */
const ofInvoice = {
  paymentId: z.string(),
  invoiceRef: providerRef,
  subscriptionId: subscriptionId.nullable(),
  planName: z.string().nullable(),
}

/**
 * What an event about returned money says about the payment. Null for a payment that no invoice of
 * the product has.
 */
const ofPayment = {
  paymentId: z.string().nullable(),
  invoiceRef: providerRef.nullable(),
  paymentRef: providerRef.nullable(),
  subscriptionId: subscriptionId.nullable(),
  planName: z.string().nullable(),
}

/**
 * Who the document of the event names: a document does not change after it was issued. A refund and
 * a credit note name the parties of the payment that they correct.
 */
const parties = { seller, ...billedTo }

/** What the operator wrote to the customer on the credit note. It can name a person. */
const memo = personal(z.string()).nullable()

/**
 * Stream `billing-{userId}`: one customer's subscriptions and ledger. Amounts are integer minor
 * units.
 */
export const billingEvents = {
  /**
   * The account has exactly one customer at the payment provider. A later event replaces a customer
   * that was deleted there.
   */
  PaymentCustomerLinked: event(['customer'], { customerRef: providerRef }),
  /** Another name or address on invoices than that of the last payment or change. */
  BillingDetailsChanged: event(['customer'], billedTo),
  /** Another means for the next payments; null after its removal. */
  PaymentMethodChanged: event(['customer'], { method: paymentMethod.nullable() }),

  /**
   * Reserves the customer's one open checkout. `checkoutId` is part of the provider's idempotency
   * key. A reservation that has no session at `lapsesAt` can be released without a call.
   */
  CheckoutStarted: event(['checkout'], { checkoutId, lapsesAt: instant, ...terms }),
  /** The provider opened the hosted page of the reserved checkout. */
  CheckoutSessionOpened: event(['checkout'], {
    checkoutId,
    sessionRef: providerRef,
    expiresAt: instant,
  }),
  CheckoutCompleted: event(['checkout'], { checkoutId, sessionRef: providerRef }),
  CheckoutExpired: event(['checkout'], { checkoutId }),
  /** The provider refuses the checkout for good. `reason` is the provider's sentence. */
  CheckoutFailed: event(['checkout'], { checkoutId, reason: z.string() }),

  SubscriptionStarted: event(['subscription', 'standing'], {
    subscriptionId,
    subscriptionRef: providerRef,
    ...terms,
    status: unpausedStatus,
    ...period,
  }),
  SubscriptionRenewed: event(['subscription'], { subscriptionId, ...period }),
  SubscriptionStatusChanged: event(['subscription', 'standing'], {
    subscriptionId,
    from: unpausedStatus,
    to: unpausedStatus,
    ...observed,
  }),
  /** The provider collects no payment. `resumesAt` is null if no end of the pause is planned. */
  SubscriptionPaused: event(['subscription', 'standing'], {
    subscriptionId,
    resumesAt: instant.nullable(),
    ...observed,
  }),
  /** `status` is the subscription's status after the pause. */
  SubscriptionResumed: event(['subscription', 'standing'], {
    subscriptionId,
    status: unpausedStatus,
    ...observed,
  }),
  /** A planned change of plan. A later event replaces the plan of an earlier event. */
  PlanChangeScheduled: event(['subscription'], {
    subscriptionId,
    from: z.object(terms),
    to: z.object(terms),
    effectiveAt: instant,
    ...observed,
  }),
  /** The planned change will not happen. */
  PlanChangeDropped: event(['subscription'], { subscriptionId, ...observed }),
  /**
   * Another price, quantity or interval. The subscription keeps its id. The period is the current
   * period after the change. `proration` is the sum of the change's proration lines: a charge is
   * positive, a credit is negative. Null without proration lines. `prorationLines` has the
   * provider's ids of these lines: each line belongs to one change. `isInferred` marks a net change
   * of which the provider's events no longer show the steps.
   */
  PlanChanged: event(['subscription'], {
    subscriptionId,
    from: z.object(terms),
    to: z.object(terms),
    effectiveAt: instant,
    ...period,
    proration: money.nullable(),
    prorationLines: z.array(providerRef),
    isInferred: z.boolean(),
  }),
  /**
   * Other coupons without an end, or another included tax. The values replace those of an earlier
   * event. A subscription without such an event has none.
   */
  RecurringDeductionsChanged: event(['subscription'], {
    subscriptionId,
    ...deductions,
    ...observed,
  }),
  CancellationScheduled: event(['subscription'], {
    subscriptionId,
    effectiveAt: instant,
    ...observed,
  }),
  CancellationWithdrawn: event(['subscription'], { subscriptionId, ...observed }),
  SubscriptionEnded: event(['subscription', 'standing'], { subscriptionId, ...end }),

  /**
   * A paid invoice. An invoice of a negative total, or one that the credit balance covers, is paid
   * without a movement of money.
   */
  PaymentSucceeded: event(['money', 'payment'], {
    ...ofInvoice,
    invoiceNumber: z.string().nullable(),
    paymentRef: providerRef.nullable(),
    planId: z.string().nullable(),
    amounts: invoiceAmounts,
    lines: z.array(invoiceLine),
    /** Empty: nothing was due. */
    paidBy: z.array(wayOfPayment),
    /** The period that the payment covers: `periodStart` to `periodEnd`. */
    periodStart: instant,
    periodEnd: instant,
    ...parties,
    /** The provider's page of the invoice. Its holder can read the invoice. */
    hostedInvoiceUrl: personal(z.string()).nullable(),
  }),
  PaymentFailed: event(['money', 'payment'], {
    ...ofInvoice,
    /**
     * Why the provider made the invoice. `first`: the first payment of a subscription, at the
     * checkout. `renewal`: the next period. `other`: a plan change or a single invoice.
     */
    cause: mayGrow(z.enum(['first', 'renewal', 'other'])),
    paymentRef: providerRef.nullable(),
    due: money,
    attempt: z.int().min(1),
    method: paymentMethod.nullable(),
    /** The provider's sentence, and its code for the reason; null without a code. */
    reason: z.string(),
    code: z.string().nullable(),
    nextAttemptAt: instant.nullable(),
  }),
  /**
   * An invoice with a failed payment asks for another amount, or the provider plans its next
   * attempt for another time; null if it plans none. No attempt caused the change: for example a
   * credit note, a pause or an operator.
   */
  UnpaidInvoiceChanged: event(['money', 'payment'], {
    ...ofInvoice,
    due: money,
    nextAttemptAt: instant.nullable(),
  }),
  /** The provider stopped collecting the invoice. An uncollectible invoice can still be paid. */
  InvoiceWrittenOff: event(['money', 'payment'], {
    ...ofInvoice,
    due: money,
    how: mayGrow(z.enum(['voided', 'uncollectible'])),
  }),

  /**
   * An administrator refunds a payment: reserves the amount until the provider has created the
   * refund or has refused it. `requestId` is part of the provider's idempotency key. `amount` is in
   * the currency of the payment. `note` is for the product's history only.
   */
  RefundRequested: event(['money', 'refund'], {
    requestId,
    paymentId: z.string(),
    invoiceRef: providerRef,
    paymentRef: providerRef,
    amount: money,
    reason: mayGrow(z.enum(['requested_by_customer', 'duplicate', 'fraudulent'])),
    note: personal(z.string()).nullable(),
  }),
  /** The provider refuses the requested refund for good. `reason` is the provider's sentence. */
  RefundRefused: event(['money', 'refund'], { requestId, amount: money, reason: z.string() }),
  /**
   * The provider created a refund. `requestId` is that of RefundRequested; null for a refund that
   * the product did not request. `captured` is the amount of the refunded payment; null if the
   * provider does not report it.
   */
  RefundRecorded: event(['money', 'refund'], {
    refundId,
    refundRef: providerRef,
    requestId: requestId.nullable(),
    ...ofPayment,
    amount: money,
    captured: money.nullable(),
    kind: mayGrow(z.enum(['full', 'partial', 'proration'])),
    status: refundStatus,
    /** The provider's reason, or that of the credit note that made the refund. */
    reason: z.string().nullable(),
    memo,
    method: paymentMethod.nullable(),
    ...parties,
  }),
  /** The provider's status changed. It replaces an override. `amount` is the refund's amount. */
  RefundStatusChanged: event(['money', 'refund'], {
    refundId,
    amount: money,
    from: refundStatus,
    to: refundStatus,
    ...observed,
  }),
  /** An administrator set the shown status. No money moves. */
  RefundStatusOverridden: event(['money', 'refund'], {
    refundId,
    from: shownRefundStatus,
    to: mayGrow(shownRefundStatus.exclude(['succeeded'])),
    reason: personal(z.string()).nullable(),
  }),

  /**
   * A credit note. `beforePayment` reduced the amount that was still to be paid. The rest was
   * refunded, added to the customer's credit balance, or given back outside the provider.
   */
  CreditNoteIssued: event(['money', 'credit-note'], {
    creditNoteId,
    creditNoteRef: providerRef,
    number: z.string(),
    ...ofInvoice,
    total: money,
    tax: z.int(),
    beforePayment: z.int().min(0),
    refunded: z.int().min(0),
    toBalance: z.int().min(0),
    outOfBand: z.int().min(0),
    reason: z.string().nullable(),
    memo,
    ...parties,
  }),
  /** `total` is the total of CreditNoteIssued. */
  CreditNoteVoided: event(['money', 'credit-note'], { creditNoteId, total: money }),

  /**
   * The customer's bank disputes a payment. An inquiry moves no money; a later event of the same
   * dispute records that the inquiry became a chargeback, which takes the amount back.
   */
  DisputeOpened: event(['money', 'dispute'], {
    disputeId,
    disputeRef: providerRef,
    ...ofPayment,
    kind: mayGrow(z.enum(['inquiry', 'chargeback'])),
    amount: money,
    reason: z.string(),
    evidenceDueAt: instant.nullable(),
  }),
  /**
   * The provider's fee of a dispute, in the currency of the product's account at the provider.
   * Negative if the provider returns a fee.
   */
  DisputeFeeCharged: event(['money', 'dispute'], {
    disputeId,
    balanceTransactionRef: providerRef,
    ...ofPayment,
    fee: money,
  }),
  /**
   * A lost dispute keeps the amount taken back; a won dispute returns it. `amount` is the disputed
   * amount of the last DisputeOpened.
   */
  DisputeClosed: event(['money', 'dispute'], {
    disputeId,
    amount: money,
    outcome: mayGrow(z.enum(['won', 'lost', 'inquiry-closed'])),
    ...observed,
  }),
} as const

export type BillingEvent = EventsOf<typeof billingEvents>
