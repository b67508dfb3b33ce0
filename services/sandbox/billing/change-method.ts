import { idOrNull, type PaymentMethod } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { invalid } from '../stripe/errors.ts'
import { changeCustomer } from '../stripe/resources/customers.ts'
import { saveChange } from './save-change.ts'

/** Saves a change and emits the event; does nothing if no field changes. */
export async function changeMethod(
  tx: Transaction,
  before: PaymentMethod,
  change: Partial<PaymentMethod>,
): Promise<PaymentMethod> {
  const after: PaymentMethod = { ...before, ...change }
  await saveChange(tx, before, after)
  return after
}

/**
 * Detaches a card from its customer and from the customer's subscriptions.
 * @throws StripeRefusal if the card has no customer, or if a live subscription would have no card
 */
export async function detachMethod(tx: Transaction, method: PaymentMethod): Promise<PaymentMethod> {
  const customer = await tx.find('customer', idOrNull(method.customer) ?? '')
  if (customer === null)
    throw invalid(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    )
  const subscriptions = await tx.list('subscription', {
    where: [{ path: ['customer'], isOneOf: [customer.id] }],
  })
  const live = subscriptions.filter(({ ended_at }) => ended_at === null)
  const fallback = idOrNull(customer.invoice_settings.default_payment_method)
  const remaining = fallback === method.id ? null : fallback
  const lacksCard = live.some((subscription) => {
    const own = idOrNull(subscription.default_payment_method)
    return remaining === null && (own === null || own === method.id)
  })
  if (lacksCard)
    throw invalid(
      'A live subscription would have no card. Set another default card first. (The sandbox does not simulate a subscription without a card.)',
    )
  for (const subscription of live)
    if (idOrNull(subscription.default_payment_method) === method.id)
      await saveChange(tx, subscription, { ...subscription, default_payment_method: null })
  await changeCustomer(tx, customer, {
    invoice_settings: { ...customer.invoice_settings, default_payment_method: remaining },
  })
  const detached: PaymentMethod = { ...method, customer: null }
  await tx.save(detached)
  await tx.emit('payment_method.detached', detached, method)
  return detached
}
