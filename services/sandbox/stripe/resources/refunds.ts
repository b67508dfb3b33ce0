import type Stripe from 'stripe'
import { z } from 'zod'
import { cancelRefund, refundCharge } from '../../billing/refunds.ts'
import { saveChange } from '../../billing/save-change.ts'
import { idOrNull, type Charge, type Refund } from '../../store/stripe-objects.ts'
import type { Transaction, ReadTransaction } from '../../store/transaction.ts'
import { invalid, missing, missingReference } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import {
  count,
  created,
  emptyable,
  flag,
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
  refund_application_fee: flag.optional(),
  metadata: emptyable(metadata).optional(),
})
const listParams = paramsOf<Stripe.RefundListParams>()({
  ...paging,
  created: created.optional(),
  charge: text.optional(),
  payment_intent: text.optional(),
})
const chargeRefundsParams = paramsOf<Stripe.PaginationParams>()(paging)
const updateParams = paramsOf<Stripe.RefundUpdateParams>()({
  metadata: emptyable(metadata).optional(),
})

export const refundOperations: readonly Operation[] = [
  changing('post', '/v1/refunds', createParams, async ({ tx, params }) =>
    refundCharge(tx, await paidCharge(tx, params), {
      amount: params.amount,
      reason: params.reason,
      metadata: mergeMetadata({}, params.metadata),
      refundsFee: params.refund_application_fee,
    }),
  ),
  reading('/v1/refunds', listParams, ({ tx, params }) =>
    listPage(tx, 'refund', '/v1/refunds', params, [
      ...having(['charge'], params.charge),
      ...having(['payment_intent'], params.payment_intent),
    ]),
  ),
  // The URL of the refunds in an expanded charge.
  reading('/v1/charges/:id/refunds', chargeRefundsParams, async ({ tx, id, params }) => {
    if (!(await tx.find('charge', id))) throw missing('charge', id)
    return listPage(tx, 'refund', `/v1/charges/${id}/refunds`, params, having(['charge'], id))
  }),
  reading('/v1/refunds/:id', paramsOf<Stripe.RefundRetrieveParams>()({}), ({ tx, id }) =>
    refundById(tx, id),
  ),
  changing('post', '/v1/refunds/:id', updateParams, async ({ tx, params, id }) =>
    describeRefund(tx, await refundById(tx, id), params.metadata),
  ),
  changing(
    'post',
    '/v1/refunds/:id/cancel',
    paramsOf<Stripe.RefundCancelParams>()({}),
    async ({ tx, id }) => cancelRefund(tx, await refundById(tx, id)),
  ),
]

async function describeRefund(
  tx: Transaction,
  refund: Refund,
  change: Record<string, string> | '' | undefined,
): Promise<Refund> {
  const changed = { ...refund, metadata: mergeMetadata(refund.metadata ?? {}, change) }
  await saveChange(tx, refund, changed)
  return changed
}

async function refundById(tx: ReadTransaction, id: string): Promise<Refund> {
  const refund = await tx.find('refund', id)
  if (!refund) throw missing('refund', id)
  return refund
}

async function paidCharge(tx: Transaction, params: z.infer<typeof createParams>): Promise<Charge> {
  const id = params.charge ?? (await latestCharge(tx, params.payment_intent))
  const charge = await tx.find('charge', id)
  if (!charge) throw missingReference('charge', id, 'charge')
  if (!charge.paid) throw nothingToRefund(idOrNull(charge.payment_intent) ?? '')
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
  if (charge === null) throw nothingToRefund(intentId)
  return charge
}

function nothingToRefund(intent: string): Error {
  return invalid(`This PaymentIntent (${intent}) does not have a successful charge to refund.`)
}
