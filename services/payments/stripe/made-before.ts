import type Stripe from 'stripe'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { CheckoutId } from '#contracts/ids'
import { stripeIdOf } from './from-stripe/references.ts'
import { PaymentProviderRefused } from '../payment-provider.ts'
import { isOtherRequest } from './calls.ts'

/** Whether Stripe repeated the answer that it had saved under the idempotency key. */
export function isReplayed({ headers }: { readonly headers: object }): boolean {
  // The SDK's client for fetch has the headers as an object of the class Headers.
  const mark: unknown =
    headers instanceof Headers
      ? headers.get('idempotent-replayed')
      : Reflect.get(headers, 'idempotent-replayed')
  return mark === 'true'
}

/*
 * After an idempotency error: the object that the other request under the same key made. Each
 * function throws `error` again if it has another cause, or if no such object exists: Stripe then
 * repeats a saved error under the key for 24 h.
 */

/** The customer of the account. The e-mail address of an account does not change. */
export async function customerMadeBefore(
  stripe: Stripe,
  error: unknown,
  { email, userId }: { readonly email: string; readonly userId: string },
): Promise<Stripe.Customer> {
  if (!isOtherRequest(error)) throw error
  for await (const customer of stripe.customers.list({ email, limit: 100 }))
    if (customer.metadata['userId'] === userId) return customer
  throw error
}

/** The session of the reservation. */
export async function sessionMadeBefore(
  stripe: Stripe,
  error: unknown,
  {
    customerRef,
    checkoutId,
  }: { readonly customerRef: ProviderRef; readonly checkoutId: CheckoutId },
): Promise<Stripe.Checkout.Session> {
  if (!isOtherRequest(error)) throw error
  const customer = stripeIdOf(customerRef)
  for await (const session of stripe.checkout.sessions.list({ customer, limit: 100 }))
    if (session.metadata?.['checkoutId'] === checkoutId) return session
  // The other request was refused, as this one would be.
  if ((await stripe.customers.retrieve(customer)).deleted)
    throw new PaymentProviderRefused(
      'opening the checkout',
      new Error(`The customer ${customer} was deleted.`),
    )
  throw error
}
