import type Stripe from 'stripe'
import type { Proration } from '../../provider-state.ts'
import { idOrNull, instantOf, refOf, refOrNull } from './references.ts'

/** Whether the line credits or charges a part of a period, because the plan changed. */
export function isProrationLine({ parent }: Stripe.InvoiceLineItem): boolean {
  return detailsOf(parent)?.proration === true
}

/**
 * The proration lines of each subscription, by its id: the lines on invoices, and the pending items
 * that the next invoice will have. An item that became a line is counted once.
 */
export function prorationsOf(
  lines: readonly Stripe.InvoiceLineItem[],
  pendingItems: readonly Stripe.InvoiceItem[],
): ReadonlyMap<string, readonly Proration[]> {
  const bySubscription = new Map<string, Proration[]>()
  const add = (subscription: string | null, proration: Proration) => {
    if (subscription === null) return
    const known = bySubscription.get(subscription) ?? []
    bySubscription.set(subscription, [...known, proration])
  }
  const invoiced = new Set(lines.map(({ parent }) => detailsOf(parent)?.invoice_item))
  for (const line of lines.filter(isProrationLine))
    add(
      detailsOf(line.parent)?.subscription ?? null,
      prorationOf(detailsOf(line.parent)?.invoice_item ?? line.id, line),
    )
  for (const item of pendingItems)
    if (item.proration && !invoiced.has(item.id))
      add(idOrNull(item.parent?.subscription_details?.subscription), prorationOf(item.id, item))
  return bySubscription
}

function prorationOf(
  id: string,
  { period, amount, quantity, pricing }: Stripe.InvoiceLineItem | Stripe.InvoiceItem,
): Proration {
  return {
    ref: refOf(id),
    at: instantOf(period.start),
    amount,
    priceRef: refOrNull(pricing?.price_details?.price),
    quantity,
  }
}

function detailsOf(parent: Stripe.InvoiceLineItem['parent']) {
  return parent?.subscription_item_details ?? parent?.invoice_item_details ?? null
}
