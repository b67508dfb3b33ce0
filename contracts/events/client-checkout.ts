import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { instant } from '../instant.ts'
import { currency } from '../money.ts'
import { paymentMethod } from './billing-parts.ts'
import { event, mayGrow } from './define-event.ts'
import { providerRef } from './provider-ref.ts'
import { amount, ofClient } from './receivable-parts.ts'

const ofCheckout = { ...ofClient, checkoutId: z.string() }

/** What is paid, in minor units of the checkout's currency. No receivable is twice in it. */
const items = z.array(z.object({ receivableId: z.string(), amount })).min(1)
export type CheckoutItem = z.infer<typeof items>[number]

/**
 * How money went back to the client: the merchant refunded it, or the client's bank took it. A
 * refund that fails, and a dispute that the merchant wins, give it back: `ClientPaymentRestored`.
 */
const reversalKind = mayGrow(z.enum(['refund', 'chargeback']))
export type ReversalKind = z.infer<typeof reversalKind>

/**
 * A payment in the client portal, in the client's stream: the reservation of a checkout, what the
 * merchant's account at the payment provider took, what went back, and the product's fee. What a
 * receivable gets of it follows in the receivable's stream.
 */
export const clientCheckoutEvents = {
  /**
   * Reserves the receivables: none of them is in another open checkout. `fee` is that of the
   * merchant's plan now: `amount` at a rate in hundredths of a percent, rounded half up.
   */
  ClientCheckoutStarted: event(['client-checkout'], {
    ...ofCheckout,
    accountRef: providerRef,
    currency,
    items,
    amount,
    feeBasisPoints: z.int().min(0),
    fee: z.int().min(0),
  }),
  /** The provider opened the page on which the client pays. */
  ClientCheckoutOpened: event(['client-checkout'], {
    ...ofCheckout,
    sessionRef: providerRef,
    expiresAt: instant,
  }),
  /** The client has submitted the payment, and the money is on its way: a bank debit takes days. */
  ClientCheckoutSubmitted: event(['client-checkout'], ofCheckout),
  /**
   * Nothing was paid, and nothing can be paid any more: the receivables are free. `refused`: the
   * provider opens no page; `reason` is its sentence.
   */
  ClientCheckoutClosed: event(['client-checkout'], {
    ...ofCheckout,
    why: mayGrow(z.enum(['expired', 'failed', 'refused'])),
    reason: z.string().nullable(),
  }),
  /** `date` is the day of `paidAt` in the merchant's time zone. */
  ClientPaymentReceived: event(['client-payment'], {
    ...ofCheckout,
    accountRef: providerRef,
    paymentRef: providerRef,
    paidAt: instant,
    date: calendarDay,
    currency,
    amount,
    items,
    method: paymentMethod,
  }),
  /** `items`: what each receivable loses again. Their sum is `amount`. */
  ClientPaymentReversed: event(['client-payment'], {
    ...ofCheckout,
    reversalRef: providerRef,
    kind: reversalKind,
    date: calendarDay,
    currency,
    amount,
    items,
    /** Why, as the provider codes it, such as `fraudulent`. */
    reason: z.string().nullable(),
  }),
  /** The refund failed, or the merchant won the dispute: the money is there again. */
  ClientPaymentRestored: event(['client-payment'], {
    ...ofCheckout,
    reversalRef: providerRef,
    kind: reversalKind,
    date: calendarDay,
    currency,
    amount,
    items,
    method: paymentMethod,
  }),
  /** The merchant lost the dispute: the money stays with the client. The fee stays, too. */
  ClientChargebackLost: event(['client-payment'], { ...ofCheckout, reversalRef: providerRef }),
  /** The product's fee of a payment, which the merchant pays. */
  PlatformFeeCharged: event(['client-payment', 'platform-fee'], {
    ...ofCheckout,
    feeRef: providerRef,
    chargedAt: instant,
    currency,
    amount,
  }),
  /** A part of the fee went back to the merchant with a refund. */
  PlatformFeeReturned: event(['client-payment', 'platform-fee'], {
    ...ofCheckout,
    feeRef: providerRef,
    returnRef: providerRef,
    returnedAt: instant,
    currency,
    amount,
  }),
} as const
