import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { adminUsersQuery } from '#contracts/admin/users'
import { parseUserId, type UserId } from '#contracts/ids'
import type { DecodedEvent } from '#services/event-store/encryption/codec'
import { testContext } from '../../support/data/test-context.ts'
import { payAt } from '../../support/product/client.ts'
import { startAccountSide, type AccountSide } from '../../support/product/account-side.ts'
import { until } from '../../support/machine/until.ts'

let side: AccountSide
beforeAll(async () => {
  side = await startAccountSide()
}, 60_000)
afterAll(() => side?.closeAll())
afterEach(() => {
  side.intercept = async () => null
  side.hooks.beforeErasure = async () => undefined
  side.hooks.beforeKey = async () => undefined
})

async function givenCustomer() {
  const email = `${randomUUID()}@example.com`
  const client = side.client()
  const userId = parseUserId(await client.signUp(email))
  return {
    client,
    email,
    userId,
    delete: (typed = email) => client.post('/api/profile/delete', { email: typed }),
  }
}

async function givenPayingCustomer() {
  const customer = await givenCustomer()
  const { body } = await customer.client.createCheckoutSession(customer.email)
  expect((await payAt(String(body?.['url']))).status).toBe(303)
  expect((await customer.client.post('/api/billing/sync')).body).toMatchObject({
    hasLiveSubscription: true,
  })
  return customer
}

/** The statuses of the person's subscriptions and of the checkout sessions at the provider. */
async function atProvider(userId: UserId) {
  const { data } = await side.sandbox.stripe.checkout.sessions.list({ limit: 100 })
  const sessions = data.filter((session) => session.client_reference_id === userId)
  const subscriptions = await side.sandbox.stripe.subscriptions.list({ status: 'all', limit: 100 })
  const customers = new Set(sessions.map(({ customer }) => customer))
  return {
    sessions: sessions.map(({ status }) => status),
    subscriptions: subscriptions.data
      .filter(({ customer }) => customers.has(customer))
      .map(({ status }) => status),
  }
}
const accountOf = async (userId: UserId): Promise<readonly DecodedEvent[]> =>
  side.codec.decodeStream(await side.store.readStream(`account-${userId}`))
const isDeleted = async (userId: UserId) =>
  (await accountOf(userId)).some(({ type }) => type === 'PersonalDataErased')
const keyOf = async (userId: UserId) =>
  (
    await side.pool.query<{ wrapped_key: Buffer | null }>(
      'SELECT wrapped_key FROM app.personal_key WHERE subject = $1',
      [userId],
    )
  ).rows[0]?.wrapped_key

/** The customer's row in the administrators' list. */
async function listed(userId: UserId) {
  const query = adminUsersQuery.parse({ pageSize: 100 })
  const { items } = await side.readSide.admin.lists.users(query, new Date(), forEver)
  return items.find((user) => user.user_id === userId)
}
const forEver = new AbortController().signal
const totalRevenue = async () =>
  (await side.readSide.admin.summary(new Date(), forEver)).totalRevenue

