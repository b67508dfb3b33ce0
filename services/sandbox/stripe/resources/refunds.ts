import type Stripe from 'stripe'
import { z } from 'zod'
import { newId } from '../../store/ids.ts'
import { idOrNull, type Charge, type Refund } from '../../store/stripe-objects.ts'
import type { Transaction } from '../../store/transaction.ts'
import { invalid, missing, missingReference } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import {
  count,
  created,
  emptyable,
  mergeMetadata,
  metadata,
  paging,
  paramsOf,
  text,
} from '../params.ts'

const createParams = paramsOf<Stripe.RefundCreateParams>()({
  charge: text.optional(),
  payment_intent: text.optional(),
  amount: count.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: emptyable(metadata).optional(),
})
const listParams = paramsOf<Stripe.RefundListParams>()({
  ...paging,
  created: created.optional(),
  charge: text.optional(),
  payment_intent: text.optional(),
})

export const refundOperations: readonly Operation[] = [
  changing('post', '/v1/refunds', createParams, ({ tx, params }) => giveBack(tx, params)),
  reading('/v1/refunds', listParams, ({ tx, params }) =>
    listPage(tx, 'refund', '/v1/refunds', params, [
      ...having(['charge'], params.charge),
      ...having(['payment_intent'], params.payment_intent),
    ]),
  ),
  reading('/v1/refunds/:id', paramsOf<Stripe.RefundRetrieveParams>()({}), async ({ tx, id }) => {
    const refund = await tx.find('refund', id)
    if (!refund) throw missing('refund', id)
    return refund
  }),
]

/**
 * Refunds a part, or the rest, of a paid charge. The refunds of a charge do not exceed its captured
 * amount.
 */
async function giveBack(tx: Transaction, params: z.infer<typeof createParams>): Promise<Refund> {
  const charge = await paidCharge(tx, params)
  const left = charge.amount_captured - charge.amount_refunded
  const amount = params.amount ?? left
  if (left === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    })
  if (amount > left)
    throw invalid(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      { param: 'amount' },
    )
  const refund = {
    id: newId('refund'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: tx.now,
    currency: charge.currency,
    customer: idOrNull(charge.customer),
    customer_account: null,
    metadata: mergeMetadata({}, params.metadata),
    payment_intent: idOrNull(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  } satisfies Refund
  const refunded = charge.amount_refunded + amount
  const changed: Charge = {
    ...charge,
    amount_refunded: refunded,
    refunded: refunded === charge.amount_captured,
  }
  await tx.add(refund)
  await tx.save(changed)
  await tx.emit('refund.created', refund)
  await tx.emit('charge.refunded', changed, {
    amount_refunded: charge.amount_refunded,
    refunded: charge.refunded,
  })
  return refund
}

async function paidCharge(tx: Transaction, params: z.infer<typeof createParams>): Promise<Charge> {
  const id = params.charge ?? (await latestCharge(tx, params.payment_intent))
  const charge = await tx.find('charge', id)
  if (!charge) throw missingReference('charge', id, 'charge')
  if (!charge.paid)
    throw invalid(`Charge ${id} is not paid, so there is nothing to refund.`, { param: 'charge' })
  return charge
}

async function latestCharge(tx: Transaction, intentId: string | undefined): Promise<string> {
  if (intentId === undefined)
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
    )
  const intent = await tx.find('payment_intent', intentId)
  if (!intent) throw missingReference('payment_intent', intentId, 'payment_intent')
  const charge = idOrNull(intent.latest_charge)
  if (charge === null)
    throw invalid('This PaymentIntent does not have a successful charge to refund.', {
      param: 'payment_intent',
    })
  return charge
}
