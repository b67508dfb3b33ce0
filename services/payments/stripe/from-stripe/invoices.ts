import type Stripe from 'stripe'
import type {
  BilledTo,
  InvoiceAmounts,
  InvoiceLine,
  WayOfPayment,
} from '#contracts/events/billing-parts'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { InvoiceCause } from '#contracts/invoice-cause'
import type { PlanPrices } from '../../plan-prices.ts'
import type { FailedAttempt, ProviderInvoice } from '../../provider-state.ts'
import { billingAddressOf, methodFromStripe, methodOfCharge } from './payment-method.ts'
import { isProrationLine } from './prorations.ts'
import { idOrNull, instantOf, instantOrNull, refOf, refOrNull } from './references.ts'

/**
 * A paid invoice, an invoice with a failed attempt to collect it, or an invoice that is written
 * off. Null for a draft, an invoice without an attempt, and an invoice of nothing, such as that of
 * a trial. `intent` is the invoice's payment intent with its payment method expanded; null if the
 * invoice has no payment intent. `failedCharges` are those of the invoice, oldest first. In this
 * API version an invoice names its subscription under `parent` and its payments under `payments`.
 */
export function invoiceFromStripe(
  invoice: Stripe.Invoice,
  {
    intent,
    failedCharges,
  }: {
    readonly intent: Stripe.PaymentIntent | null
    readonly failedCharges: readonly Stripe.Charge[]
  },
  prices: PlanPrices,
): ProviderInvoice | null {
  const failures = failuresOf(invoice, intent, failedCharges)
  const outcome = outcomeOf(invoice)
  const line = planLineOf(invoice)
  const isOfNothing = invoice.lines.data.every(({ amount }) => amount === 0)
  const isUntried = outcome?.kind === 'open' && failures.length === 0
  if (!invoice.id || outcome === null || isUntried || isOfNothing) return null
  const priceRef = priceOf(line)
  const plan = priceRef === null ? null : prices.planOf(priceRef)
  return {
    invoiceRef: refOf(invoice.id),
    invoiceNumber: invoice.number,
    cause: causeOf(invoice),
    subscriptionRef: refOrNull(invoice.parent?.subscription_details?.subscription),
    planId: plan?.id ?? null,
    planName: plan?.name ?? line?.description ?? null,
    paymentRef: refOrNull(paymentIntentIdOf(invoice)),
    paidBy: invoice.status === 'paid' ? waysOf(invoice, intent) : [],
    amounts: amountsOf(invoice),
    due: invoice.amount_due,
    lines: invoice.lines.data.map(lineFromStripe),
    periodStart: instantOf(line?.period.start ?? invoice.period_start),
    periodEnd: instantOf(line?.period.end ?? invoice.period_end),
    billed: billedFromStripe(
      invoice.customer_name,
      invoice.customer_email,
      // A customer without an address entered a part of it with the card.
      invoice.customer_address ?? billingAddressOf(intent?.payment_method),
    ),
    hostedInvoiceUrl: invoice.hosted_invoice_url ?? null,
    failures,
    outcome,
  }
}

export function billedFromStripe(
  name: string | null | undefined,
  email: string | null | undefined,
  address: Stripe.Address | null | undefined,
): BilledTo {
  return {
    customerName: name ?? null,
    customerEmail: email ?? null,
    addressLine1: address?.line1 ?? null,
    addressLine2: address?.line2 ?? null,
    postalCode: address?.postal_code ?? null,
    city: address?.city ?? null,
    state: address?.state ?? null,
    country: address?.country ?? null,
  }
}

/**
 * The intent that paid the invoice, or that tries to. An invoice that was paid outside Stripe has
 * an intent that paid nothing, which is not its payment.
 */
export function paymentIntentIdOf(invoice: Stripe.Invoice): string | null {
  const payments = invoice.payments?.data ?? []
  const paid = payments.find((payment) => payment.status === 'paid')
  const payment = invoice.status === 'paid' ? paid : (paid ?? payments.at(-1))
  return idOrNull(payment?.payment.payment_intent)
}

/**
 * A paid invoice without a payment of the provider was paid outside, also if Stripe does not report
 * the amount that was paid outside. A payment record stands for money that Stripe did not move.
 */
function waysOf(
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent | null,
): readonly WayOfPayment[] {
  const { amount_paid: paid, payments } = invoice
  const isCollected = (payments?.data ?? []).some(
    ({ status, payment }) => status === 'paid' && payment.type !== 'payment_record',
  )
  const outside = Math.min(paid, invoice.amount_paid_off_stripe ?? (isCollected ? 0 : paid))
  const ways: WayOfPayment[] = []
  if (paid > 0 && (isCollected || outside < paid))
    ways.push({ kind: 'method', method: methodFromStripe(intent?.payment_method) })
  if (outside > 0) ways.push({ kind: 'outside', amount: outside })
  if (fromBalanceOf(invoice) > 0) ways.push({ kind: 'credit' })
  return ways
}

