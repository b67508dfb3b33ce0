import { idOrNull, type Invoice } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { openPaymentOf, stopPayment } from './close-invoice.ts'
import { reactivate } from './renew-subscription.ts'

/**
 * Counts a credit note on its invoice. `pre` reduces the amount that remains to be paid; an invoice
 * with nothing left to pay is paid. A negative `pre` belongs to a voided credit note.
 */
export async function creditInvoice(
  tx: Transaction,
  invoice: Invoice,
  { pre, post }: { readonly pre: number; readonly post: number },
): Promise<void> {
  const remaining = invoice.amount_remaining - pre
  const isSettled = invoice.status === 'open' && remaining === 0
  const credited: Invoice = {
    ...invoice,
    amount_due: invoice.amount_due - pre,
    amount_remaining: remaining,
    post_payment_credit_notes_amount: invoice.post_payment_credit_notes_amount + post,
    pre_payment_credit_notes_amount: invoice.pre_payment_credit_notes_amount + pre,
    ...(isSettled
      ? {
          auto_advance: false,
          next_payment_attempt: null,
          status: 'paid' as const,
          status_transitions: { ...invoice.status_transitions, paid_at: tx.now },
        }
      : {}),
  }
  await tx.save(credited)
  if (isSettled) await stopPayment(tx, invoice, 'abandoned')
  else if (pre !== 0) await requestAmount(tx, credited)
  await tx.emit('invoice.updated', credited, invoice)
  if (!isSettled) return
  await tx.emit('invoice.paid', credited)
  await reactivate(tx, credited)
}

/** The next attempt charges what remains. */
async function requestAmount(tx: Transaction, invoice: Invoice): Promise<void> {
  const payment = await openPaymentOf(tx, invoice)
  if (payment === null) return
  await tx.save({ ...payment, amount_requested: invoice.amount_remaining })
  const intent = await tx.find('payment_intent', idOrNull(payment.payment.payment_intent) ?? '')
  if (intent !== null) await tx.save({ ...intent, amount: invoice.amount_remaining })
}
