import { idOf, idOrNull, type Invoice, type InvoicePayment } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { changeCustomer } from '../stripe/resources/customers.ts'

/**
 * Closes an invoice without a payment: void, or uncollectible, which can still be paid. No further
 * attempt follows. A void invoice returns the credit that it used.
 */
export async function writeOff(
  tx: Transaction,
  invoice: Invoice,
  status: 'void' | 'uncollectible',
): Promise<Invoice> {
  const isVoid = status === 'void'
  const closed: Invoice = {
    ...invoice,
    auto_advance: false,
    next_payment_attempt: null,
    status,
    status_transitions: {
      ...invoice.status_transitions,
      ...(isVoid ? { voided_at: tx.now } : { marked_uncollectible_at: tx.now }),
    },
  }
  await tx.save(closed)
  if (isVoid) {
    await stopPayment(tx, invoice, 'void_invoice')
    await returnCredit(tx, invoice)
  }
  await tx.emit(isVoid ? 'invoice.voided' : 'invoice.marked_uncollectible', closed, invoice)
  return closed
}

/** Cancels the open payment of an invoice that needs none anymore. */
export async function stopPayment(
  tx: Transaction,
  invoice: Invoice,
  cancellation_reason: 'void_invoice' | 'abandoned',
): Promise<void> {
  const payment = await openPaymentOf(tx, invoice)
  if (payment === null) return
  await tx.save({
    ...payment,
    status: 'canceled',
    status_transitions: { ...payment.status_transitions, canceled_at: tx.now },
  })
  const intent = await tx.find('payment_intent', idOrNull(payment.payment.payment_intent) ?? '')
  if (intent === null) return
  const canceled = {
    ...intent,
    canceled_at: tx.now,
    cancellation_reason,
    status: 'canceled' as const,
  }
  await tx.save(canceled)
  await tx.emit('payment_intent.canceled', canceled)
}

/** The payment that the next attempt would collect; null before the first attempt. */
export async function openPaymentOf(
  tx: Transaction,
  invoice: Invoice,
): Promise<InvoicePayment | null> {
  const payments = await tx.list('invoice_payment', {
    where: [
      { path: ['invoice'], isOneOf: [invoice.id ?? ''] },
      { path: ['status'], isOneOf: ['open'] },
    ],
  })
  return payments[0] ?? null
}

async function returnCredit(tx: Transaction, invoice: Invoice): Promise<void> {
  const used = (invoice.ending_balance ?? 0) - invoice.starting_balance
  const customer = await tx.find('customer', idOf(invoice.customer ?? ''))
  if (used > 0 && customer !== null)
    await changeCustomer(tx, customer, { balance: customer.balance - used })
}
