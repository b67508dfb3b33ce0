import type Stripe from 'stripe'
import { missing } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { reading, type Operation } from '../operation.ts'
import { created, paging, paramsOf, text } from '../params.ts'

const listParams = paramsOf<Stripe.BalanceTransactionListParams>()({
  ...paging,
  created: created.optional(),
  currency: text.optional(),
  payout: text.optional(),
  source: text.optional(),
  type: text.optional(),
})
const payoutsParams = paramsOf<Stripe.PayoutListParams>()({
  ...paging,
  created: created.optional(),
  status: text.optional(),
})

/** The balance of a connected account. That of the platform is not simulated. */
export const balanceOperations: readonly Operation[] = [
  reading('/v1/balance_transactions', listParams, ({ tx, params }) =>
    listPage(tx, 'balance_transaction', '/v1/balance_transactions', params, [
      ...having(['currency'], params.currency),
      ...having(['sandbox', 'payout'], params.payout),
      ...having(['source'], params.source),
      ...having(['type'], params.type),
    ]),
  ),
  reading(
    '/v1/balance_transactions/:id',
    paramsOf<Stripe.BalanceTransactionRetrieveParams>()({}),
    async ({ tx, id }) => {
      const moved = await tx.find('balance_transaction', id)
      if (!moved) throw missing('balance_transaction', id)
      return moved
    },
  ),
  reading('/v1/payouts', payoutsParams, ({ tx, params }) =>
    listPage(tx, 'payout', '/v1/payouts', params, having(['status'], params.status)),
  ),
  reading('/v1/payouts/:id', paramsOf<Stripe.PayoutRetrieveParams>()({}), async ({ tx, id }) => {
    const payout = await tx.find('payout', id)
    if (!payout) throw missing('payout', id)
    return payout
  }),
]
