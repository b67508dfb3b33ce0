import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { maxResends } from '#contracts/auth'
import { createClient, payAt, planDetails, profile } from '../support/product/client.ts'
import { inboxOf } from '../support/product/inbox.ts'
import { stripeAt } from '../support/product/sandbox.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { until } from '../support/machine/until.ts'

/* Requests that the API refuses, and its error messages, against the whole product. */

let product: RunningProduct
let dana: ReturnType<typeof createClient>
let danaId: string
const email = 'dana@example.com'

beforeAll(async () => {
  product = await startProduct({ onTestServer: true })
  dana = createClient(product)
  danaId = await dana.signUp(email)
}, 120_000)
afterAll(() => product?.stop(), 60_000)

const visitor = () => createClient(product)

describe('the API', () => {
  it.each([
    ['/api/auth/check-user', { email: 'not an address' }, 'email'],
    ['/api/auth/request-otp', {}, 'email'],
    ['/api/auth/complete-signup', { ...profile, email, state: 'Atlantis' }, 'state'],
    [
      '/api/auth/complete-signup',
      { ...profile, email, has_accepted_terms: false },
      'has_accepted_terms',
    ],
    ['/api/auth/verify-otp', { userId: 'usr_1', otp: '1234567' }, 'otp'],
    [
      '/api/create-checkout-session',
      { email, priceId: 'price_sandbox_monthly', planDetails: { ...planDetails, features: 'all' } },
      'planDetails.features',
    ],
    [
      '/api/create-checkout-session',
      { email, priceId: 'price_of_somebody_else', planDetails },
      'priceId',
    ],
    [
      '/api/create-customer-portal-session',
      { email, returnUrl: 'https://evil.example/', action: 'manage' },
      'returnUrl',
    ],
    [
      '/api/create-customer-portal-session',
      { email, returnUrl: '/purchases', action: 'steal' },
      'action',
    ],
    ['/api/admin/login', {}, 'password'],
  ])(
    'at %s answers the invalid body %j with 400, the field and the reason',
    async (path, body, field) => {
      const answer = await dana.post(path, body)
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: expect.any(String), field, reason: expect.any(String) },
      ])
    },
  )

  it.each(['/api/auth/check-user', '/api/admin/login', '/api/create-checkout-session'])(
    'at %s answers a body that is not JSON with 400',
    async (path) => {
      const answer = await dana.post(path, '{"email":')
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: 'The body is not valid JSON.', field: '', reason: 'The body is not valid JSON.' },
      ])
    },
  )

  it('answers an unknown path under /api with 404 in JSON, and any other unknown path with the 404 page', async () => {
    expect(await dana.get('/api/nope')).toMatchObject({
      status: 404,
      body: { error: 'There is no API call GET /api/nope.' },
    })
    const page = await fetch(`${product.url}/nope`)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      404,
      expect.stringContaining('text/html'),
    ])
  })
})

describe('a checkout', () => {
  it('charges the price of the plan, whatever price its request repeats', async () => {
    const buyer = visitor()
    const address = 'false.price@example.com'
    await buyer.signUp(address)
    const { body } = await buyer.post('/api/create-checkout-session', {
      email: address,
      priceId: 'price_sandbox_monthly',
      planDetails: { ...planDetails, price: '0', totalPrice: '-39', name: 'Free Plan' },
    })
    const page = await (await fetch(String(body?.['url']))).text()
    expect(page).toContain('$39.00')
    expect(page).not.toContain('Free Plan')
    await payAt(String(body?.['url']))
    await buyer.post('/api/billing/sync')
    expect((await buyer.get(`/api/payments?email=${address}`)).body).toMatchObject({
      payments: [{ amount_total: 39, plan_name: 'Monthly Plan' }],
    })
  })

  it('for the address of another customer is refused, and opens no page', async () => {
    const buyer = visitor()
    await buyer.signUp('other.buyer@example.com')
    const answer = await buyer.createCheckoutSession(email)
    expect([answer.status, answer.body?.['url']]).toEqual([403, undefined])
    const found = await stripeAt(Number(new URL(product.sandboxUrl).port)).customers.list({
      email: 'other.buyer@example.com',
    })
    expect(found.data).toEqual([])
  })
})