describe('deleting the own account', () => {
  it('needs the address of the account, in any case', async () => {
    const { client, delete: erase, email, userId } = await givenCustomer()
    expect(await erase('someone@example.com')).toMatchObject({
      status: 400,
      body: { field: 'email', error: expect.stringMatching(/^This is not the e-mail/) as unknown },
    })
    for (const body of [{}, { email: '' }, { email: 7 }, { email: 'no address' }])
      expect(await client.post('/api/profile/delete', body)).toMatchObject({
        status: 400,
        body: { field: 'email' },
      })
    expect(await isDeleted(userId)).toBe(false)
    expect((await erase(`  ${email.toUpperCase()} `)).body).toEqual({})
    expect(await isDeleted(userId)).toBe(true)
  }, 60_000)

  it('ends the plan, the sessions and the cookie, and erases the person', async () => {
    const { client, delete: erase, email, userId } = await givenPayingCustomer()
    await until(async () => (await listed(userId))?.user_type === 4, 'the payment is not shown')
    const revenue = await totalRevenue()
    const copy = side.client({ cookie: client.cookieHeader() })
    const answer = await erase()
    expect(answer).toMatchObject({ status: 200, body: {} })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^ar-customer-\d+=; Path=\/; Expires=Thu, 01 Jan 1970/),
    ])
    expect((await copy.get('/api/profile')).status).toBe(401)
    expect((await copy.createCheckoutSession(email)).status).toBe(401)
    expect(await atProvider(userId)).toEqual({
      sessions: ['complete'],
      subscriptions: ['canceled'],
    })
    expect(await keyOf(userId)).toBeNull()
    const erased = (await accountOf(userId)).at(-1)
    expect(erased).toMatchObject({
      type: 'PersonalDataErased',
      metadata: { actor: { kind: 'customer', id: userId } },
    })
    expect(
      await side.billing.openPortal(userId, {
        subscriptionId: null,
        action: 'manage',
        returnUrl: 'http://localhost:3000/',
      }),
    ).toBe('blocked')
    const newId = await side.client().signUp(email)
    expect(newId).not.toBe(userId)
    await until(
      async () => (await listed(userId))?.email === '[erased]',
      'the list has the address',
    )
    expect(await listed(userId)).toMatchObject({ company_name: null, active_plans: 0 })
    expect(await totalRevenue()).toBe(revenue)
  }, 60_000)

  it('is refused to a blocked customer, who could otherwise sign up again without the block', async () => {
    const { delete: erase, userId } = await givenCustomer()
    await side.accounts.setBlocked(userId, true, testContext())
    expect(await erase()).toMatchObject({
      status: 403,
      body: { error: 'Your account is blocked. Please contact support.' },
    })
    expect(await isDeleted(userId)).toBe(false)
  }, 60_000)

  it.each([
    ['does not answer', 503, /^Your account was not deleted: the payment provider does not answer/],
    ['refuses', 400, /^Your account was not deleted: the payment provider refused/],
  ])(
    'deletes nothing if the provider %s, and a repeat completes it',
    async (_what, status, error) => {
      const { client, delete: erase, userId } = await givenPayingCustomer()
      side.intercept = async (call) =>
        call.startsWith('DELETE ')
          ? Response.json({ error: { type: 'invalid_request_error', message: 'No.' } }, { status })
          : null
      expect(await erase()).toMatchObject({
        status: 502,
        body: { error: expect.stringMatching(error) as unknown },
      })
      expect(await isDeleted(userId)).toBe(false)
      expect((await client.get('/api/profile')).status).toBe(200)
      side.intercept = async () => null
      expect((await erase()).status).toBe(200)
      expect((await atProvider(userId)).subscriptions).toEqual(['canceled'])
      expect(await isDeleted(userId)).toBe(true)
    },
    30_000,
  )

  it('calls no provider for a customer without billing', async () => {
    const { delete: erase } = await givenCustomer()
    side.calls.length = 0
    expect((await erase()).status).toBe(200)
    expect(side.calls).toEqual([])
  }, 60_000)

  it('is completed by the reactor if it is interrupted', async () => {
    const { delete: erase, userId } = await givenCustomer()
    side.hooks.beforeKey = async () => Promise.reject(new Error('the process was killed'))
    expect((await erase()).status).toBe(500)
    expect(await keyOf(userId)).not.toBeNull()
    side.hooks.beforeKey = async () => undefined
    await side.reactor.effect((await accountOf(userId)).at(-1)!, 1)
    expect(await keyOf(userId)).toBeNull()
  }, 60_000)

  it('twice at the same time is one deletion', async () => {
    const { delete: erase, userId } = await givenPayingCustomer()
    const answers = await Promise.all([erase(), erase()])
    for (const { status } of answers) expect([200, 401]).toContain(status)
    expect(answers.map(({ status }) => status)).toContain(200)
    const types = (await accountOf(userId)).map(({ type }) => type)
    expect(types.filter((type) => type === 'PersonalDataErased')).toHaveLength(1)
    expect(await keyOf(userId)).toBeNull()
  }, 60_000)

  it('while webhooks are handled ends the plan, and leaves no personal data', async () => {
    const { delete: erase, email, userId } = await givenPayingCustomer()
    const [answer] = await Promise.all([
      erase(),
      ...Array.from({ length: 4 }, () => side.billing.sync(userId, testContext())),
    ])
    expect(answer.status).toBe(200)
    await side.billing.sync(userId, testContext())
    const events = await side.eventsOf(userId)
    expect(events.map(({ type }) => type)).toContain('SubscriptionEnded')
    expect(JSON.stringify(events)).not.toContain(email)
    expect((await atProvider(userId)).subscriptions).toEqual(['canceled'])
  }, 60_000)
})

