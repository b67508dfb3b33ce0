import type Stripe from 'stripe'
import { z } from 'zod'
import { newId } from '../../store/ids.ts'
import type { CheckoutSession, Price, Wire } from '../../store/stripe-objects.ts'
import type { Transaction, ReadTransaction } from '../../store/transaction.ts'
import { totalOf } from '../../billing/proration.ts'
import { nameOfPrice } from '../catalogue.ts'
import { refuseTooLarge, refuseTooSmallCheckout } from '../charge-limits.ts'
import { currentPrice } from '../current-price.ts'
import { invalid, missing, missingReference } from '../errors.ts'
import { having, listPage, pageOf } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import {
  absoluteUrl,
  count,
  created,
  integer,
  mailAddress,
  mergeMetadata,
  metadata,
  paging,
  paramsOf,
  text,
} from '../params.ts'

const day = 86_400
const auto = z.enum(['auto', 'never']).optional()
const off = (what: string) =>
  z
    .strictObject({
      enabled: z.literal('false', `must be false: the sandbox ${what}`).transform(() => false),
    })
    .optional()

const createParams = paramsOf<Stripe.Checkout.SessionCreateParams>()({
  mode: z.literal('subscription', 'must be subscription: the sandbox sells nothing else'),
  line_items: z
    .array(z.strictObject({ price: text, quantity: count.optional() }))
    .length(1, 'must hold one item: the sandbox sells one plan at a time'),
  success_url: absoluteUrl,
  cancel_url: absoluteUrl.optional(),
  customer: text.optional(),
  customer_email: mailAddress.optional(),
  customer_update: z.strictObject({ address: auto, name: auto }).optional(),
  client_reference_id: z.string().max(200).optional(),
  metadata: metadata.optional(),
  subscription_data: z
    .strictObject({ description: z.string().max(500).optional(), metadata: metadata.optional() })
    .optional(),
  expires_at: integer.optional(),
  ui_mode: z.literal('hosted_page', 'must be hosted_page').optional(),
  locale: z.enum(['auto', 'en']).optional(),
  payment_method_collection: z.literal('always', 'must be always').optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  allow_promotion_codes: z
    .literal('false', 'must be false: the sandbox has no promotion codes')
    .transform(() => false)
    .optional(),
  automatic_tax: off('calculates no tax'),
  tax_id_collection: off('collects no tax ids'),
})
type CreateParams = z.infer<typeof createParams>

const listParams = paramsOf<Stripe.Checkout.SessionListParams>()({
  ...paging,
  created: created.optional(),
  customer: text.optional(),
  subscription: text.optional(),
  status: z.enum(['open', 'complete', 'expired']).optional(),
})

export const checkoutOperations: readonly Operation[] = [
  changing('post', '/v1/checkout/sessions', createParams, async ({ tx, params, context }) => {
    const session = newSession(
      params,
      await orderedPrice(tx, params),
      await payer(tx, params),
      tx.now,
      context.ownUrl,
    )
    await tx.add(session)
    return session
  }),
  reading('/v1/checkout/sessions', listParams, ({ tx, params }) =>
    listPage(tx, 'checkout.session', '/v1/checkout/sessions', params, [
      ...having(['customer'], params.customer),
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
      const { lineItem } = (await sessionById(tx, id)).sandbox
      return pageOf('item', `/v1/checkout/sessions/${id}/line_items`, [lineItem], params)
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

async function orderedPrice(
  tx: ReadTransaction,
  { line_items: [item] }: CreateParams,
): Promise<{ price: Price; quantity: number }> {
  const price = await currentPrice(tx, item?.price ?? '')
  if (!price) throw missingReference('price', item?.price ?? '', 'line_items[0][price]')
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', {
      param: 'line_items[0][price]',
    })
  return { price, quantity: item?.quantity ?? 1 }
}

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

function newSession(
  params: CreateParams,
  { price, quantity }: { price: Price; quantity: number },
  { customer, email }: { customer: string | null; email: string | null },
  now: number,
  ownUrl: string,
): CheckoutSession {
  const expiresAt = params.expires_at ?? now + day
  if (expiresAt < now + 1_800 || expiresAt > now + day) {
    throw invalid(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    )
  }
  const id = newId('checkout.session')
  const total = totalOf({ price, quantity })
  refuseTooLarge(total, price.currency, 'line_items[0][quantity]')
  refuseTooSmallCheckout(total, price.currency)
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer,
    customer_account: null,
    customer_creation: customer === null ? 'always' : null,
    customer_details: null,
    customer_email: email,
    discounts: [],
    expires_at: expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: params.locale ?? null,
    managed_payments: null,
    metadata: mergeMetadata({}, params.metadata),
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${ownUrl}/checkout/${id}`,
    wallet_options: null,
    sandbox: {
      lineItem: lineItem(price, quantity),
      subscriptionMetadata: mergeMetadata({}, params.subscription_data?.metadata),
      subscriptionDescription: params.subscription_data?.description ?? null,
      updateCustomer: {
        address: params.customer_update?.address === 'auto',
        name: params.customer_update?.name === 'auto',
      },
      paymentIntent: null,
    },
  } satisfies CheckoutSession
}

function lineItem(price: Price, quantity: number): Wire<Stripe.LineItem> {
  const total = totalOf({ price, quantity })
  return {
    id: newId('item'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: price.currency,
    description: nameOfPrice(price),
    metadata: {},
    price,
    quantity,
  } satisfies Wire<Stripe.LineItem>
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
