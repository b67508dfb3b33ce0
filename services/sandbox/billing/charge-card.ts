import type { PaymentIntent, PaymentMethod } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { maxCharge, tooLargeSentence } from '../stripe/charge-limits.ts'
import { chargeOf } from '../stripe/resources/charges.ts'
import { paymentError } from '../stripe/resources/payment-intents.ts'
import { disputeCharge } from './disputes.ts'
import { collectFee } from './application-fees.ts'
import { bookCharge } from './balance.ts'
import { outcomeOf, type Decline } from './cards.ts'

export interface ChargeResult {
  readonly intent: PaymentIntent
  /** Null if the charge succeeded. */
  readonly decline: Decline | null
}

/** Prorations and taxes can make an invoice that no card can be charged. */
function tooLarge({ amount, currency }: PaymentIntent): Decline | null {
  if (amount <= maxCharge(currency)) return null
  const message = tooLargeSentence(currency)
  return { code: 'processing_error', declineCode: 'processing_error', message }
}

/**
 * Charges an intent's amount to a card. Saves the charge and the intent, and emits their events.
 */
export async function chargeCard(
  tx: Transaction,
  intent: PaymentIntent,
  method: PaymentMethod,
  when: 'atCheckout' | 'later',
): Promise<ChargeResult> {
  const decline = tooLarge(intent) ?? outcomeOf(method, when)
  const charge = await bookCharge(
    tx,
    await collectFee(tx, chargeOf(intent, method, decline, tx.now)),
  )
  await tx.add(charge)
  await tx.emit(decline === null ? 'charge.succeeded' : 'charge.failed', charge)
  const settled: PaymentIntent =
    decline === null
      ? {
          ...intent,
          status: 'succeeded',
          amount_received: intent.amount,
          latest_charge: charge.id,
          payment_method: method.id,
          last_payment_error: null,
        }
      : {
          ...intent,
          status: 'requires_payment_method',
          latest_charge: charge.id,
          payment_method: null,
          last_payment_error: paymentError(decline, method, charge.id),
        }
  await tx.save(settled)
  await tx.emit(
    decline === null ? 'payment_intent.succeeded' : 'payment_intent.payment_failed',
    settled,
  )
  if (decline === null) await disputeCharge(tx, charge)
  return { intent: settled, decline }
}
