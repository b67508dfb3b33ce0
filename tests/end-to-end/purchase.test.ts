import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createClient, payAt } from '../support/client.ts'
import { startProduct, type RunningProduct } from '../support/run-product.ts'

/* Buying, when the world does not behave: against the whole product, with its sandbox. */

let product: RunningProduct
beforeAll(async () => {
  product = await startProduct()
}, 120_000)
afterAll(() => product?.stop(), 60_000)

const faults = (what: object) =>
  fetch(`${product.sandboxUrl}/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(what) })

async function webhooksDelivered(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { webhooksOwed } = (await (await fetch(`${product.sandboxUrl}/clock`)).json()) as { webhooksOwed: number }
    if (webhooksOwed === 0) return
    await sleep(50)
  }
  throw new Error('The sandbox still owes webhooks after ten seconds.')
}

let count = 0
const nextEmail = () => `buyer${(count += 1)}@example.com`

/** What a customer owns, without ids and times. */
async function owned(client: ReturnType<typeof createClient>, email: string) {
  const { body } = await client.get(`/api/payments?email=${encodeURIComponent(email)}`)
  const { payments, activeSubscriptions } = body as { payments: { amount_total: number; payment_status: string }[]; activeSubscriptions: { status: string; plan_name: string }[] }
  return {
    payments: payments.map(({ amount_total, payment_status }) => [amount_total, payment_status]),
    subscriptions: activeSubscriptions.map(({ plan_name, status }) => [plan_name, status]),
  }
}
const onePurchase = { payments: [[39, 'paid']], subscriptions: [['Monthly Plan', 'active']] }

async function signedUp() {
  const client = createClient(product)
  const email = nextEmail()
  const userId = await client.signUp(email)
  return { client, email, userId, checkout: async () => String((await client.startCheckout(email)).body?.['url']) }
}

describe('a purchase', () => {
  it('is shown by the next answer after the sync, before any webhook has come', async () => {
    await faults({ webhooks: { drop: 1 } })
    const { client, email, checkout } = await signedUp()
    await payAt(await checkout())
    expect((await client.post('/api/billing/sync')).body).toEqual({ hasLiveSubscription: true })
    expect(await owned(client, email)).toEqual(onePurchase)
    await faults({})
  })

  it('is recorded by the webhook alone, when the customer never comes back', async () => {
    const { client, email, checkout } = await signedUp()
    await payAt(await checkout())
    await webhooksDelivered()
    const shown = async (): Promise<unknown> => {
      for (let attempt = 0; attempt < 100; attempt += 1) {
        const found = await owned(client, email)
        if (found.payments.length > 0) return found
        await sleep(50)
      }
      return null
    }
    expect(await shown()).toEqual(onePurchase)
  })

  it('is one purchase however often and in whatever order its webhooks come', async () => {
    await faults({ webhooks: { duplicate: 1, reorder: 1 } })
    const { client, email, checkout } = await signedUp()
    await payAt(await checkout())
    await Promise.all([client.post('/api/billing/sync'), client.post('/api/billing/sync'), webhooksDelivered()])
    expect(await owned(client, email)).toEqual(onePurchase)
    await faults({})
  })

  it('opens one checkout from two tabs, and none after it is paid', async () => {
    const { client, email } = await signedUp()
    const [first, second] = await Promise.all([client.startCheckout(email), client.startCheckout(email)])
    expect(first.body?.['url']).toMatch(/\/checkout\//)
    expect(second.body).toEqual(first.body)
    await payAt(String(first.body?.['url']))
    const again = await client.startCheckout(email)
    expect([again.status, again.body]).toEqual([409, { error: 'You already have an active subscription' }])
  })

  it('is the same purchase when its click is repeated with the same key', async () => {
    const { client, email } = await signedUp()
    const key = { 'idempotency-key': 'click-1' }
    const [first, repeat] = [await client.startCheckout(email, key), await client.startCheckout(email, key)]
    expect(repeat.body).toEqual(first.body)
  })

  it('with a declined card charges nothing, and can be tried again with another', async () => {
    const { client, email, checkout } = await signedUp()
    const url = await checkout()
    expect((await payAt(url, '4000000000000002')).status).toBe(402)
    await client.post('/api/billing/sync')
    expect((await owned(client, email)).subscriptions).toEqual([])
    expect((await payAt(url)).status).toBe(303)
    await client.post('/api/billing/sync')
    expect((await owned(client, email)).subscriptions).toEqual(onePurchase.subscriptions)
  })

  it('goes through at the second click when the provider failed at the first', async () => {
    const { client, email } = await signedUp()
    await faults({ errorRate: 1 })
    const failed = await client.startCheckout(email)
    await faults({})
    expect([failed.status, failed.body?.['error']]).toEqual([502, expect.stringContaining('Nothing was charged')])
    expect((await client.startCheckout(email)).status).toBe(200)
  }, 60_000)

  it('lets the customer plan the end of the plan, and shows it as a change', async () => {
    const { client, email, userId, checkout } = await signedUp()
    await payAt(await checkout())
    await client.post('/api/billing/sync')
    const portal = await client.post('/api/create-customer-portal-session', { email, returnUrl: '/purchases', action: 'manage' })
    expect(portal.body?.['url']).toMatch(/\/portal\//)
    const elsewhere = await client.post('/api/create-customer-portal-session', { email, returnUrl: '//evil.example', action: 'manage' })
    expect([elsewhere.status, elsewhere.body?.['field']]).toEqual([400, 'returnUrl'])
    expect((await client.get(`/api/subscription-changes/${userId}`)).body).toEqual({ changes: [] })
  })
})
