import { refundableAmount } from '../billing/refunds.ts'
import { idOrNull } from '../store/stripe-objects.ts'
import type { ReadTransaction } from '../store/transaction.ts'
import type { PaymentView } from './merchant-payment-page.tsx'

/** What the page of a payment shows; null if the account or the payment does not exist. */
export async function paymentView(
  platform: ReadTransaction,
  address: { readonly account: string; readonly charge: string },
): Promise<Omit<PaymentView, 'problem'> | null> {
  const account = await platform.find('account', address.account)
  const tx = platform.on(address.account)
  const charge = await tx.find('charge', address.charge)
  if (account === null || charge === null) return null
  const ofCharge = { where: [{ path: ['charge'], isOneOf: [charge.id] }] }
  const fee = idOrNull(charge.application_fee)
  const balance = idOrNull(charge.balance_transaction)
  const disputes = await tx.list('dispute', ofCharge)
  const isRefundable = charge.paid && disputes.every((dispute) => dispute.is_charge_refundable)
  return {
    account,
    charge,
    fee: fee === null ? null : await platform.find('application_fee', fee),
    balance: balance === null ? null : await tx.find('balance_transaction', balance),
    refunds: await tx.list('refund', ofCharge),
    disputes,
    refundable: isRefundable ? Math.max(0, await refundableAmount(tx, charge)) : 0,
  }
}