describe('deleting the own account during a checkout', () => {
  it('closes the page, which cannot be paid afterwards', async () => {
    const { client, delete: erase, email, userId } = await givenCustomer()
    const { body } = await client.createCheckoutSession(email)
    expect((await erase()).status).toBe(200)
    expect(await atProvider(userId)).toEqual({ sessions: ['expired'], subscriptions: [] })
    expect((await payAt(String(body?.['url']))).status).not.toBe(303)
    expect((await atProvider(userId)).subscriptions).toEqual([])
  }, 60_000)

  it('cancels a plan that is paid while the deletion runs', async () => {
    const { client, delete: erase, email, userId } = await givenCustomer()
    const { body } = await client.createCheckoutSession(email)
    let isPaid = false
    side.intercept = async (call) => {
      if (!isPaid && call.includes('/expire')) {
        isPaid = true
        await payAt(String(body?.['url']))
      }
      return null
    }
    expect((await erase()).status).toBe(200)
    expect(isPaid).toBe(true)
    expect(await atProvider(userId)).toEqual({
      sessions: ['complete'],
      subscriptions: ['canceled'],
    })
  }, 60_000)

  it('gives the customer no page that is opened after the erasure', async () => {
    const { client, delete: erase, email, userId } = await givenCustomer()
    let erased: Promise<{ status: number }> | null = null
    side.intercept = async (call) => {
      if (call === 'POST /v1/checkout/sessions' && erased === null) {
        erased = erase()
        await erased
      }
      return null
    }
    expect(await client.createCheckoutSession(email)).toMatchObject({ status: 403 })
    expect((await atProvider(userId)).sessions).toEqual(['expired'])
    expect(await isDeleted(userId)).toBe(true)
  }, 60_000)

  it('closes a page that another tab opened immediately before the erasure, by the reactor', async () => {
    const { client, delete: erase, email, userId } = await givenCustomer()
    side.hooks.beforeErasure = async () => {
      side.hooks.beforeErasure = async () => undefined
      expect((await client.createCheckoutSession(email)).status).toBe(200)
    }
    expect((await erase()).status).toBe(200)
    expect((await atProvider(userId)).sessions).toEqual(['open'])
    const event = (await accountOf(userId)).at(-1)!
    await side.reactor.effect(event, 1)
    expect((await atProvider(userId)).sessions).toEqual(['expired'])
    await side.reactor.effect(event, 1)
  }, 60_000)
})

describe('a deletion', () => {
  it('without a session gets 401 before the body is read, and from another origin 403', async () => {
    expect((await side.client().send('POST', '/api/profile/delete', '{"email":')).status).toBe(401)
    const { client, email, userId } = await givenCustomer()
    const forged = await client.post(
      '/api/profile/delete',
      { email },
      { origin: 'https://elsewhere.example' },
    )
    expect(forged.status).toBe(403)
    expect(await isDeleted(userId)).toBe(false)
  }, 60_000)
})
