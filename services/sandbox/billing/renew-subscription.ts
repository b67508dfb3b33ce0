import { DamagedStore } from '../store/damaged-store.ts'
import {
  idOf,
  type Invoice,
  type PaymentMethod,
  type Subscription,
} from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { saveChange } from './save-change.ts'
import { endSubscription } from './cancel-subscription.ts'
import {
  collectInvoice,
  openInvoice,
  settleWithoutPayment,
  type Collected,
} from './collect-invoice.ts'
import { dueAt } from '../store/due-at.ts'
import { isResumeDue, openPausedInvoice } from './pause-collection.ts'
import { withInvoice } from './redeem-coupon.ts'
import { periodEnd } from './periods.ts'

/**
 * A subscription is due: it ends if its cancellation is due, else its next period begins and is
 * charged. `next` is the subscription with another price from the next period on.
 */
export async function renewOrEndSubscription(
  tx: Transaction,
  subscription: Subscription,
  next: Subscription = subscription,
): Promise<void> {
  if (isResumeDue(subscription, tx.now)) {
    const resumed = { ...subscription, pause_collection: null }
    await saveChange(tx, subscription, resumed)
    if ((dueAt(resumed) ?? Infinity) <= tx.now)
      await renewOrEndSubscription(tx, resumed, { ...next, pause_collection: null })
    return
  }
  if (subscription.cancel_at !== null && subscription.cancel_at <= tx.now) {
    await endSubscription(tx, subscription, { reason: 'cancellation_requested' })
    return
  }
  const customer = await tx.find('customer', idOf(subscription.customer))
  if (!customer)
    throw new DamagedStore(`The customer of the subscription ${subscription.id} does not exist.`)
  const moved = inNextPeriod(next)
  const since = subscription.items.data[0]?.current_period_start ?? subscription.start_date
  if (moved.pause_collection !== null) {
    const paused = await openPausedInvoice(tx, customer, moved, {
      reason: 'subscription_cycle',
      since,
      billsPeriod: true,
    })
    await saveChange(tx, subscription, await withInvoice(tx, moved, paused))
    return
  }
  const opened = await openInvoice(tx, customer, moved, { reason: 'subscription_cycle', since })
  await saveChange(tx, subscription, await withInvoice(tx, moved, opened))
  await retryInvoice(tx, opened)
}

/** Attempts to collect an open invoice and updates its subscription: active, past due or ended. */
export async function retryInvoice(tx: Transaction, invoice: Invoice): Promise<Collected> {
  const subscription = await subscriptionOf(tx, invoice)
  const collected =
    invoice.amount_due === 0
      ? {
          invoice: await settleWithoutPayment(tx, invoice),
          decline: null,
          isLastAttempt: false,
        }
      : await collectInvoice(tx, invoice, await cardOf(tx, subscription))
  if (collected.decline === null) {
    if (subscription.status !== 'active' && !(await hasOpenInvoice(tx, subscription)))
      await saveChange(tx, subscription, { ...subscription, status: 'active' })
  } else if (collected.isLastAttempt) {
    await endSubscription(tx, subscription, { reason: 'payment_failed' })
  } else if (subscription.status !== 'past_due') {
    await saveChange(tx, subscription, { ...subscription, status: 'past_due' })
  }
  return collected
}

/** The subscription with its items in the period after the current one. Not saved. */
export function inNextPeriod(subscription: Subscription): Subscription {
  const anchor = subscription.billing_cycle_anchor
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: periodEnd(anchor, item.current_period_end, item.price),
  }))
  return { ...subscription, items: { ...subscription.items, data } }
}

/** A past due subscription whose last unpaid invoice was closed is active again. */
export async function reactivate(tx: Transaction, invoice: Invoice): Promise<void> {
  const subscription = await subscriptionOf(tx, invoice)
  if (subscription.status === 'past_due' && !(await hasOpenInvoice(tx, subscription)))
    await saveChange(tx, subscription, { ...subscription, status: 'active' })
}

async function hasOpenInvoice(tx: Transaction, subscription: Subscription): Promise<boolean> {
  const open = await tx.list('invoice', {
    where: [
      { path: ['customer'], isOneOf: [idOf(subscription.customer)] },
      { path: ['parent', 'subscription_details', 'subscription'], isOneOf: [subscription.id] },
      { path: ['status'], isOneOf: ['open'] },
    ],
    limit: 1,
  })
  return open.length > 0
}

export async function subscriptionOf(tx: Transaction, invoice: Invoice): Promise<Subscription> {
  const reference = invoice.parent?.subscription_details?.subscription
  const subscription =
    reference === undefined ? null : await tx.find('subscription', idOf(reference))
  if (!subscription)
    throw new DamagedStore(`The invoice ${invoice.id ?? ''} belongs to no subscription.`)
  return subscription
}

/** The subscription's default card, else the customer's. */
export async function cardOf(tx: Transaction, subscription: Subscription): Promise<PaymentMethod> {
  const customer = await tx.find('customer', idOf(subscription.customer))
  const reference =
    subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method ?? null
  const method = reference === null ? null : await tx.find('payment_method', idOf(reference))
  if (!method)
    throw new Error(`The subscription ${subscription.id} has no card to charge. Attach a card.`)
  return method
}
