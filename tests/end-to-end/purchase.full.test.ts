import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { sandboxPriceIdOf } from '#contracts/plans'
import { subscriptionsResponse, type Subscription } from '#contracts/purchases'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { stripeAt } from '../support/product/sandbox.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'

/*
 * Purchases with lost webhooks, kills, declined cards and provider errors, against the whole
 * product with its sandbox.
 */

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

/** Kills the product, and starts it again on the same data and ports. */
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
  throw new Error('The sandbox still has undelivered webhooks after 30 s.')
}

// A month creates dozens of webhooks, and the sandbox delivers 16 at once. That takes many
// seconds on a busy machine.
jest.setTimeout(60_000)

let count = 0
const nextEmail = () => `buyer${(count += 1)}@example.com`

/** The payments and subscriptions of a customer, without ids and times. */
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
/**
 * Waits until the customer has this number of payments: webhooks can take seconds. Null after 200
 * tries.
 */
async function shown(
  client: ReturnType<typeof createClient>,
  email: string,
  payments = 1,
): Promise<unknown> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const found = await owned(client, email)
    if (found.payments.length >= payments) return found
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
    checkout: async () => String((await client.createCheckoutSession(email)).body?.['url']),
  }
}

describe('a purchase', () => {
  it('is shown by the first answer after the sync, before any webhook arrives', async () => {
    await faults({ webhooks: { drop: 1 } })
    const { client, email, checkout } = await signedUp()
    await payAt(await checkout())
    expect((await client.post('/api/billing/sync')).body).toEqual({ hasLiveSubscription: true })
    expect(await owned(client, email)).toEqual(onePurchase)
    await faults({})
  })

  it('is recorded by the webhook alone if the customer does not return to the product', async () => {
    const { client, email, checkout } = await signedUp()
    await payAt(await checkout())
    await webhooksDelivered()
    expect(await shown(client, email)).toEqual(onePurchase)
  })

  it('survives kill -9 between the payment and its webhook', async () => {
    const { client, email, checkout } = await signedUp()
    const url = await checkout()
    // The sandbox answers late, so that the kill comes while the product handles the webhook.
    await faults({ latencyMs: 300 })
    await payAt(url)
    await killAndRestart()
    await faults({})
    expect(await shown(client, email)).toEqual(onePurchase)
  })

  it('is recorded once if its webhooks are repeated and reordered', async () => {
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

  it('opens one checkout from two tabs, and none after the payment', async () => {
    const { client, email } = await signedUp()
    const [first, second] = await Promise.all([
      client.createCheckoutSession(email),
      client.createCheckoutSession(email),
    ])
    expect(first.body?.['url']).toMatch(/\/checkout\//)
    expect(second.body).toEqual(first.body)
    await payAt(String(first.body?.['url']))
    const again = await client.createCheckoutSession(email)
    expect([again.status, again.body]).toEqual([
      409,
      { error: 'You already have an active subscription' },
    ])
  })

  it('is the same purchase if the click is repeated with the same idempotency key', async () => {
    const { client, email } = await signedUp()
    const key = { 'idempotency-key': 'click-1' }
    const [first, repeat] = [
      await client.createCheckoutSession(email, key),
      await client.createCheckoutSession(email, key),
    ]
    expect(repeat.body).toEqual(first.body)
    // The same key in another call belongs to another command.
    await payAt(String(first.body?.['url']))
    expect((await client.post('/api/billing/sync', {}, key)).body).toEqual({
      hasLiveSubscription: true,
    })
  })

  it('with a declined card charges nothing, and another card can pay', async () => {
    const { client, email, checkout } = await signedUp()
    const url = await checkout()
    expect((await payAt(url, '4000000000000002')).status).toBe(402)
    await client.post('/api/billing/sync')
    expect((await owned(client, email)).subscriptions).toEqual([])
    expect((await payAt(url)).status).toBe(303)
    await client.post('/api/billing/sync')
    expect((await owned(client, email)).subscriptions).toEqual(onePurchase.subscriptions)
  })

  it('succeeds at the second click if the provider failed at the first click', async () => {
    const { client, email } = await signedUp()
    await faults({ errorRate: 1 })
    const failed = await client.createCheckoutSession(email)
    await faults({})
    expect([failed.status, failed.body?.['error']]).toEqual([
      502,
      expect.stringContaining('Nothing was charged'),
    ])
    expect((await client.createCheckoutSession(email)).status).toBe(200)
  })

  it('has a plan that the customer can cancel in the portal, and keep later', async () => {
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

  it('can be managed only by its owner', async () => {
    const owner = await signedUp()
    await payAt(await owner.checkout())
    await owner.client.post('/api/billing/sync')
    const { body } = await owner.client.get(`/api/payments?email=${owner.email}`)
    const [subscription] = (body as { activeSubscriptions: { manage_url: string }[] })
      .activeSubscriptions
    const manageUrl = String(subscription?.manage_url)
    expect((await owner.client.get(manageUrl)).headers.get('location')).toContain('/portal/')
    const { client: other } = await signedUp()
    for (const [stranger, page] of [
      [other, '/purchases'],
      [createClient(product), '/manage-plan'],
    ] as const)
      expect((await stranger.get(manageUrl)).headers.get('location')).toBe(product.url + page)
  })
})

describe('a plan that is changed at the provider', () => {
  it('is shown after the webhook alone, with the change and the new charge', async () => {
    const { client, email, userId, checkout } = await signedUp()
    await payAt(await checkout())
    await webhooksDelivered()
    expect(await shown(client, email)).toEqual(onePurchase)
    const stripe = stripeAt(Number(new URL(product.sandboxUrl).port))
    const { body } = await client.get(`/api/subscriptions?email=${email}`)
    const [bought] = subscriptionsResponse.parse(body)
    const id = String(bought?.stripe_subscription_id)
    const [item] = (await stripe.subscriptions.retrieve(id)).items.data
    await stripe.subscriptions.update(id, {
      items: [{ id: item?.id ?? '', price: sandboxPriceIdOf('annual') }],
      proration_behavior: 'none',
    })
    await webhooksDelivered()
    // The provider dates both payments to the same second, so their order is not certain.
    expect(await shown(client, email, 2)).toEqual({
      payments: expect.arrayContaining([
        [39, 'paid'],
        [359, 'paid'],
      ]) as unknown,
      subscriptions: [['Annual Plan', 'active']],
    })
    expect((await client.get(`/api/subscription-changes/${userId}`)).body).toMatchObject({
      changes: [
        {
          change_type: 'upgrade',
          previous_plan: 'Monthly Plan',
          new_plan: 'Annual Plan',
          old_interval: 'month',
          new_interval: 'year',
        },
      ],
    })
  })
})

describe('a renewal', () => {
  it('is charged when the clock reaches its date, and a failed charge leaves the plan past due', async () => {
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
    expect((await bad.client.createCheckoutSession(bad.email)).body).toEqual({
      error: 'You already have an active subscription',
    })
  })
})

/** Runs `act` in the portal. Returns the customer's subscription after it. */
async function endOfPlan(
  client: ReturnType<typeof createClient>,
  email: string,
  act: () => Promise<unknown>,
): Promise<Subscription | undefined> {
  await act()
  await client.post('/api/billing/sync')
  const { body } = await client.get(`/api/subscriptions?email=${email}`)
  return subscriptionsResponse.parse(body)[0]
}