describe('an open checkout', () => {
  it('is found only by its customer', async () => {
    const owner = visitor()
    await owner.signUp('open.checkout@example.com')
    const { body } = await owner.createCheckoutSession('open.checkout@example.com')
    const path = `/api/checkout-sessions/${String(body?.['sessionId'])}`
    expect((await owner.get(path)).body).toMatchObject({ url: body?.['url'] })
    const other = visitor()
    await other.signUp('other.reader@example.com')
    expect(await other.get(path)).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('is not in your account') },
    })
  })
})

describe('a paid checkout', () => {
  it('is found by its customer with its subscription, and not by another one', async () => {
    const owner = visitor()
    await owner.signUp('paid.checkout@example.com')
    const { body } = await owner.createCheckoutSession('paid.checkout@example.com')
    await payAt(String(body?.['url']))
    const path = `/api/checkout-sessions/${String(body?.['sessionId'])}`
    const answer = await owner.get(path)
    expect(answer.body).toEqual({
      sessionId: body?.['sessionId'],
      status: 'complete',
      isPaid: true,
      stripeSubscriptionId: expect.stringMatching(/^sub_/),
      url: null,
    })
    expect((await dana.get(path)).status).toBe(404)
  })
})

describe('the return address of a portal session', () => {
  const open = (returnUrl: string) =>
    dana.post('/api/create-customer-portal-session', { email, returnUrl, action: 'manage' })

  it('is a path, or an absolute URL of the product’s origin', async () => {
    await dana.createCheckoutSession(email)
    for (const returnUrl of ['/purchases', `${product.url}/purchases`]) {
      expect([returnUrl, (await open(returnUrl)).status]).toEqual([returnUrl, 200])
    }
  })

  it.each(['//evil.example', 'https://evil.example', 'javascript:alert(1)', '/purchases\u0001'])(
    'is refused if it is %j',
    async (returnUrl) => {
      expect(await open(returnUrl)).toMatchObject({
        status: 400,
        body: {
          field: 'returnUrl',
          error: expect.stringMatching(/^Return URL must be a path on this site, /),
        },
      })
    },
  )
})

describe('a webhook', () => {
  const send = (headers: Record<string, string>, body = '{"id":"evt_1"}') =>
    fetch(`${product.url}/api/stripe/webhook`, { method: 'POST', headers, body })

  it('is refused without a signature, with a wrong signature, and by another method', async () => {
    const statuses = [
      (await send({})).status,
      (await send({ 'stripe-signature': 't=1,v1=00' })).status,
      (
        await send({
          'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
        })
      ).status,
      (await send({ 'stripe-signature': 't=1,v1=00' }, '')).status,
      (await fetch(`${product.url}/api/stripe/webhook`)).status,
    ]
    expect(statuses).toEqual([400, 400, 400, 400, 400])
  })

  it('that is too large is refused', async () => {
    expect((await send({ 'stripe-signature': 't=1,v1=00' }, 'x'.repeat(300_000))).status).toBe(413)
  })
})

