import type Stripe from 'stripe'
import { z } from 'zod'
import { endSubscription } from '../../billing/cancel-subscription.ts'
import { saveChange } from '../../billing/save-change.ts'
import { newId, randomText } from '../../store/ids.ts'
import type { Customer } from '../../store/stripe-objects.ts'
import type { Transaction, ReadTransaction } from '../../store/transaction.ts'
import { missing, missingReference } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import { expireSession } from './checkout-sessions.ts'
import {
  address,
  created,
  emptiableText,
  emptyable,
  mailAddress,
  mergeMetadata,
  metadata,
  paging,
  paramsOf,
  text,
  toAddress,
} from '../params.ts'

export interface CustomerDetails {
  readonly email: string | null
  readonly name: string | null
  readonly phone?: string | null
  readonly description?: string | null
  readonly address?: Stripe.Address | null
  readonly metadata?: Stripe.Metadata
}

/** Saves a new customer and emits the event. */
export async function addCustomer(tx: Transaction, details: CustomerDetails): Promise<Customer> {
  const customer = {
    id: newId('customer'),
    object: 'customer',
    address: details.address ?? null,
    balance: 0,
    created: tx.now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: details.description ?? null,
    discount: null,
    email: details.email,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: details.metadata ?? {},
    name: details.name,
    next_invoice_sequence: 1,
    phone: details.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  } satisfies Customer
  await tx.add(customer)
  await tx.emit('customer.created', customer)
  return customer
}

/** Saves a change and emits the event; does nothing if no field changes. */
export async function changeCustomer(
  tx: Transaction,
  before: Customer,
  change: Partial<Customer>,
): Promise<Customer> {
  const after = { ...before, ...change }
  await saveChange(tx, before, after)
  return after
}

const details = {
  address: emptyable(address).optional(),
  description: emptiableText.optional(),
  email: emptyable(mailAddress).optional(),
  metadata: emptyable(metadata).optional(),
  name: emptiableText.optional(),
  phone: emptiableText.optional(),
}

const createParams = paramsOf<Stripe.CustomerCreateParams>()(details)
const updateParams = paramsOf<Stripe.CustomerUpdateParams>()({
  ...details,
  invoice_settings: z.strictObject({ default_payment_method: text.optional() }).optional(),
})
const listParams = paramsOf<Stripe.CustomerListParams>()({
  ...paging,
  created: created.optional(),
  email: text.optional(),
})

export const customerOperations: readonly Operation[] = [
  changing('post', '/v1/customers', createParams, ({ tx, params }) =>
    addCustomer(tx, {
      email: params.email || null,
      name: params.name || null,
      phone: params.phone || null,
      description: params.description || null,
      address: toAddress(params.address),
      metadata: mergeMetadata({}, params.metadata),
    }),
  ),
  reading('/v1/customers', listParams, async ({ tx, params }) => {
    const page = await listPage(
      tx,
      'customer',
      '/v1/customers',
      params,
      having(['email'], params.email),
    )
    return { ...page, data: page.data.filter((customer) => !customer.sandbox?.isDeleted) }
  }),
  reading(
    '/v1/customers/:id',
    paramsOf<Stripe.CustomerRetrieveParams>()({}),
    async ({ tx, id }) => {
      const customer = await tx.find('customer', id)
      if (!customer) throw missing('customer', id)
      return customer.sandbox?.isDeleted ? deleted(id) : customer
    },
  ),
  changing(
    'delete',
    '/v1/customers/:id',
    paramsOf<Stripe.CustomerDeleteParams>()({}),
    async ({ tx, id }) => deleteCustomer(tx, await customerById(tx, id)),
  ),
  changing('post', '/v1/customers/:id', updateParams, async ({ tx, params, id }) => {
    const customer = await customerById(tx, id)
    return changeCustomer(tx, customer, await changeOf(tx, customer, params))
  }),
]

async function changeOf(
  tx: Transaction,
  customer: Customer,
  params: z.infer<typeof updateParams>,
): Promise<Partial<Customer>> {
  const texts = (['description', 'email', 'name', 'phone'] as const).filter(
    (key) => params[key] !== undefined,
  )
  return {
    ...Object.fromEntries(texts.map((key) => [key, params[key] || null])),
    ...(params.address === undefined ? {} : { address: toAddress(params.address) }),
    ...(params.metadata === undefined
      ? {}
      : { metadata: mergeMetadata(customer.metadata, params.metadata) }),
    ...(params.invoice_settings?.default_payment_method === undefined
      ? {}
      : {
          invoice_settings: {
            ...customer.invoice_settings,
            default_payment_method: await ownMethod(
              tx,
              customer,
              params.invoice_settings.default_payment_method,
            ),
          },
        }),
  }
}

async function ownMethod(tx: Transaction, customer: Customer, id: string): Promise<string> {
  const method = await tx.find('payment_method', id)
  if (method?.customer !== customer.id)
    throw missingReference('payment_method', id, 'invoice_settings[default_payment_method]')
  return id
}

/**
 * Deletes a customer: cancels the subscriptions at once, as Stripe documents, and expires the open
 * checkouts, which Stripe does not document.
 */
async function deleteCustomer(
  tx: Transaction,
  customer: Customer,
): Promise<Stripe.DeletedCustomer> {
  const ofCustomer = { where: [{ path: ['customer'], isOneOf: [customer.id] }] }
  for (const subscription of await tx.list('subscription', ofCustomer))
    if (subscription.ended_at === null)
      await endSubscription(tx, subscription, { reason: 'cancellation_requested' })
  for (const session of await tx.list('checkout.session', ofCustomer))
    if (session.status === 'open') await expireSession(tx, session)
  await tx.save({ ...customer, sandbox: { isDeleted: true } })
  await tx.emit('customer.deleted', customer)
  return deleted(customer.id)
}

function deleted(id: string): Stripe.DeletedCustomer {
  return { id, object: 'customer', deleted: true }
}

/** @throws StripeRefusal if the customer does not exist or was deleted */
async function customerById(tx: ReadTransaction, id: string): Promise<Customer> {
  const customer = await tx.find('customer', id)
  if (!customer || customer.sandbox?.isDeleted) throw missing('customer', id)
  return customer
}
