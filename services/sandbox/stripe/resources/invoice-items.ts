import type Stripe from 'stripe'
import type { Proration } from '../../billing/proration.ts'
import { formatDayFirst } from '../../billing/format.ts'
import { newId } from '../../store/ids.ts'
import {
  idOf,
  idOrNull,
  type InvoiceItem,
  type InvoiceLine,
  type Subscription,
} from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { nameOfPrice } from '../catalogue.ts'
import { missing } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { reading, type Operation } from '../operation.ts'
import { flag, paging, paramsOf, text } from '../params.ts'

/** The pending invoice item of a proration. Not saved yet. */
export function prorationItem(
  { kind, price, quantity, amount, period }: Proration,
  subscription: Subscription,
  subscriptionItem: string,
  now: number,
): InvoiceItem {
  const product = nameOfPrice(price)
  return {
    id: newId('invoiceitem'),
    object: 'invoiceitem',
    amount,
    currency: price.currency,
    customer: idOf(subscription.customer),
    customer_account: null,
    date: now,
    description: `${kind === 'unused' ? 'Unused' : 'Remaining'} time on ${quantity === 1 ? product : `${quantity} × ${product}`} after ${formatDayFirst(period.start)}`,
    discountable: false,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: subscription.metadata,
    net_amount: amount,
    parent: {
      subscription_details: {
        subscription: subscription.id,
        subscription_item: subscriptionItem,
      },
      type: 'subscription_details',
    },
    period,
    pricing: {
      price_details: { price: price.id, product: idOrNull(price.product) ?? '' },
      type: 'price_details',
      unit_amount_decimal: unitAmount(amount, quantity),
    },
    proration: true,
    proration_details: { credited_items: null, discount_amounts: [] },
    quantity,
    quantity_decimal: String(quantity),
    sandbox: { state: 'pending' },
    tax_rates: [],
    test_clock: null,
  } satisfies InvoiceItem
}

/** At most 12 decimals, as Stripe's decimal amounts. */
function unitAmount(amount: number, quantity: number): string {
  return String(Number((amount / quantity).toFixed(12)))
}

/** The line with which an invoice bills an invoice item. */
export function invoiceItemLine(invoice: string, item: InvoiceItem): InvoiceLine {
  const { subscription = '', subscription_item = '' } = item.parent?.subscription_details ?? {}
  return {
    id: newId('line_item'),
    object: 'line_item',
    amount: item.amount,
    currency: item.currency,
    description: item.description,
    discount_amounts: [],
    discountable: item.discountable,
    discounts: [],
    invoice,
    livemode: false,
    metadata: item.metadata ?? {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: item.id,
        proration: item.proration,
        proration_details: { credited_items: null },
        subscription,
        subscription_item,
      },
      type: 'subscription_item_details',
    },
    period: item.period,
    pretax_credit_amounts: [],
    pricing: item.pricing,
    quantity: item.quantity,
    quantity_decimal: item.quantity_decimal,
    subscription,
    subtotal: item.amount,
    taxes: [],
  } satisfies InvoiceLine
}

/** The items that the subscription's next invoice includes, the oldest first. */
export async function pendingItems(
  tx: ReadTransaction,
  subscription: Subscription,
): Promise<readonly InvoiceItem[]> {
  const newestFirst = await tx.list('invoiceitem', {
    where: [
      { path: ['customer'], isOneOf: [idOf(subscription.customer)] },
      { path: ['parent', 'subscription_details', 'subscription'], isOneOf: [subscription.id] },
      { path: ['sandbox', 'state'], isOneOf: ['pending'] },
    ],
  })
  return newestFirst.reverse()
}

const listParams = paramsOf<Stripe.InvoiceItemListParams>()({
  ...paging,
  customer: text.optional(),
  invoice: text.optional(),
  pending: flag.optional(),
})

export const invoiceItemOperations: readonly Operation[] = [
  reading('/v1/invoiceitems', listParams, ({ tx, params }) =>
    listPage(tx, 'invoiceitem', '/v1/invoiceitems', params, [
      ...having(['customer'], params.customer),
      ...having(['invoice'], params.invoice),
      ...having(['sandbox', 'state'], stateOf(params.pending)),
    ]),
  ),
  reading(
    '/v1/invoiceitems/:id',
    paramsOf<Stripe.InvoiceItemRetrieveParams>()({}),
    async ({ tx, id }) => {
      const item = await tx.find('invoiceitem', id)
      if (!item) throw missing('invoiceitem', id)
      return item
    },
  ),
]

function stateOf(pending: boolean | undefined): InvoiceItem['sandbox']['state'] | undefined {
  if (pending === undefined) return undefined
  return pending ? 'pending' : 'invoiced'
}
