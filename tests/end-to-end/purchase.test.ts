import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'

/* Buying, when the world does not behave: against the whole product, with its sandbox. */

let product: RunningProduct
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  directory = await temporaryDirectory()
  product = await startProduct({ dataDir: directory.path })
}, 120_000)
afterAll(async () => {
  await product?.stop()
  await directory?.remove()
}, 60_000)

/** Ended at once, and started again on the same data and ports. */
async function killAndRestart(): Promise<void> {
  const { url, sandboxUrl, dataDir, stop } = product
  await stop('SIGKILL')
  product = await startProduct({
    dataDir,
    env: { PORT: new URL(url).port, SANDBOX_PORT: new URL(sandboxUrl).port },
  })
}

const faults = (what: object) =>
  fetch(`${product.sandboxUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(what),
  })

async function webhooksDelivered(): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const { webhooksOwed } = (await (await fetch(`${product.sandboxUrl}/clock`)).json()) as {
      webhooksOwed: number
    }
    if (webhooksOwed === 0) return
    await sleep(50)
  }
  throw new Error('The sandbox still owes webhooks after half a minute.')
}

// Webhooks are dozens when a month passes, and four at most are under way: that is many seconds on a busy machine.
jest.setTimeout(60_000)

let count = 0
const nextEmail = () => `buyer${(count += 1)}@example.com`

/** What a customer owns, without ids and times. */
async function owned(client: ReturnType<typeof createClient>, email: string) {
  const { body } = await client.get(`/api/payments?email=${encodeURIComponent(email)}`)
  const { payments, activeSubscriptions } = body as {
    payments: { amount_total: number; payment_status: string }[]
    activeSubscriptions: { status: string; plan_name: string }[]
  }
  return {
    payments: payments.map(({ amount_total, payment_status }) => [amount_total, payment_status]),
    subscriptions: activeSubscriptions.map(({ plan_name, status }) => [plan_name, status]),
  }
}
/** What the customer owns once there is something: webhooks are delivered within seconds. */
async function shown(client: ReturnType<typeof createClient>, email: string): Promise<unknown> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const found = await owned(client, email)
    if (found.payments.length > 0) return found
    await sleep(100)
  }
  return null
}
const onePurchase = { payments: [[39, 'paid']], subscriptions: [['Monthly Plan', 'active']] }

async function signedUp() {
  const client = createClient(product)
  const email = nextEmail()
  const userId = await client.signUp(email)
  return {
    client,
    email,
    userId,
    checkout: async () => String((await client.startCheckout(email)).body?.['url']),
  }
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
    expect(await shown(client, email)).toEqual(onePurchase)
  })

  it('survives kill -9 between the payment and its webhook', async () => {
    const { client, email, checkout } = await signedUp()
    const url = await checkout()
    // The sandbox answers late, so that the kill comes while the webhook is being handled.
    await faults({ latencyMs: 300 })
    await payAt(url)
    await killAndRestart()
    await faults({})
    expect(await shown(client, email)).toEqual(onePurchase)
  })

  it('survives kill -9 between the reservation and the checkout page', async () => {
    const { client, email } = await signedUp()
    await faults({ latencyMs: 2_000 })
    const cut = client.startCheckout(email).catch(() => 'cut off')
    await sleep(700)
    await killAndRestart()
    await cut
    await faults({})
    const url = (await client.startCheckout(email)).body?.['url']
    expect((await payAt(String(url))).status).toBe(303)
    await client.post('/api/billing/sync')
    expect(await owned(client, email)).toEqual(onePurchase)
  })

  it('is one purchase however often and in whatever order its webhooks come', async () => {
    await faults({ webhooks: { duplicate: 1, reorder: 1 } })
    const { client, email, checkout } = await signedUp()
    await payAt(await checkout())
    await Promise.all([
      client.post('/api/billing/sync'),
      client.post('/api/billing/sync'),
      webhooksDelivered(),
    ])
    expect(await owned(client, email)).toEqual(onePurchase)
    await faults({})
  })

  it('opens one checkout from two tabs, and none after it is paid', async () => {
    const { client, email } = await signedUp()
    const [first, second] = await Promise.all([
      client.startCheckout(email),
      client.startCheckout(email),
    ])
    expect(first.body?.['url']).toMatch(/\/checkout\//)
    expect(second.body).toEqual(first.body)
    await payAt(String(first.body?.['url']))
    const again = await client.startCheckout(email)
    expect([again.status, again.body]).toEqual([
      409,
      { error: 'You already have an active subscription' },
    ])
  })

  it('is the same purchase when its click is repeated with the same key', async () => {
    const { client, email } = await signedUp()
    const key = { 'idempotency-key': 'click-1' }
    const [first, repeat] = [
      await client.startCheckout(email, key),
      await client.startCheckout(email, key),
    ]
    expect(repeat.body).toEqual(first.body)
    // The same key sent to another call is another command.
    await payAt(String(first.body?.['url']))
    expect((await client.post('/api/billing/sync', {}, key)).body).toEqual({
      hasLiveSubscription: true,
    })
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
    expect([failed.status, failed.body?.['error']]).toEqual([
      502,
      expect.stringContaining('Nothing was charged'),
    ])
    expect((await client.startCheckout(email)).status).toBe(200)
  })

  it('can be planned to end in the portal, and kept after all', async () => {
    const { client, email, userId, checkout } = await signedUp()
    await payAt(await checkout())
    await client.post('/api/billing/sync')
    expect((await client.get(`/api/subscription-changes/${userId}`)).body).toEqual({ changes: [] })

    const portal = await client.post('/api/create-customer-portal-session', {
      email,
      returnUrl: '/purchases',
      action: 'manage',
    })
    const act = (what: string) =>
      fetch(`${String(portal.body?.['url'])}/${what}`, { method: 'POST', redirect: 'manual' })
    const planned = await endOfPlan(client, email, () => act('cancel'))
    expect(planned).toMatchObject({
      status: 'active',
      will_cancel: true,
      cancel_at: planned?.current_period_end,
    })
    expect((await client.get(`/api/subscription-changes/${userId}`)).body).toMatchObject({
      changes: [{ change_type: 'cancellation', effective_date: planned?.cancel_at }],
    })
    expect(await endOfPlan(client, email, () => act('keep'))).toMatchObject({
      status: 'active',
      will_cancel: false,
      cancel_at: null,
    })
  })

  it('is managed by its owner alone', async () => {
    const owner = await signedUp()
    await payAt(await owner.checkout())
    await owner.client.post('/api/billing/sync')
    const { body } = await owner.client.get(`/api/payments?email=${owner.email}`)
    const [subscription] = (body as { activeSubscriptions: { manage_url: string }[] })
      .activeSubscriptions
    const manageUrl = String(subscription?.manage_url)
    expect((await owner.client.get(manageUrl)).headers.get('location')).toContain('/portal/')
    const { client: other } = await signedUp()
    for (const somebody of [other, createClient(product)]) {
      expect((await somebody.get(manageUrl)).headers.get('location')).toBe(
        `${product.url}/purchases`,
      )
    }
  })
})

describe('a renewal', () => {
  it('is charged by the clock, and one that fails leaves the plan past due and is tried again', async () => {
    const [good, bad] = [await signedUp(), await signedUp()]
    await payAt(await good.checkout())
    await payAt(await bad.checkout(), '4000000000000341')
    await fetch(`${product.sandboxUrl}/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: 'P1M1D' }),
    })
    await webhooksDelivered()
    for (const { client } of [good, bad]) await client.post('/api/billing/sync')
    expect(await owned(good.client, good.email)).toEqual({
      payments: [
        [39, 'paid'],
        [39, 'paid'],
      ],
      subscriptions: [['Monthly Plan', 'active']],
    })
    expect(await owned(bad.client, bad.email)).toMatchObject({
      subscriptions: [['Monthly Plan', 'past_due']],
    })
    const { body } = await bad.client.get(`/api/payments?email=${bad.email}`)
    expect(
      (body as { transactions: { status: string }[] }).transactions.map(({ status }) => status),
    ).toEqual(['failed', 'paid'])
    expect((await bad.client.startCheckout(bad.email)).body).toEqual({
      error: 'You already have an active subscription',
    })
  })
})

interface ShownSubscription {
  readonly status: string
  readonly will_cancel: boolean
  readonly cancel_at: string | null
  readonly current_period_end: string
}

/** The customer's subscription after `act` in the portal. */
async function endOfPlan(
  client: ReturnType<typeof createClient>,
  email: string,
  act: () => Promise<unknown>,
): Promise<ShownSubscription | undefined> {
  await act()
  await client.post('/api/billing/sync')
  const { body } = await client.get(`/api/subscriptions?email=${email}`)
  return (body as unknown as ShownSubscription[])[0]
}
