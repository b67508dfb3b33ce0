import { DamagedStore } from '../store/damaged-store.ts'
import { newId } from '../store/ids.ts'
import {
  idOf,
  type Coupon,
  type Discount,
  type Invoice,
  type Subscription,
} from '../store/stripe-objects.ts'
import type { ReadTransaction, Transaction } from '../store/transaction.ts'
import type { AppliedDiscount } from './discount.ts'

/** The discount of the subscription's next invoice; null if there is none. */
export async function discountOf(
  tx: ReadTransaction,
  subscription: Subscription,
): Promise<AppliedDiscount | null> {
  const [reference] = subscription.discounts
  if (reference === undefined) return null
  const discount = await tx.find('discount', idOf(reference))
  const coupon = await tx.find('coupon', idOf(discount?.source.coupon ?? ''))
  if (!discount || !coupon)
    throw new DamagedStore(`The discount ${idOf(reference)} or its coupon does not exist.`)
  return { discount, coupon }
}

/** Replaces the subscription's discount by one of this coupon, or by none. Not saved. */
export async function withCoupon(
  tx: Transaction,
  subscription: Subscription,
  coupon: Coupon | null,
): Promise<Subscription> {
  const removed = await withoutDiscount(tx, subscription)
  if (coupon === null) return removed
  await tx.save({ ...coupon, times_redeemed: coupon.times_redeemed + 1 })
  const discount = newDiscount(coupon, subscription, tx.now)
  await tx.add(discount)
  await tx.emit('customer.discount.created', discount)
  return { ...removed, discounts: [discount.id] }
}

/** The subscription after an invoice, which uses a discount that applies once. Not saved. */
export async function withInvoice(
  tx: Transaction,
  subscription: Subscription,
  invoice: Invoice,
): Promise<Subscription> {
  const invoiced: Subscription = { ...subscription, latest_invoice: invoice.id ?? null }
  const applied = await discountOf(tx, subscription)
  const isUsed = applied?.coupon.duration === 'once' && invoice.discounts.length > 0
  return isUsed ? withoutDiscount(tx, invoiced) : invoiced
}

async function withoutDiscount(tx: Transaction, subscription: Subscription): Promise<Subscription> {
  const applied = await discountOf(tx, subscription)
  if (applied === null) return subscription
  await tx.emit('customer.discount.deleted', applied.discount)
  return { ...subscription, discounts: [] }
}

function newDiscount(coupon: Coupon, subscription: Subscription, now: number): Discount {
  return {
    id: newId('discount'),
    object: 'discount',
    checkout_session: null,
    customer: idOf(subscription.customer),
    customer_account: null,
    end: null,
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { coupon: coupon.id, type: 'coupon' },
    start: now,
    subscription: subscription.id,
    subscription_item: null,
  } satisfies Discount
}
