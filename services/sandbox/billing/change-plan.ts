import type { Customer, Invoice, InvoiceItem, Subscription } from '../store/stripe-objects.ts'
import type { ReadTransaction, Transaction } from '../store/transaction.ts'
import { planOfPrice } from '../stripe/catalogue.ts'
import { pendingItems, prorationItem } from '../stripe/resources/invoice-items.ts'
import { newInvoice } from '../stripe/resources/new-invoice.ts'
import { saveChange } from './save-change.ts'
import { openInvoice } from './collect-invoice.ts'
import { openPausedInvoice } from './pause-collection.ts'
import { periodEnd } from './periods.ts'
import { haveEqualInterval, prorationsOf, type PricedItem } from './proration.ts'
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
  const { after, items, beginsPeriod, invoicesNow } = outcomeOf(changed, change, tx.now)
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
  const invoiced: Subscription = { ...after, latest_invoice: invoice.id ?? null }
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
  const { after, items, beginsPeriod, invoicesNow }: Outcome =
    change === null
      ? { after: subscription, items: [], beginsPeriod: false, invoicesNow: false }
      : outcomeOf(subscription, change, tx.now)
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

function outcomeOf(subscription: Subscription, change: PlanChange, now: number): Outcome {
  const { price, prorationBehavior, prorationDate } = change
  const beginsPeriod = subscription.items.data.some((i) => !haveEqualInterval(i.price, price))
  const items =
    prorationBehavior === 'none'
      ? []
      : subscription.items.data.flatMap((item) =>
          prorationsOf({
            from: { price: item.price, quantity: item.quantity ?? 1 },
            to: change,
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
