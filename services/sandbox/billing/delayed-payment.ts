import { DamagedStore } from '../store/damaged-store.ts'
import {
  idOf,
  idOrNull,
  type Charge,
  type CheckoutSession,
  type PaymentIntent,
  type PaymentMethod,
} from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { chargeOf, outcome } from '../stripe/resources/charges.ts'
import { paymentError } from '../stripe/resources/payment-intents.ts'
import { collectFee } from './application-fees.ts'
import { bookCharge } from './balance.ts'
import { notCollected } from './cards.ts'

const day = 86_400

/**
 * Starts a payment whose outcome comes a day later, as that of a bank debit does. Saves the pending
 * charge and the intent, and emits their events.
 */
export async function startDelayedPayment(
  tx: Transaction,
  intent: PaymentIntent,
  method: PaymentMethod,
  becomes: 'succeeded' | 'failed',
): Promise<PaymentIntent> {
  const charge: Charge = {
    ...chargeOf(intent, method, null, tx.now),
    outcome: null,
    paid: false,
    status: 'pending',
  }
  await tx.add(charge)
  await tx.emit('charge.pending', charge)
  const processing: PaymentIntent = {
    ...intent,
    latest_charge: charge.id,
    last_payment_error: null,
    payment_method: method.id,
    status: 'processing',
    sandbox: { becomes, changesAt: tx.now + day },
  }
  await tx.save(processing)
  await tx.emit('payment_intent.processing', processing)
  return processing
}

/** A processing payment is due: the money came, or it did not. */
export async function settleDelayedPayment(tx: Transaction, due: PaymentIntent): Promise<void> {
  const { sandbox: _due, ...intent } = due
  const charge = await tx.find('charge', idOrNull(due.latest_charge) ?? '')
  const method = await tx.find('payment_method', idOrNull(due.payment_method) ?? '')
  const [session] = await tx.list('checkout.session', {
    where: [{ path: ['payment_intent'], isOneOf: [due.id] }],
  })
  if (charge === null || method === null || session === undefined)
    throw new DamagedStore(`The payment ${due.id} has no charge, no card or no checkout.`)
  if (due.sandbox?.becomes === 'succeeded') await succeed(tx, { charge, intent, session })
  else await fail(tx, { charge, intent, session }, method)
}

interface Pending {
  readonly charge: Charge
  readonly intent: PaymentIntent
  readonly session: CheckoutSession
}

async function succeed(tx: Transaction, { charge, intent, session }: Pending): Promise<void> {
  const paid: Charge = { ...charge, outcome: outcome(null), paid: true, status: 'succeeded' }
  const settled = await bookCharge(tx, await collectFee(tx, paid))
  await tx.save(settled)
  await tx.emit('charge.succeeded', settled)
  const succeeded: PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    status: 'succeeded',
  }
  await tx.save(succeeded)
  await tx.emit('payment_intent.succeeded', succeeded)
  const completed: CheckoutSession = { ...session, payment_status: 'paid' }
  await tx.save(completed)
  await tx.emit('checkout.session.async_payment_succeeded', completed)
}

/** The session stays complete and unpaid: nothing can be paid on its page any more. */
async function fail(
  tx: Transaction,
  { charge, intent, session }: Pending,
  method: PaymentMethod,
): Promise<void> {
  const failed: Charge = {
    ...charge,
    amount_captured: 0,
    captured: false,
    failure_code: notCollected.code,
    failure_message: notCollected.message,
    outcome: outcome(notCollected),
    status: 'failed',
  }
  await tx.save(failed)
  await tx.emit('charge.failed', failed)
  const unpaid: PaymentIntent = {
    ...intent,
    last_payment_error: paymentError(notCollected, method, idOf(charge)),
    payment_method: null,
    status: 'requires_payment_method',
  }
  await tx.save(unpaid)
  await tx.emit('payment_intent.payment_failed', unpaid)
  await tx.emit('checkout.session.async_payment_failed', session)
}
