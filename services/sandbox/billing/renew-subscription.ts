import { idOf, type Invoice, type PaymentMethod, type Subscription } from '../store/stripe-objects.ts'
import type { World } from '../store/transaction.ts'
import { saveChange } from '../stripe/resources/subscriptions.ts'
import { endSubscription } from './cancel-subscription.ts'
import { collectInvoice, openInvoice, type Collected } from './collect-invoice.ts'
import { periodEnd } from './periods.ts'

/** A subscription's time has come: it ends if that was asked for, else its next period begins and is charged. */
export async function turnSubscription(world: World, subscription: Subscription): Promise<void> {
  if (subscription.cancel_at !== null && subscription.cancel_at <= world.now) {
    await endSubscription(world, subscription, { reason: 'cancellation_requested' })
    return
  }
  const customer = await world.find('customer', idOf(subscription.customer))
  if (!customer) throw new Error(`The customer of the subscription ${subscription.id} is not there.`)
  const moved = inNextPeriod(subscription)
  const since = subscription.items.data[0]?.current_period_start ?? subscription.start_date
  const opened = await openInvoice(world, customer, moved, { reason: 'subscription_cycle', since })
  await saveChange(world, subscription, { ...moved, latest_invoice: opened.id ?? null })
  await retryInvoice(world, opened)
}

/** An attempt to collect an open invoice of a subscription, and what follows from it for the subscription. */
export async function retryInvoice(world: World, invoice: Invoice): Promise<Collected> {
  const subscription = await subscriptionOf(world, invoice)
  const collected = await collectInvoice(world, invoice, await methodOf(world, subscription))
  if (collected.decline === null) {
    if (subscription.status !== 'active' && !(await owesAnother(world, subscription))) await saveChange(world, subscription, { ...subscription, status: 'active' })
  } else if (collected.isGivenUp) {
    await endSubscription(world, subscription, { reason: 'payment_failed' })
  } else if (subscription.status !== 'past_due') {
    await saveChange(world, subscription, { ...subscription, status: 'past_due' })
  }
  return collected
}

function inNextPeriod(subscription: Subscription): Subscription {
  const anchor = subscription.billing_cycle_anchor
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: periodEnd(anchor, item.current_period_end, item.price),
  }))
  return { ...subscription, items: { ...subscription.items, data } }
}

async function owesAnother(world: World, subscription: Subscription): Promise<boolean> {
  const open = await world.list('invoice', {
    where: [
      { path: ['customer'], isOneOf: [idOf(subscription.customer)] },
      { path: ['parent', 'subscription_details', 'subscription'], isOneOf: [subscription.id] },
      { path: ['status'], isOneOf: ['open'] },
    ],
    limit: 1,
  })
  return open.length > 0
}

async function subscriptionOf(world: World, invoice: Invoice): Promise<Subscription> {
  const reference = invoice.parent?.subscription_details?.subscription
  const subscription = reference === undefined ? null : await world.find('subscription', idOf(reference))
  if (!subscription) throw new Error(`The invoice ${invoice.id ?? ''} belongs to no subscription.`)
  return subscription
}

/** The subscription's own card, else the customer's. */
async function methodOf(world: World, subscription: Subscription): Promise<PaymentMethod> {
  const customer = await world.find('customer', idOf(subscription.customer))
  const reference = subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method ?? null
  const method = reference === null ? null : await world.find('payment_method', idOf(reference))
  if (!method) throw new Error(`The subscription ${subscription.id} has no card to charge.`)
  return method
}
