import type Stripe from 'stripe'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { subscribe, type TestSandbox } from './sandbox.ts'

/** A new customer whose first payment was made with this card. */
export async function paidBy(stripe: Stripe, card?: string, price?: string) {
  const { customer, subscription } = await subscribe(stripe, {
    ...(card === undefined ? {} : { card }),
    ...(price === undefined ? {} : { price }),
  })
  const charge = await chargeOf(stripe, customer)
  return { customer, subscription, charge, invoice: idOf(subscription.latest_invoice ?? '') }
}

/** The customer's newest charge. */
async function chargeOf(stripe: Stripe, customer: string): Promise<Stripe.Charge> {
  const [charge] = (await stripe.charges.list({ customer })).data
  if (charge === undefined) throw new Error(`The customer ${customer} has no charge.`)
  return charge
}

/** The types of the events about this object, the oldest first. */
export async function eventsOf(stripe: Stripe, id: string): Promise<readonly Stripe.Event[]> {
  const events = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })
  return events.filter(({ data }) => 'id' in data.object && data.object.id === id).reverse()
}

export async function eventTypesOf(stripe: Stripe, id: string): Promise<readonly string[]> {
  return (await eventsOf(stripe, id)).map(({ type }) => type)
}

export async function advance(sandbox: TestSandbox, by: string): Promise<void> {
  const { status, body } = await sandbox.post('/clock/advance', { by })
  if (status !== 200) throw new Error(`The clock was not advanced: ${JSON.stringify(body)}`)
}