describe('the data of a customer', () => {
  const payments = `/api/payments?email=${encodeURIComponent(email)}`

  it('is refused to a caller without a session', async () => {
    for (const path of [
      payments,
      `/api/subscriptions?email=${email}`,
      `/api/subscription-changes/${danaId}`,
      '/api/admin/users',
      '/api/admin/summary',
    ]) {
      expect([path, (await visitor().get(path)).status]).toEqual([path, 401])
    }
  })

  it('is refused to another customer', async () => {
    const other = visitor()
    await other.signUp('other@example.com')
    for (const path of [
      payments,
      `/api/subscriptions?email=${email}`,
      `/api/subscription-changes/${danaId}`,
    ]) {
      expect([path, (await other.get(path)).status]).toEqual([path, 403])
    }
    expect((await other.createCheckoutSession(email)).status).toBe(403)
    expect((await other.get('/api/admin/users')).status).toBe(401)
  })

  it('can be read by the customer and by an administrator', async () => {
    const admin = visitor()
    expect(await admin.post('/api/admin/login', { password: 'wrong' })).toMatchObject({
      status: 401,
      body: { error: 'Invalid password' },
    })
    await admin.post('/api/admin/login', { password: product.adminPassword })
    for (const client of [dana, admin]) expect((await client.get(payments)).status).toBe(200)
    expect((await admin.get('/api/admin/users?sort=password')).body).toMatchObject({
      field: 'sort',
    })
    expect((await admin.get('/api/admin/users?page=9999&pageSize=100')).body).toMatchObject({
      field: 'page',
    })
    await admin.post('/api/admin/logout')
    expect((await admin.get(payments)).status).toBe(401)
  })

  it('is null in the session of a visitor, which is no error, and present in the session of the customer', async () => {
    expect(await visitor().get('/api/auth/session')).toMatchObject({
      status: 200,
      body: { userId: null, isAdmin: false },
    })
    expect((await dana.get('/api/auth/session')).body).toMatchObject({
      userId: danaId,
      email,
      businessName: profile.company_name,
      isCustomer: false,
    })
  })
})

describe('signing in', () => {
  it('does not let a visitor overwrite the profile of an address', async () => {
    const stranger = visitor()
    const answer = await stranger.post('/api/auth/complete-signup', {
      ...profile,
      company_name: 'Stranger Inc',
      email,
    })
    expect([answer.status, answer.body?.['field']]).toEqual([409, 'email'])
    expect((await dana.get('/api/auth/session')).body).toMatchObject({
      businessName: profile.company_name,
    })
  })

  it('sends no second code within a minute, and voids the code after five wrong tries', async () => {
    const rosa = visitor()
    const address = 'rosa@example.com'
    await rosa.post('/api/auth/check-user', { email: address })
    await rosa.post('/api/auth/complete-signup', { ...profile, email: address })
    const first = await rosa.post('/api/auth/request-otp', { email: address })
    const again = await rosa.post('/api/auth/request-otp', { email: address })
    expect([first.body?.['resendsLeft'], again.body?.['resendsLeft']]).toEqual([
      maxResends,
      maxResends,
    ])
    expect(await inboxOf(product, address).read()).toHaveLength(1)

    const code = await inboxOf(product, address).code()
    const wrong = code === '000000' ? '111111' : '000000'
    const userId = String(first.body?.['userId'])
    const tries = []
    for (let attempt = 0; attempt < 5; attempt += 1)
      tries.push((await rosa.post('/api/auth/verify-otp', { userId, otp: wrong })).body?.['error'])
    expect(tries).toEqual(Array(5).fill('Invalid OTP'))
    expect(await rosa.post('/api/auth/verify-otp', { userId, otp: code })).toMatchObject({
      status: 400,
      body: { error: 'This code was tried too often. Request a new code.' },
    })
    const tooSoon = await rosa.post('/api/auth/request-otp', { email: address })
    expect([tooSoon.status, tooSoon.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ])
  })

  it('as an administrator checks five of twenty passwords that are sent at the same time', async () => {
    const refused = () => product.output().split('An administrator sign-in was refused.').length
    const before = refused()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, attempt) =>
        visitor().post('/api/admin/login', { password: `guess ${attempt}` }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(15)
    await until(() => refused() - before >= 5, 'five refusals are not logged')
    expect(refused() - before).toBe(5)
    const late = await visitor().post('/api/admin/login', { password: product.adminPassword })
    expect([late.status, late.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ])
  })
})
