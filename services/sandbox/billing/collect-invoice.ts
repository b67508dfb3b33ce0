import { DamagedStore } from '../store/damaged-store.ts'
import {
  idOf,
  idOrNull,
  type Customer,
  type Invoice,
  type InvoicePayment,
  type PaymentIntent,
  type PaymentMethod,
  type Subscription,
} from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import {
  asPaid,
  newInvoice,
  newInvoicePayment,
  type BillingReason,
} from '../stripe/resources/new-invoice.ts'
import { changeCustomer } from '../stripe/resources/customers.ts'
import { pendingItems } from '../stripe/resources/invoice-items.ts'
import { newPaymentIntent } from '../stripe/resources/payment-intents.ts'
import type { Decline } from './cards.ts'
import { discountOf } from './redeem-coupon.ts'
import { chargeCard } from './charge-card.ts'

const day = 86_400

/**
 * The retry calendar: days from each failed attempt to the next one, so an unpaid invoice is
 * charged again 3, 8 and 15 days after the first attempt. After the last retry fails, the
 * subscription ends and its invoice stays open without further attempts. A call that pays an
 * invoice does not change the calendar.
 */
export const retryAfterDays = [3, 5, 7] as const

/**
 * Creates an invoice of the subscription: its pending items, and the current period unless
 * `billsPeriod` is false. The invoice is final immediately; Stripe waits an hour.
 */
export async function openInvoice(
  tx: Transaction,
  customer: Customer,
  subscription: Subscription,
  why: {
    readonly reason: BillingReason
    /** Start of the previous period. */ readonly since: number
    readonly billsPeriod?: boolean
  },
): Promise<Invoice> {
  const pending = await pendingItems(tx, subscription)
  const made = newInvoice({
    customer,
    subscription,
    pending,
    billsPeriod: true,
    discount: await discountOf(tx, subscription),
    ...why,
    now: tx.now,
  })
  const invoice = { ...made, hosted_invoice_url: hostedUrl(tx, made) }
  await tx.add(invoice)
  for (const item of pending)
    await tx.save({ ...item, invoice: invoice.id ?? null, sandbox: { state: 'invoiced' } })
  await tx.emit('invoice.created', invoice)
  await tx.emit('invoice.finalized', invoice)
  await countInvoice(tx, customer, invoice.ending_balance ?? customer.balance)
  return invoice
}

/**
 * Counts a final invoice and sets the balance that it leaves. The count alone makes no event:
 * Stripe documents none.
 */
export async function countInvoice(
  tx: Transaction,
  customer: Customer,
  balance: number,
): Promise<void> {
  const next_invoice_sequence = (customer.next_invoice_sequence ?? 1) + 1
  if (balance === customer.balance) await tx.save({ ...customer, next_invoice_sequence })
  else await changeCustomer(tx, customer, { balance, next_invoice_sequence })
}

/** The page of a final invoice. */
export function hostedUrl(tx: Transaction, invoice: Invoice): string {
  return `${tx.ownUrl}/invoice/${invoice.id ?? ''}`
}

/** Marks an invoice as paid without a card, because nothing is due. */
export async function settleWithoutPayment(tx: Transaction, invoice: Invoice): Promise<Invoice> {
  const paid = asPaid(invoice, tx.now)
  await tx.save(paid)
  await tx.emit('invoice.paid', paid)
  await tx.emit('invoice.payment_succeeded', paid)
  return paid
}

/** Marks an invoice as paid by a succeeded intent and emits the events. */
export async function settleInvoice(
  tx: Transaction,
  invoice: Invoice,
  payment: InvoicePayment,
): Promise<Invoice> {
  const paid = asPaid(invoice, tx.now)
  const settled: InvoicePayment = {
    ...payment,
    amount_paid: invoice.amount_due,
    status: 'paid',
    status_transitions: { ...payment.status_transitions, paid_at: tx.now },
  }
  await tx.save(paid)
  await tx.save(settled)
  await tx.emit('invoice.paid', paid)
  await tx.emit('invoice.payment_succeeded', paid)
  await tx.emit('invoice_payment.paid', settled)
  return paid
}

/** Links an invoice to the intent that collects it. */
export async function addInvoicePayment(
  tx: Transaction,
  invoice: Invoice,
  intent: PaymentIntent,
): Promise<InvoicePayment> {
  const payment = newInvoicePayment(invoice, intent.id, tx.now)
  await tx.add(payment)
  return payment
}

export type Collected = {
  readonly invoice: Invoice
  readonly decline: Decline | null
  /** No retry is left. */ readonly isLastAttempt: boolean
}

/** Attempts once to collect an open invoice from a card, without the card holder. */
export async function collectInvoice(
  tx: Transaction,
  invoice: Invoice,
  method: PaymentMethod,
): Promise<Collected> {
  const { intent, payment } = await paymentOf(tx, invoice)
  const { decline } = await chargeCard(tx, intent, method, 'later')
  if (decline === null)
    return { invoice: await settleInvoice(tx, invoice, payment), decline, isLastAttempt: false }
  const pause = retryAfterDays[invoice.attempt_count]
  const failed: Invoice = {
    ...invoice,
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    auto_advance: pause !== undefined,
    next_payment_attempt: pause === undefined ? null : tx.now + pause * day,
  }
  await tx.save(failed)
  await tx.emit('invoice.payment_failed', failed)
  return { invoice: failed, decline, isLastAttempt: pause === undefined }
}

/** The payment that collects the invoice, and its intent; new ones before the first attempt. */
export async function paymentOf(
  tx: Transaction,
  invoice: Invoice,
): Promise<{ intent: PaymentIntent; payment: InvoicePayment }> {
  const [known] = await tx.list('invoice_payment', {
    where: [{ path: ['invoice'], isOneOf: [invoice.id ?? ''] }],
  })
  const knownIntent = known?.payment.payment_intent
  if (known && knownIntent !== undefined) {
    const intent = await tx.find('payment_intent', idOf(knownIntent))
    if (!intent)
      throw new DamagedStore(
        `The payment intent of the invoice ${invoice.id ?? ''} does not exist.`,
      )
    return { intent, payment: known }
  }
  const intent = newPaymentIntent(
    { amount: invoice.amount_due, currency: invoice.currency },
    { customer: idOrNull(invoice.customer), description: 'Subscription update', now: tx.now },
  )
  await tx.add(intent)
  await tx.emit('payment_intent.created', intent)
  return { intent, payment: await addInvoicePayment(tx, invoice, intent) }
}
