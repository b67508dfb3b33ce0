import { expect } from '@jest/globals'
import { billingEvents, type BillingEvent } from '#contracts/events/billing'
import {
  paymentsResponse,
  subscriptionChangesResponse,
  subscriptionsResponse,
} from '#contracts/purchases'
import { createCodec, type DecodedEvent } from '#services/event-store/encryption/codec'
import { billingStream } from '#services/foundation/stream-names'
import { parseUserId } from '#contracts/ids'
import { createClient, payAt, planDetails } from '../../support/product/client.ts'
import { fixedKeys } from '../../support/event-store/fixed-keys.ts'
import { purchasesPage, type PurchasesPage } from './purchases-page.ts'
import type { World } from './world.ts'

type Type = BillingEvent['type']
type DataOf<T extends Type> = Extract<BillingEvent, { type: T }>['data']

/** Personal fields read as erased: the stories need none. */
const withoutKeys = createCodec(fixedKeys({}))

function isBillingEvent(event: DecodedEvent): event is Extract<DecodedEvent, BillingEvent> {
  return event.type in billingEvents
}

export interface BuyOptions {
  readonly card?: string
  readonly price?: string
}

let count = 0

/** A customer who signed up and paid through the product's API. */
export async function buy(world: World, { card, price }: BuyOptions = {}) {
  const customer = await signUp(world)
  await customer.pay(card, price)
  return customer
}

export type Customer = Awaited<ReturnType<typeof signUp>>

/** A signed-in customer without a purchase. */
export async function signUp(world: World) {
  const { sandbox, product, store } = world
  const { stripe } = sandbox
  const nth = (count += 1)
  const email = `story${nth}@example.com`
  const client = createClient(
    { url: product.url, sandboxUrl: sandbox.url },
    { 'x-forwarded-for': `10.0.0.${nth}` },
  )
  const userId = parseUserId(await client.signUp(email))

  const stripeCustomer = async () => {
    const [found] = (await stripe.customers.list({ email })).data
    if (found === undefined) throw new Error(`The sandbox has no customer ${email}.`)
    return found.id
  }
  const createCheckout = async (priceId = 'price_sandbox_monthly') => {
    const { body } = await client.post('/api/create-checkout-session', {
      email,
      priceId,
      planDetails,
    })
    return String(body?.['url'])
  }
  const get = async (path: string) => {
    const { status, body } = await client.get(path)
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }
  const events = async () =>
    (await withoutKeys.decodeStream(await store.readStream(billingStream(userId)))).filter(
      isBillingEvent,
    )
  /** A link to the portal, made through the product. */
  const portal = async () => {
    const { body } = await client.post('/api/create-customer-portal-session', {
      email,
      returnUrl: '/purchases',
      action: 'manage',
    })
    return String(body?.['url'])
  }
  const post = async (url: string, fields: Record<string, string> = {}) => {
    const answer = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
    if (answer.status !== 303) throw new Error(`${url} answered ${answer.status}.`)
  }
  let seen = 0

  return {
    world,
    email,
    userId,
    client,
    stripeCustomer,
    events,
    createCheckout,
    /** Pays for a plan at the hosted page. */
    async pay(card?: string, priceId?: string) {
      const { status } = await payAt(await createCheckout(priceId), card)
      if (status !== 303) throw new Error(`The checkout page answered ${status} to ${email}.`)
    },
    /** The types of the events since the last call. */
    async news(): Promise<readonly Type[]> {
      const types = (await events()).map(({ type }) => type)
      const fresh = types.slice(seen)
      seen = types.length
      return fresh
    },
    /** The data of the latest event of this type. */
    async latest<T extends Type>(type: T): Promise<DataOf<T>> {
      const found = (await events()).findLast((event) => event.type === type)
      if (found === undefined) throw new Error(`${email} has no ${type}.`)
      return found.data as DataOf<T>
    },
    payments: async () =>
      paymentsResponse.parse(await get(`/api/payments?email=${encodeURIComponent(email)}`)),
    subscriptions: async () =>
      subscriptionsResponse.parse(
        await get(`/api/subscriptions?email=${encodeURIComponent(email)}`),
      ),
    changes: async () =>
      subscriptionChangesResponse.parse(await get(`/api/subscription-changes/${userId}`)).changes,
    /** The customer's newest subscription at the provider. */
    async subscription() {
      const found = await stripe.subscriptions.list({
        customer: await stripeCustomer(),
        status: 'all',
      })
      const [subscription] = found.data
      const item = subscription?.items.data[0]
      if (subscription === undefined || item === undefined)
        throw new Error(`${email} has no subscription at the provider.`)
      return { id: subscription.id, item, status: subscription.status }
    },
    /** The newest charge and the newest invoice at the provider. */
    async paid() {
      const customer = await stripeCustomer()
      const [charge] = (await stripe.charges.list({ customer })).data
      const [invoice] = (await stripe.invoices.list({ customer })).data
      if (charge === undefined || invoice?.id === undefined)
        throw new Error(`${email} has no charge and invoice at the provider.`)
      return { charge: charge.id, invoice: invoice.id, lines: invoice.lines.data }
    },
    /** Ends the subscription at once, as the merchant does. */
    async end() {
      await stripe.subscriptions.cancel((await this.subscription()).id)
    },
    /** Submits a form of the portal. */
    inPortal: async (form: 'cancel' | 'keep' | 'keep-plan' | 'card', fields = {}) =>
      post(`${await portal()}/${form}`, fields),
    /** Chooses a plan in the portal and confirms its quote. */
    async changePlanInPortal(price: string) {
      const url = await portal()
      const page = await (await fetch(`${url}/plan/confirm?price=${price}`)).text()
      const inputs = page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)
      await post(
        `${url}/plan`,
        Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value])),
      )
    },
    /** Opens /purchases in the browser as this customer. Closes the page after `look`. */
    look: (look: (page: PurchasesPage) => Promise<void>) =>
      purchasesPage(world, { email, client }, look),
    /** The negative and positive rows of the payments and their statuses, smallest first. */
    async rows() {
      const { payments } = await this.payments()
      return payments
        .map(({ amount_total, payment_status }) => [amount_total, payment_status] as const)
        .sort(([one, first], [other, second]) => one - other || first.localeCompare(second))
    },
    /** Waits for the webhooks, and expects these events since the last call, in any order. */
    async expectNews(...types: readonly Type[]) {
      await world.settle()
      expect([...(await this.news())].sort()).toEqual([...types].sort())
    },
  }
}
