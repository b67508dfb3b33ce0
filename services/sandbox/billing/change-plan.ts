import type { Customer, Price, Subscription } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { planOfPrice } from '../stripe/catalogue.ts'
import { saveChange } from './save-change.ts'
import { openInvoice } from './collect-invoice.ts'
import { periodEnd } from './periods.ts'
import { retryInvoice } from './renew-subscription.ts'

export interface NewItem {
  readonly price: Price
  readonly quantity: number
}

/**
 * Replaces price and quantity of the subscription's only item, without proration. Another interval
 * begins a new period now and invoices the period at once, as Stripe does. Source: Stripe's
 * documentation, "Change the price of existing subscriptions".
 */
export async function changePlan(
  tx: Transaction,
  before: Subscription,
  changed: Subscription,
  customer: Customer,
  { price, quantity }: NewItem,
): Promise<Subscription> {
  const beginsPeriod = changed.items.data.some((item) => !haveEqualInterval(item.price, price))
  const data = changed.items.data.map((item) => ({
    ...item,
    price,
    plan: planOfPrice(price),
    quantity,
    ...(beginsPeriod
      ? { current_period_start: tx.now, current_period_end: periodEnd(tx.now, tx.now, price) }
      : {}),
  }))
  const after: Subscription = {
    ...changed,
    ...(beginsPeriod ? { billing_cycle_anchor: tx.now } : {}),
    items: { ...changed.items, data },
  }
  if (!beginsPeriod) {
    await saveChange(tx, before, after)
    return after
  }
  const since = before.items.data[0]?.current_period_start ?? before.start_date
  const invoice = await openInvoice(tx, customer, after, { reason: 'subscription_update', since })
  const invoiced: Subscription = { ...after, latest_invoice: invoice.id ?? null }
  await saveChange(tx, before, invoiced)
  await retryInvoice(tx, invoice)
  return (await tx.find('subscription', before.id)) ?? invoiced
}

function haveEqualInterval(a: Price, b: Price): boolean {
  return (
    a.recurring?.interval === b.recurring?.interval &&
    a.recurring?.interval_count === b.recurring?.interval_count
  )
}
