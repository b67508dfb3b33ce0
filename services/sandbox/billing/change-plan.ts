import {
  idOrNull,
  type Customer,
  type Invoice,
  type InvoiceItem,
  type Subscription,
} from '../store/stripe-objects.ts'
import type { ReadTransaction, Transaction } from '../store/transaction.ts'
import { planOfPrice } from '../stripe/catalogue.ts'
import { pendingItems, prorationItem } from '../stripe/resources/invoice-items.ts'
import { newInvoice } from '../stripe/resources/new-invoice.ts'
import { saveChange } from './save-change.ts'
import { openInvoice } from './collect-invoice.ts'
import { openPausedInvoice } from './pause-collection.ts'
import { netOf, reductionOf, type AppliedDiscount } from './discount.ts'
import { discountOf, withInvoice } from './redeem-coupon.ts'
import { periodEnd } from './periods.ts'
import { haveEqualInterval, prorationsOf, totalOf, type PricedItem } from './proration.ts'
import { inNextPeriod, retryInvoice } from './renew-subscription.ts'

export type ProrationBehavior = 'create_prorations' | 'always_invoice' | 'none'

export interface PlanChange extends PricedItem {
  readonly prorationBehavior: ProrationBehavior
  /** The time from which the prorations count, in seconds. */
  readonly prorationDate: number
}

interface Outcome {
  readonly after: Subscription
  readonly items: readonly InvoiceItem[]
  /** Another interval begins a new period now. */
  readonly beginsPeriod: boolean
  /** Otherwise the next invoice includes the items. */
  readonly invoicesNow: boolean
}

/**
 * Replaces price and quantity of the subscription's only item, with prorations as requested.
 * Another interval begins a new period now and invoices the period at once, as Stripe does. Source:
 * Stripe's documentation, "Change the price of existing subscriptions".
 */
export async function changePlan(
  tx: Transaction,
  before: Subscription,
  changed: Subscription,
  customer: Customer,
  change: PlanChange,
): Promise<Subscription> {
  const discount = await discountOf(tx, changed)
  const { after, items, beginsPeriod, invoicesNow } = outcomeOf(changed, change, {
    now: tx.now,
    discount,
    charged: await chargedForPeriod(tx, before),
  })
  for (const item of items) {
    await tx.add(item)
    await tx.emit('invoiceitem.created', item)
  }
  if (!invoicesNow) {
    await saveChange(tx, before, after)
    return after
  }
  const isPaused = after.pause_collection !== null
  const open = isPaused ? openPausedInvoice : openInvoice
  const invoice = await open(tx, customer, after, {
    reason: 'subscription_update',
    since: periodStart(before),
    billsPeriod: beginsPeriod,
  })
  const invoiced = await withInvoice(tx, after, invoice)
  await saveChange(tx, before, invoiced)
  if (!isPaused) await retryInvoice(tx, invoice)
  return (await tx.find('subscription', before.id)) ?? invoiced
}

/**
 * The next invoice of the subscription if this change is made now: the invoice of the change, or
 * the invoice of the next period. Without a change, the invoice of the next period. Not saved.
 */
export async function previewInvoice(
  tx: ReadTransaction,
  subscription: Subscription,
  customer: Customer,
  change: PlanChange | null,
): Promise<Invoice> {
  const discount = await discountOf(tx, subscription)
  const { after, items, beginsPeriod, invoicesNow }: Outcome =
    change === null
      ? { after: subscription, items: [], beginsPeriod: false, invoicesNow: false }
      : outcomeOf(subscription, change, {
          now: tx.now,
          discount,
          charged: await chargedForPeriod(tx, subscription),
        })
  const pending = [...(await pendingItems(tx, subscription)), ...items]
  const since = periodStart(subscription)
  if (invoicesNow)
    return newInvoice({
      customer,
      subscription: after,
      reason: 'subscription_update',
      since,
      pending,
      billsPeriod: beginsPeriod,
      discount,
      now: tx.now,
    })
  const next = inNextPeriod(after)
  return newInvoice({
    customer,
    subscription: next,
    reason: 'subscription_cycle',
    since,
    pending,
    billsPeriod: true,
    discount,
    now: periodStart(next),
  })
}

/** The subscription with this price and quantity in its only item. Not saved. */
export function withItem(
  subscription: Subscription,
  { price, quantity }: PricedItem,
  newPeriod: { current_period_start?: number; current_period_end?: number } = {},
): Subscription {
  const data = subscription.items.data.map((item) => ({
    ...item,
    price,
    plan: planOfPrice(price),
    quantity,
    ...newPeriod,
  }))
  return { ...subscription, items: { ...subscription.items, data } }
}

/** What decides the amounts of a plan change beside the plans. */
interface Terms {
  readonly now: number
  readonly discount: AppliedDiscount | null
  /** What the last invoice charged for the current period, without tax; null if it did not. */
  readonly charged: number | null
}

/**
 * What the subscription's last invoice charged for the current period of its plan, after the
 * discount and without tax; null if the plan has changed since then.
 */
async function chargedForPeriod(
  tx: ReadTransaction,
  { latest_invoice, items }: Subscription,
): Promise<number | null> {
  const [item] = items.data
  const invoice = await tx.find('invoice', idOrNull(latest_invoice) ?? '')
  const line = invoice?.lines.data.find(
    ({ parent, period, pricing, quantity }) =>
      parent?.subscription_item_details?.proration === false &&
      period.start === item?.current_period_start &&
      pricing?.price_details?.price === item.price.id &&
      quantity === (item.quantity ?? 1),
  )
  return line === undefined ? null : netOf(line)
}

/** A discount that stays is a part of the prorations, as in Stripe's flexible billing. */
function discountedTotal(item: PricedItem, discount: AppliedDiscount | null): number {
  const total = totalOf(item)
  return discount?.coupon.duration === 'forever'
    ? total - reductionOf(total, discount.coupon)
    : total
}

function outcomeOf(
  subscription: Subscription,
  change: PlanChange,
  { now, discount, charged }: Terms,
): Outcome {
  const { price, prorationBehavior, prorationDate } = change
  const beginsPeriod = subscription.items.data.some((i) => !haveEqualInterval(i.price, price))
  const items =
    prorationBehavior === 'none'
      ? []
      : subscription.items.data.flatMap((item) =>
          prorationsOf({
            from: { price: item.price, quantity: item.quantity ?? 1 },
            to: change,
            totals: {
              from:
                charged ??
                discountedTotal({ price: item.price, quantity: item.quantity ?? 1 }, discount),
              to: discountedTotal(change, discount),
            },
            period: { start: item.current_period_start, end: item.current_period_end },
            at: prorationDate,
            beginsPeriod,
          }).map((proration) => prorationItem(proration, subscription, item.id, now)),
        )
  const after = beginsPeriod
    ? {
        ...withItem(subscription, change, {
          current_period_start: now,
          current_period_end: periodEnd(now, now, price),
        }),
        billing_cycle_anchor: now,
      }
    : withItem(subscription, change)
  return {
    after,
    items,
    beginsPeriod,
    invoicesNow: beginsPeriod || (prorationBehavior === 'always_invoice' && items.length > 0),
  }
}

function periodStart(subscription: Subscription): number {
  return subscription.items.data[0]?.current_period_start ?? subscription.start_date
}
