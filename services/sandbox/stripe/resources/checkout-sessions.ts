import type Stripe from 'stripe'
import { z } from 'zod'
import type { CheckoutSession } from '../../store/stripe-objects.ts'
import type { Transaction, ReadTransaction } from '../../store/transaction.ts'
import { invalid, missing, missingReference } from '../errors.ts'
import { having, listPage, pageOf } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import { created, paging, paramsOf, text } from '../params.ts'
import { orderOf } from './checkout-order.ts'
import { createParams, type CreateParams } from './checkout-params.ts'
import { newCheckoutSession } from './new-checkout-session.ts'

const listParams = paramsOf<Stripe.Checkout.SessionListParams>()({
  ...paging,
  created: created.optional(),
  customer: text.optional(),
  payment_intent: text.optional(),
  subscription: text.optional(),
  status: z.enum(['open', 'complete', 'expired']).optional(),
})

export const checkoutOperations: readonly Operation[] = [
  changing('post', '/v1/checkout/sessions', createParams, async ({ tx, params, context }) => {
    const order = await orderOf(tx, params)
    const session = newCheckoutSession(params, order, await payer(tx, params), tx.now, context)
    await tx.add(session)
    return session
  }),
  reading('/v1/checkout/sessions', listParams, ({ tx, params }) =>
    listPage(tx, 'checkout.session', '/v1/checkout/sessions', params, [
      ...having(['customer'], params.customer),
      ...having(['payment_intent'], params.payment_intent),
      ...having(['subscription'], params.subscription),
      ...having(['status'], params.status),
    ]),
  ),
  reading(
    '/v1/checkout/sessions/:id',
    paramsOf<Stripe.Checkout.SessionRetrieveParams>()({}),
    ({ tx, id }) => sessionById(tx, id),
  ),
  reading(
    '/v1/checkout/sessions/:id/line_items',
    paramsOf<Stripe.Checkout.SessionListLineItemsParams>()(paging),
    async ({ tx, id, params }) => {
      const { lineItems } = (await sessionById(tx, id)).sandbox
      return pageOf('item', `/v1/checkout/sessions/${id}/line_items`, lineItems, params)
    },
  ),
  changing(
    'post',
    '/v1/checkout/sessions/:id/expire',
    paramsOf<Stripe.Checkout.SessionExpireParams>()({}),
    async ({ tx, id }) => {
      const session = await sessionById(tx, id)
      if (session.status !== 'open') {
        throw invalid(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status ?? 'none'}.`,
        )
      }
      return expireSession(tx, session)
    },
  ),
]

async function payer(
  tx: ReadTransaction,
  params: CreateParams,
): Promise<{ customer: string | null; email: string | null }> {
  if (params.customer === undefined) return { customer: null, email: params.customer_email ?? null }
  if (params.customer_email !== undefined) {
    throw invalid('You may only specify one of these parameters: customer, customer_email.', {
      code: 'parameters_exclusive',
      param: 'customer_email',
    })
  }
  const customer = await tx.find('customer', params.customer)
  if (!customer || customer.sandbox?.isDeleted)
    throw missingReference('customer', params.customer, 'customer')
  return { customer: customer.id, email: null }
}

/** Expires an open session, on request or when its time is over. */
export async function expireSession(
  tx: Transaction,
  session: CheckoutSession,
): Promise<CheckoutSession> {
  const expired: CheckoutSession = { ...session, status: 'expired', url: null }
  await tx.save(expired)
  await tx.emit('checkout.session.expired', expired)
  return expired
}

async function sessionById(tx: ReadTransaction, id: string): Promise<CheckoutSession> {
  const session = await tx.find('checkout.session', id)
  if (!session) throw missing('checkout.session', id)
  return session
}
