import type { Invoice, PaymentMethod } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { asPaid } from '../stripe/resources/new-invoice.ts'
import { cardError, type StripeRefusal } from '../stripe/errors.ts'
import { chargeCard } from './charge-card.ts'
import { stopPayment } from './close-invoice.ts'
import { paymentOf, settleInvoice, settleWithoutPayment } from './collect-invoice.ts'
import { cardOf, reactivate, subscriptionOf } from './renew-subscription.ts'

/**
 * Collects an open or uncollectible invoice now. Returns the refusal of a declined card, so that
 * the failed attempt is kept. The first attempt counts; a later one does not change the retry
 * calendar.
 */
export async function payInvoice(
  tx: Transaction,
  invoice: Invoice,
  method: PaymentMethod | null,
): Promise<Invoice | StripeRefusal> {
  if (invoice.amount_due === 0) return closed(tx, await settleWithoutPayment(tx, invoice))
  const card = method ?? (await cardOf(tx, await subscriptionOf(tx, invoice)))
  const { intent, payment } = await paymentOf(tx, invoice)
  const { decline } = await chargeCard(tx, intent, card, 'later')
  const earlier = Math.max(0, invoice.attempt_count - 1)
  if (decline === null)
    return closed(tx, await settleInvoice(tx, { ...invoice, attempt_count: earlier }, payment))
  const failed: Invoice = { ...invoice, attempt_count: earlier + 1, attempted: true }
  await tx.save(failed)
  await tx.emit('invoice.payment_failed', failed)
  return cardError(decline)
}

/** The customer paid outside of Stripe: no card is charged. */
export async function payOutOfBand(tx: Transaction, invoice: Invoice): Promise<Invoice> {
  const { attempt_count, attempted } = invoice
  const paid: Invoice = {
    ...asPaid(invoice, tx.now),
    amount_paid_off_stripe: invoice.amount_due,
    attempt_count,
    attempted,
  }
  await tx.save(paid)
  await stopPayment(tx, invoice, 'abandoned')
  await tx.emit('invoice.paid', paid)
  await tx.emit('invoice.payment_succeeded', paid)
  return closed(tx, paid)
}

async function closed(tx: Transaction, invoice: Invoice): Promise<Invoice> {
  await reactivate(tx, invoice)
  return invoice
}
