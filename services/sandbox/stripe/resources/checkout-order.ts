import type Stripe from 'stripe'
import { totalOf } from '../../billing/proration.ts'
import { checkedFee } from '../../billing/application-fees.ts'
import { newId } from '../../store/ids.ts'
import type { PaymentOrder, Price, Product, Wire } from '../../store/stripe-objects.ts'
import type { ReadTransaction, Transaction } from '../../store/transaction.ts'
import { nameOfPrice } from '../catalogue.ts'
import { refuseTooLarge, refuseTooSmallCheckout } from '../charge-limits.ts'
import { acceptsCharges } from '../connected-account.ts'
import { currentPrice } from '../current-price.ts'
import { invalid, missingReference } from '../errors.ts'
import { mergeMetadata } from '../params.ts'
import { oneTimePrice } from '../prices.ts'
import type { CreateParams, OrderedItem } from './checkout-params.ts'

/** What a checkout sells. */
export interface Order {
  readonly lines: readonly Wire<Stripe.LineItem>[]
  readonly total: number
  readonly currency: string
  /** Null for a subscription. */
  readonly payment: PaymentOrder | null
}

/**
 * The order of a new checkout: one plan, or lines with prices of their own that are paid once.
 * @throws StripeRefusal
 */
export async function orderOf(tx: Transaction, params: CreateParams): Promise<Order> {
  switch (params.mode) {
    case 'subscription':
      return planOrder(tx, params)
    case 'payment':
      return paymentOrder(tx, params)
  }
}

async function planOrder(tx: ReadTransaction, params: CreateParams): Promise<Order> {
  if (params.payment_intent_data !== undefined)
    throw wrongMode('payment_intent_data', 'subscription')
  if (tx.account !== null)
    throw invalid('The sandbox sells subscriptions on the platform only.', { param: 'mode' })
  const [item, ...others] = params.line_items
  if (item === undefined || others.length > 0)
    throw invalid('The sandbox sells one plan at a time: line_items must hold one item.', {
      param: 'line_items',
    })
  const price = await orderedPrice(tx, item)
  const quantity = item.quantity ?? 1
  const total = totalOf({ price, quantity })
  refuseTooLarge(total, price.currency, 'line_items[0][quantity]')
  refuseTooSmallCheckout(total, price.currency)
  const line = lineItem(price, nameOfPrice(price), quantity)
  return { lines: [line], total, currency: price.currency, payment: null }
}

async function orderedPrice(tx: ReadTransaction, { price: id }: OrderedItem): Promise<Price> {
  const param = 'line_items[0][price]'
  if (id === undefined)
    throw invalid(`Missing required param: ${param}. (The sandbox sells plans of its catalogue.)`, {
      code: 'parameter_missing',
      param,
    })
  const price = await currentPrice(tx, id)
  if (!price) throw missingReference('price', id, param)
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', {
      param,
    })
  return price
}

async function paymentOrder(tx: Transaction, params: CreateParams): Promise<Order> {
  if (params.subscription_data !== undefined) throw wrongMode('subscription_data', 'payment')
  // Stripe's default is the setting of the account's dashboard, and most accounts have it on.
  if (tx.account !== null && params.adaptive_pricing === undefined)
    throw invalid(
      'The sandbox’s accounts have Adaptive Pricing turned on, and the sandbox converts no amounts. Set adaptive_pricing[enabled]=false.',
      { param: 'adaptive_pricing' },
    )
  if (!(await acceptsCharges(tx))) throw cannotCharge()
  const lines: Wire<Stripe.LineItem>[] = []
  for (const [index, item] of params.line_items.entries())
    lines.push(await pricedLine(tx, item, `line_items[${index}]`))
  const currency = lines[0]?.currency ?? ''
  if (lines.some((line) => line.currency !== currency))
    throw invalid('All prices on a Checkout session must be expressed in the same currency.', {
      param: 'line_items',
    })
  const total = lines.reduce((sum, line) => sum + line.amount_total, 0)
  if (total === 0)
    throw invalid('The total is 0. The sandbox has no payment without an amount.', {
      param: 'line_items',
    })
  refuseTooLarge(total, currency, 'line_items')
  refuseTooSmallCheckout(total, currency)
  const { payment_intent_data: data = {} } = params
  const payment = {
    applicationFee: checkedFee(tx.account, data.application_fee_amount, {
      amount: total,
      currency,
    }),
    description: data.description ?? null,
    metadata: mergeMetadata({}, data.metadata),
  }
  return { lines, total, currency, payment }
}

/** A line with a price of its own. Its product is stored, so that a caller can expand it. */
async function pricedLine(
  tx: Transaction,
  { price, price_data: data, quantity = 1 }: OrderedItem,
  name: string,
): Promise<Wire<Stripe.LineItem>> {
  if (price !== undefined)
    throw invalid(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      { param: `${name}[price]` },
    )
  if (data === undefined)
    throw invalid(`Missing required param: ${name}[price_data].`, {
      code: 'parameter_missing',
      param: `${name}[price_data]`,
    })
  const currency = data.currency.toLowerCase()
  refuseTooLarge(data.unit_amount, currency, `${name}[price_data][unit_amount]`)
  const product = oneTimeProduct(data.product_data, tx.now)
  await tx.add(product)
  const made = oneTimePrice({
    amount: data.unit_amount,
    created: tx.now,
    currency,
    product: product.id,
  })
  return lineItem(made, product.name, quantity)
}

function oneTimeProduct(
  data: NonNullable<OrderedItem['price_data']>['product_data'],
  now: number,
): Product {
  return {
    id: newId('product'),
    object: 'product',
    active: false,
    created: now,
    default_price: null,
    description: data.description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: mergeMetadata({}, data.metadata),
    name: data.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
  } satisfies Product
}

function lineItem(price: Price, description: string, quantity: number): Wire<Stripe.LineItem> {
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
    description,
    metadata: {},
    price,
    quantity,
  } satisfies Wire<Stripe.LineItem>
}

function wrongMode(param: string, mode: string): Error {
  return invalid(`You can not pass \`${param}\` in \`${mode}\` mode.`, { param })
}

/** Stripe's answer to a charge of an account that cannot charge. */
function cannotCharge(): Error {
  return invalid(
    'Your account cannot currently make charges. The `requirements.disabled_reason` property on the account will provide information about why this account is currently disabled. If you are a customer trying to make a purchase, please contact the owner of this site. Your transaction has not been processed.',
  )
}
