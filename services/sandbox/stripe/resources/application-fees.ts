import type Stripe from 'stripe'
import { refundFee } from '../../billing/application-fees.ts'
import type { ApplicationFee } from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { missing } from '../errors.ts'
import { having, listPage, pageOf } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import { count, created, mergeMetadata, metadata, paging, paramsOf, text } from '../params.ts'

const listParams = paramsOf<Stripe.ApplicationFeeListParams>()({
  ...paging,
  charge: text.optional(),
  created: created.optional(),
})
const refundParams = paramsOf<Stripe.ApplicationFeeCreateRefundParams>()({
  amount: count.optional(),
  metadata: metadata.optional(),
})

/** The platform's fees on charges of all connected accounts. */
export const applicationFeeOperations: readonly Operation[] = [
  reading('/v1/application_fees', listParams, ({ tx, params }) =>
    listPage(
      tx,
      'application_fee',
      '/v1/application_fees',
      params,
      having(['charge'], params.charge),
    ),
  ),
  reading(
    '/v1/application_fees/:id',
    paramsOf<Stripe.ApplicationFeeRetrieveParams>()({}),
    ({ tx, id }) => feeById(tx, id),
  ),
  changing('post', '/v1/application_fees/:id/refunds', refundParams, async ({ tx, id, params }) =>
    refundFee(tx, await feeById(tx, id), {
      amount: params.amount,
      metadata: mergeMetadata({}, params.metadata),
    }),
  ),
  reading(
    '/v1/application_fees/:id/refunds',
    paramsOf<Stripe.ApplicationFeeListRefundsParams>()(paging),
    async ({ tx, id, params }) => {
      const { refunds } = await feeById(tx, id)
      return pageOf('fee_refund', refunds.url, refunds.data, params)
    },
  ),
]

async function feeById(tx: ReadTransaction, id: string): Promise<ApplicationFee> {
  const fee = await tx.find('application_fee', id)
  if (!fee) throw missing('application_fee', id)
  return fee
}