/**
 * The balance is in the customer's favor if it is negative. So an invoice that uses 500 of a credit
 * raises the balance from -500 to 0.
 */
function fromBalanceOf({
  starting_balance: before,
  ending_balance: after,
}: Stripe.Invoice): number {
  return after === null ? 0 : after - before
}

function amountsOf(invoice: Stripe.Invoice): InvoiceAmounts {
  const { currency, subtotal, total } = invoice
  return {
    currency,
    subtotal,
    discount: sumOf(invoice.total_discount_amounts),
    tax: sumOf(invoice.total_taxes),
    total,
    fromBalance: fromBalanceOf(invoice),
    paid: invoice.amount_paid,
  }
}

function sumOf(parts: readonly { readonly amount: number }[] | null): number {
  return (parts ?? []).reduce((sum, { amount }) => sum + amount, 0)
}

function lineFromStripe(line: Stripe.InvoiceLineItem): InvoiceLine {
  return {
    description: line.description,
    amount: line.amount,
    quantity: line.quantity,
    priceRef: priceOf(line),
    periodStart: instantOf(line.period.start),
    periodEnd: instantOf(line.period.end),
    isProration: isProrationLine(line),
  }
}

function causeOf({ billing_reason: reason }: Stripe.Invoice): InvoiceCause {
  switch (reason) {
    case 'subscription_create':
      return 'first'
    case 'subscription_cycle':
      return 'renewal'
    default:
      return 'other'
  }
}

function priceOf(line: Stripe.InvoiceLineItem | undefined): ProviderRef | null {
  return refOrNull(line?.pricing?.price_details?.price)
}

/** The line of the period that the customer pays for, not the proration of an earlier period. */
function planLineOf(invoice: Stripe.Invoice): Stripe.InvoiceLineItem | undefined {
  const lines = invoice.lines.data
  return lines.find((line) => !isProrationLine(line) && line.parent !== null) ?? lines.at(-1)
}

function outcomeOf(invoice: Stripe.Invoice): ProviderInvoice['outcome'] | null {
  const { paid_at, voided_at, marked_uncollectible_at } = invoice.status_transitions
  switch (invoice.status) {
    case 'paid':
      return { kind: 'paid', at: instantOf(paid_at ?? invoice.created) }
    case 'open':
      return { kind: 'open' }
    case 'void':
      return { kind: 'written-off', how: 'voided', at: instantOrNull(voided_at) }
    case 'uncollectible':
      return {
        kind: 'written-off',
        how: 'uncollectible',
        at: instantOrNull(marked_uncollectible_at),
      }
    default:
      return null
  }
}

const noReason = 'The payment was not collected.'

/**
 * Each attempt with a means of payment makes a charge, and the charges stay when the invoice is
 * paid. An attempt without a means makes no charge: only the count of an unpaid invoice shows it.
 */
function failuresOf(
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent | null,
  failedCharges: readonly Stripe.Charge[],
): readonly FailedAttempt[] {
  const { attempted, attempt_count: count, status, status_transitions: times } = invoice
  const charged = failedCharges.map((charge, index) => ({
    at: instantOf(charge.created),
    attempt: index + 1,
    reason: charge.failure_message ?? noReason,
    code: charge.outcome?.reason ?? charge.failure_code,
    method: methodOfCharge(charge),
    nextAttemptAt: null,
  }))
  const isCounted = status !== 'paid' && attempted && count > charged.length
  const last = isCounted
    ? {
        // The first attempt follows the finalization. Stripe does not date a later attempt.
        at: count === 1 ? instantOrNull(times.finalized_at) : null,
        attempt: count,
        ...whyOpen(intent),
        method: methodFromStripe(intent?.last_payment_error?.payment_method),
      }
    : charged.pop()
  const nextAttemptAt = instantOrNull(invoice.next_payment_attempt)
  return last === undefined ? charged : [...charged, { ...last, nextAttemptAt }]
}

/** Why the attempt of an intent collected nothing. */
function whyOpen(intent: Stripe.PaymentIntent | null): Pick<FailedAttempt, 'reason' | 'code'> {
  // 3-D Secure: the attempt waits for the card holder, and no charge failed.
  if (intent?.status === 'requires_action')
    return { reason: 'The payment needs a confirmation.', code: 'authentication_required' }
  const error = intent?.last_payment_error
  return {
    reason: error?.message ?? noReason,
    code: error?.decline_code ?? error?.code ?? null,
  }
}
