import { brand } from '#contracts/brand/brand'
import { newId } from '../store/ids.ts'
import {
  idOf,
  idOrNull,
  type ApplicationFee,
  type Charge,
  type FeeRefund,
} from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { invalid } from '../stripe/errors.ts'
import { platformApplicationId } from '../stripe/connected-account.ts'
import { book } from './balance.ts'
import { formatMoney } from './format.ts'

/**
 * Collects the platform's fee of a paid charge on a connected account. The fee is an object of the
 * platform. Returns the charge with its fee; the caller saves it.
 */
export async function collectFee(tx: Transaction, charge: Charge): Promise<Charge> {
  const amount = charge.application_fee_amount
  if (tx.account === null || amount === null || !charge.paid) return charge
  const id = newId('application_fee')
  const fee = {
    id,
    object: 'application_fee',
    account: tx.account,
    amount,
    amount_refunded: 0,
    application: platformApplicationId,
    balance_transaction: null,
    charge: charge.id,
    created: tx.now,
    currency: charge.currency,
    fee_source: { charge: charge.id, type: 'charge' },
    livemode: false,
    originating_transaction: null,
    refunded: false,
    refunds: {
      object: 'list',
      data: [],
      has_more: false,
      url: `/v1/application_fees/${id}/refunds`,
    },
  } satisfies ApplicationFee
  await tx.on(null).add(fee)
  await tx.on(null).emit('application_fee.created', fee)
  return { ...charge, application_fee: fee.id }
}

/**
 * Returns a part of a fee, or its rest.
 * @throws StripeRefusal if the fee has less left
 */
export async function refundFee(
  tx: Transaction,
  fee: ApplicationFee,
  order: { readonly amount: number | undefined; readonly metadata: Record<string, string> },
): Promise<FeeRefund> {
  const left = fee.amount - fee.amount_refunded
  if (left === 0) throw invalid(`Application fee ${fee.id} has already been refunded.`)
  const amount = order.amount ?? left
  if (amount > left)
    throw invalid(
      `Refund amount (${formatMoney(amount, fee.currency)}) is greater than unrefunded amount on fee (${formatMoney(left, fee.currency)})`,
      { param: 'amount' },
    )
  const refund = await returnFee(tx, fee, { amount, metadata: order.metadata })
  await book(tx.on(idOf(fee.account)), {
    type: 'adjustment',
    category: 'other_adjustment',
    amount,
    currency: fee.currency,
    description: `${brand.name} application fee refund`,
    source: idOf(fee.charge),
  })
  return refund
}

async function returnFee(
  tx: Transaction,
  fee: ApplicationFee,
  { amount, metadata }: { readonly amount: number; readonly metadata: Record<string, string> },
): Promise<FeeRefund> {
  const refund = {
    id: newId('fee_refund'),
    object: 'fee_refund',
    amount,
    balance_transaction: null,
    created: tx.now,
    currency: fee.currency,
    fee: fee.id,
    metadata,
  } satisfies FeeRefund
  const platform = tx.on(null)
  await platform.add(refund)
  const after: ApplicationFee = {
    ...fee,
    amount_refunded: fee.amount_refunded + amount,
    refunded: fee.amount_refunded + amount === fee.amount,
    refunds: { ...fee.refunds, data: [refund, ...fee.refunds.data] },
  }
  await platform.save(after)
  await platform.emit('application_fee.refunded', after, fee)
  return refund
}

/**
 * Returns the fee's share of a refund, in proportion to the refunded amount. The shares of partial
 * refunds add up to the fee. `earlier` is the sum of the charge's earlier refunds. Returns the
 * share in minor units. Source: Stripe's documentation, "Create direct charges", section "Issue
 * refunds".
 * @throws StripeRefusal if the charge has no fee
 */
export async function refundFeeShare(
  tx: Transaction,
  charge: Charge,
  refund: { readonly amount: number; readonly earlier: number },
): Promise<number> {
  const id = idOrNull(charge.application_fee)
  const fee = id === null ? null : await tx.on(null).find('application_fee', id)
  if (fee === null)
    throw invalid(
      `The charge ${charge.id} has no application fee, so refund_application_fee cannot be true.`,
      { param: 'refund_application_fee' },
    )
  const shareOf = (refunded: number) => Math.round((fee.amount * refunded) / charge.amount_captured)
  const share = shareOf(refund.earlier + refund.amount) - shareOf(refund.earlier)
  const amount = Math.min(share, fee.amount - fee.amount_refunded)
  if (amount > 0) await returnFee(tx, fee, { amount, metadata: {} })
  return amount
}

/** The fee that a payment intent of the account asks for. @throws StripeRefusal */
export function checkedFee(
  account: string | null,
  fee: number | undefined,
  total: { readonly amount: number; readonly currency: string },
): number | null {
  if (fee === undefined) return null
  const param = 'payment_intent_data[application_fee_amount]'
  if (account === null)
    throw invalid(
      'Can only apply an application_fee_amount when the PaymentIntent is attempting a direct payment (using an OAuth key or Stripe-Account header) or destination payment (using `transfer_data[destination]`).',
      { param },
    )
  if (fee > total.amount)
    throw invalid(
      `The application fee (${formatMoney(fee, total.currency)}) cannot be larger than the payment (${formatMoney(total.amount, total.currency)}).`,
      { param },
    )
  return fee
}
