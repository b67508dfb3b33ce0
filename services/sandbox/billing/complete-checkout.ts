import { idOf, type CheckoutSession, type Customer, type PaymentIntent, type PaymentMethod, type Subscription } from '../store/stripe-objects.ts'
import type { World } from '../store/transaction.ts'
import { addCustomer, changeCustomer } from '../stripe/resources/customers.ts'
import { newPaymentIntent } from '../stripe/resources/payment-intents.ts'
import { addressOf, cardMethod, type TypedCard } from '../stripe/resources/payment-methods.ts'
import { newSubscription } from '../stripe/resources/subscriptions.ts'
import type { Decline } from './cards.ts'
import { chargeCard } from './charge-card.ts'
import { addInvoicePayment, openInvoice, settleInvoice } from './collect-invoice.ts'

/**
 * Pay was pressed on an open session. A card that is declined leaves the session open, to be tried
 * again with another; one that pays makes the subscription and everything that belongs to it.
 */
export async function payCheckout(world: World, session: CheckoutSession, card: TypedCard): Promise<{ session: CheckoutSession; decline: Decline | null }> {
  const method = cardMethod(card, null, world.now)
  const { intent, decline } = await chargeCard(world, await intentOf(world, session), method, 'atCheckout')
  if (decline !== null) {
    const open = { ...session, sandbox: { ...session.sandbox, paymentIntent: intent.id } }
    await world.save(open)
    return { session: open, decline }
  }
  return { session: await complete(world, session, card, method, intent), decline: null }
}

/** The intent of an earlier attempt, or a new one. */
async function intentOf(world: World, session: CheckoutSession): Promise<PaymentIntent> {
  const known = session.sandbox.paymentIntent
  if (known !== null) {
    const intent = await world.find('payment_intent', known)
    if (!intent) throw new Error(`The payment intent of the checkout ${session.id} is not there.`)
    return intent
  }
  const intent = newPaymentIntent(
    { amount: session.amount_total ?? 0, currency: session.currency ?? 'usd' },
    { customer: session.customer === null ? null : idOf(session.customer), description: 'Subscription creation', now: world.now },
  )
  await world.add(intent)
  await world.emit('payment_intent.created', intent)
  return intent
}

async function complete(world: World, session: CheckoutSession, card: TypedCard, method: PaymentMethod, intent: PaymentIntent): Promise<CheckoutSession> {
  const customer = await customerOf(world, session, card)
  const attached = { ...method, customer: customer.id }
  await world.add(attached)
  await world.emit('payment_method.attached', attached)
  if (intent.customer === null) await world.save({ ...intent, customer: customer.id })

  const subscription = await startSubscription(world, session, customer, attached)
  const invoice = await openInvoice(world, customer, subscription, { reason: 'subscription_create', since: world.now })
  const started: Subscription = { ...subscription, latest_invoice: invoice.id ?? null }
  await world.save(started)
  await world.emit('customer.subscription.created', started)
  await settleInvoice(world, invoice, await addInvoicePayment(world, invoice, intent))

  const completed: CheckoutSession = {
    ...session,
    customer: customer.id,
    customer_details: {
      address: attached.billing_details.address,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: card.name,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    invoice: invoice.id ?? null,
    payment_status: 'paid',
    status: 'complete',
    subscription: started.id,
    url: null,
  }
  await world.save(completed)
  await world.emit('checkout.session.completed', completed)
  return completed
}

async function customerOf(world: World, session: CheckoutSession, card: TypedCard): Promise<Customer> {
  if (session.customer === null) return addCustomer(world, { email: card.email, name: card.name, address: addressOf(card) })
  const customer = await world.find('customer', idOf(session.customer))
  if (!customer) throw new Error(`The customer of the checkout ${session.id} is not there.`)
  const { updateCustomer } = session.sandbox
  return changeCustomer(world, customer, {
    ...(customer.email === null ? { email: card.email } : {}),
    ...(updateCustomer.address ? { address: addressOf(card) } : {}),
    ...(updateCustomer.name ? { name: card.name } : {}),
  })
}

async function startSubscription(world: World, session: CheckoutSession, customer: Customer, method: PaymentMethod): Promise<Subscription> {
  const item = session.sandbox.lineItem
  if (!item.price) throw new Error(`The checkout ${session.id} has no price.`)
  const subscription = newSubscription({
    customer,
    price: item.price,
    quantity: item.quantity ?? 1,
    paymentMethod: method.id,
    metadata: session.sandbox.subscriptionMetadata,
    description: session.sandbox.subscriptionDescription,
    now: world.now,
  })
  await world.add(subscription)
  return subscription
}
