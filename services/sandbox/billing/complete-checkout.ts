import { DamagedStore } from '../store/damaged-store.ts'
import {
  idOf,
  idOrNull,
  type CheckoutSession,
  type Customer,
  type PaymentIntent,
  type PaymentMethod,
  type PaymentOrder,
  type Subscription,
} from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { addCustomer, changeCustomer } from '../stripe/resources/customers.ts'
import { newPaymentIntent } from '../stripe/resources/payment-intents.ts'
import { addressOf, cardMethod, type TypedCard } from '../stripe/resources/payment-methods.ts'
import { platformApplicationId } from '../stripe/connected-account.ts'
import { newSubscription } from '../stripe/resources/new-subscription.ts'
import { delayOf, type Decline } from './cards.ts'
import { chargeCard } from './charge-card.ts'
import { startDelayedPayment } from './delayed-payment.ts'
import { addInvoicePayment, openInvoice, settleInvoice } from './collect-invoice.ts'

/**
 * The customer pressed Pay on an open session. If the card is declined, the session stays open for
 * another card. Otherwise the session completes. A session that sells a plan then creates the
 * customer, subscription and invoice.
 */
export async function payCheckout(
  tx: Transaction,
  session: CheckoutSession,
  card: TypedCard,
): Promise<{ session: CheckoutSession; decline: Decline | null }> {
  const method = cardMethod(card, null, tx.now)
  const delay = session.sandbox.payment === undefined ? undefined : delayOf(method)
  if (delay !== undefined) {
    const intent = await startDelayedPayment(tx, await intentOf(tx, session), method, delay)
    return { session: await completePayment(tx, session, card, method, intent), decline: null }
  }
  const { intent, decline } = await chargeCard(
    tx,
    await intentOf(tx, session),
    method,
    'atCheckout',
  )
  if (decline !== null) {
    const open = { ...session, sandbox: { ...session.sandbox, paymentIntent: intent.id } }
    await tx.save(open)
    return { session: open, decline }
  }
  const complete = session.sandbox.payment === undefined ? completePlan : completePayment
  return { session: await complete(tx, session, card, method, intent), decline: null }
}

/** The intent of an earlier attempt, or a new intent. */
async function intentOf(tx: Transaction, session: CheckoutSession): Promise<PaymentIntent> {
  const known = session.sandbox.paymentIntent
  if (known !== null) {
    const intent = await tx.find('payment_intent', known)
    if (!intent)
      throw new DamagedStore(`The payment intent of the checkout ${session.id} does not exist.`)
    return intent
  }
  const intent = newPaymentIntent(
    { amount: session.amount_total ?? 0, currency: session.currency ?? 'usd' },
    {
      customer: session.customer === null ? null : idOf(session.customer),
      now: tx.now,
      ...intentDetails(tx.account, session.sandbox.payment),
    },
  )
  await tx.add(intent)
  await tx.emit('payment_intent.created', intent)
  return intent
}

function intentDetails(account: string | null, payment: PaymentOrder | undefined) {
  return payment === undefined
    ? { description: 'Subscription creation' }
    : {
        ...payment,
        application: account === null ? null : platformApplicationId,
        isForLater: false,
      }
}

/** A payment saves no card and makes no customer. */
async function completePayment(
  tx: Transaction,
  session: CheckoutSession,
  card: TypedCard,
  method: PaymentMethod,
  intent: PaymentIntent,
): Promise<CheckoutSession> {
  await tx.add(method)
  return completeSession(tx, session, method, {
    customer_details: { email: card.email, name: card.name },
    payment_intent: intent.id,
    payment_status: intent.status === 'succeeded' ? 'paid' : 'unpaid',
  })
}

async function completePlan(
  tx: Transaction,
  session: CheckoutSession,
  card: TypedCard,
  method: PaymentMethod,
  intent: PaymentIntent,
): Promise<CheckoutSession> {
  const customer = await customerOf(tx, session, card)
  const attached = { ...method, customer: customer.id }
  await tx.add(attached)
  await tx.emit('payment_method.attached', attached)
  if (intent.customer === null) {
    await tx.save({ ...intent, customer: customer.id })
    const charge = await tx.find('charge', idOrNull(intent.latest_charge) ?? '')
    if (charge !== null) await tx.save({ ...charge, customer: customer.id })
  }

  const subscription = await startSubscription(tx, session, customer, attached)
  const invoice = await openInvoice(tx, customer, subscription, {
    reason: 'subscription_create',
    since: tx.now,
  })
  const started: Subscription = { ...subscription, latest_invoice: invoice.id ?? null }
  await tx.save(started)
  await tx.emit('customer.subscription.created', started)
  await settleInvoice(tx, invoice, await addInvoicePayment(tx, invoice, intent))

  return completeSession(tx, session, attached, {
    customer: customer.id,
    customer_details: { email: customer.email, name: card.name },
    invoice: invoice.id ?? null,
    subscription: started.id,
  })
}

async function completeSession(
  tx: Transaction,
  session: CheckoutSession,
  { billing_details: { address } }: PaymentMethod,
  {
    customer_details: details,
    ...made
  }: Partial<Omit<CheckoutSession, 'customer_details'>> & {
    readonly customer_details: { readonly email: string | null; readonly name: string }
  },
): Promise<CheckoutSession> {
  const completed: CheckoutSession = {
    ...session,
    payment_status: 'paid',
    ...made,
    customer_details: {
      address,
      business_name: null,
      individual_name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
      ...details,
    },
    status: 'complete',
    url: null,
  }
  await tx.save(completed)
  await tx.emit('checkout.session.completed', completed)
  return completed
}

async function customerOf(
  tx: Transaction,
  session: CheckoutSession,
  card: TypedCard,
): Promise<Customer> {
  if (session.customer === null)
    return addCustomer(tx, { email: card.email, name: card.name, address: addressOf(card) })
  const customer = await tx.find('customer', idOf(session.customer))
  if (!customer)
    throw new DamagedStore(`The customer of the checkout ${session.id} does not exist.`)
  const { updateCustomer } = session.sandbox
  return changeCustomer(tx, customer, {
    ...(customer.email === null ? { email: card.email } : {}),
    ...(updateCustomer.address ? { address: addressOf(card) } : {}),
    ...(updateCustomer.name ? { name: card.name } : {}),
  })
}

async function startSubscription(
  tx: Transaction,
  session: CheckoutSession,
  customer: Customer,
  method: PaymentMethod,
): Promise<Subscription> {
  const [item] = session.sandbox.lineItems
  if (!item?.price) throw new DamagedStore(`The checkout ${session.id} has no price.`)
  const subscription = newSubscription({
    customer,
    price: item.price,
    quantity: item.quantity ?? 1,
    paymentMethod: method.id,
    metadata: session.sandbox.subscriptionMetadata,
    description: session.sandbox.subscriptionDescription,
    now: tx.now,
  })
  await tx.add(subscription)
  return subscription
}
