import { z } from 'zod'
import { isStorable } from '#contracts/storable-text'
import { toMinorUnits } from '#contracts/currency'
import { closeDispute, isOpenDispute, openDispute } from '../billing/disputes.ts'
import { refundCharge } from '../billing/refunds.ts'
import type { Charge } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { invalid } from '../stripe/errors.ts'

const typed = z.string().max(60).refine(isStorable).catch('')

export const paymentForm = z.object({
  action: z.enum(['refund', 'dispute', 'inquire', 'win', 'lose']),
  amount: typed,
  refundsFee: z.literal('yes').optional().catch(undefined),
})
type PaymentForm = z.infer<typeof paymentForm>

/**
 * What a tester lets the merchant or the payer's bank do with a payment.
 * @throws StripeRefusal if Stripe would not do it
 */
export async function actOnPayment(
  tx: Transaction,
  charge: Charge,
  form: PaymentForm,
): Promise<void> {
  switch (form.action) {
    case 'refund':
      if (!charge.paid) throw invalid('The payment was declined: nothing can be refunded.')
      await refundCharge(tx, charge, {
        amount: typedAmount(form.amount, charge.currency),
        reason: 'requested_by_customer',
        refundsFee: form.refundsFee === 'yes',
      })
      return
    case 'dispute':
      await open(tx, charge, 'fraudulent')
      return
    case 'inquire':
      await open(tx, charge, 'inquiry')
      return
    case 'win':
      await close(tx, charge, 'won')
      return
    case 'lose':
      await close(tx, charge, 'lost')
      return
  }
}

/** Minor units; undefined for all that is left. @throws StripeRefusal for another text */
function typedAmount(text: string, currency: string): number | undefined {
  const plain = text.trim().replace(/^\$/, '').replaceAll(',', '')
  if (plain === '') return undefined
  const amount = /^\d{1,9}(\.\d{1,3})?$/.test(plain) ? toMinorUnits(Number(plain), currency) : null
  if (amount === null || amount === 0)
    throw invalid(`${JSON.stringify(text)} is no amount. Write it like 12.50.`)
  return amount
}

async function open(tx: Transaction, charge: Charge, course: 'fraudulent' | 'inquiry') {
  if (!charge.paid || charge.disputed)
    throw invalid('A payment is disputed once, and only if it was paid.')
  await openDispute(tx, charge, course)
}

async function close(tx: Transaction, charge: Charge, outcome: 'won' | 'lost') {
  const disputes = await tx.list('dispute', { where: [{ path: ['charge'], isOneOf: [charge.id] }] })
  const dispute = disputes.find(isOpenDispute)
  if (dispute === undefined) throw invalid('The payment has no open dispute.')
  await closeDispute(tx, dispute, dispute.status.startsWith('warning') ? 'warning_closed' : outcome)
}
