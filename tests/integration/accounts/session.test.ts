import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parseUserId } from '#contracts/ids'
import { accountStream, billingStream } from '#services/foundation/stream-names'
import { testContext } from '../../support/data/test-context.ts'
import { paymentSucceeded } from '../../support/data/events.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { inboxOf } from '../../support/product/inbox.ts'
import { until } from '../../support/machine/until.ts'

let side: AuthSide
beforeAll(async () => {
  side = await startAuthSide()
}, 60_000)
afterAll(() => side?.close())

const context = testContext()

describe('while the read model does not exist yet', () => {
  it('a visitor has a session, and a sign-in answers 503 without using up the code', async () => {
    const client = side.client()
    expect(await client.get('/api/auth/session')).toMatchObject({
      status: 200,
      body: { userId: null, isVerified: false },
    })
    await expect(client.signUp('early@example.com')).rejects.toThrow('is still being built')
    const userId = await side.accounts.ownerOf('early@example.com')
    const otp = await inboxOf(side.addresses, 'early@example.com').code()
    const answer = await client.post('/api/auth/verify-otp', { userId, otp })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('2')
    await side.startProjectors()
    expect(await client.post('/api/auth/verify-otp', { userId, otp })).toMatchObject({
      status: 200,
      body: { isVerified: true, isCustomer: false },
    })
  }, 30_000)
})

describe('the session call', () => {
  it('is right immediately after the sign-in, without reading a stream', async () => {
    const client = side.client()
    const userId = await client.signUp('dana@example.com')
    side.watched.folded.length = 0
    expect((await client.get('/api/auth/session')).body).toMatchObject({
      userId,
      email: 'dana@example.com',
      isVerified: true,
      isCustomer: false,
      isAdmin: false,
      administrator: null,
      businessName: 'Birchwood Dental Group',
    })
    expect(side.watched.folded).toEqual([])
  }, 30_000)

  it('shows a customer after the first payment', async () => {
    const client = side.client()
    const userId = parseUserId(await client.signUp('payer@example.com'))
    const event = paymentSucceeded(userId)
    const occurredAt = new Date().toISOString()
    await side.commands.record({
      stream: billingStream(userId),
      event: { ...event, occurredAt },
      context,
    })
    await until(
      async () => (await client.get('/api/auth/session')).body?.['isCustomer'] === true,
      'the payment is not shown',
    )

    // A sign-in reads the same row, and no billing stream.
    const again = side.client()
    side.watched.folded.length = 0
    await again.post('/api/auth/request-otp', { email: 'payer@example.com' })
    const otp = await inboxOf(side.addresses, 'payer@example.com').code()
    expect((await again.post('/api/auth/verify-otp', { userId, otp })).body).toEqual({
      isVerified: true,
      isCustomer: true,
      needsProfileUpdate: false,
    })
    expect(side.watched.folded).not.toContain(billingStream(userId))
  }, 30_000)

  it('shows a visitor if the account was erased and the session has not ended yet', async () => {
    const client = side.client()
    const userId = parseUserId(await client.signUp('gone@example.com'))
    await side.commands.record({
      stream: accountStream(userId),
      event: { type: 'PersonalDataErased', data: {}, occurredAt: new Date().toISOString() },
      context,
    })
    await until(
      async () => (await client.get('/api/auth/session')).body?.['userId'] === null,
      'the erasure is not shown',
    )
  }, 30_000)
})

describe('a logout', () => {
  it('ends the session also while the event store is unavailable', async () => {
    const client = side.client()
    await client.signUp('leaves@example.com')
    const cookie = client.cookieHeader()
    side.watched.isAway = true
    try {
      expect((await client.post('/api/auth/logout')).status).toBe(200)
    } finally {
      side.watched.isAway = false
    }
    const { body } = await side.client({ cookie }).get('/api/auth/session')
    expect(body).toMatchObject({ userId: null, isVerified: false })
  }, 30_000)

  it('is recorded', async () => {
    const client = side.client()
    const userId = await client.signUp('leaves-again@example.com')
    await client.post('/api/auth/logout')
    expect((await side.eventsOf(`signIn-${userId}`)).map(({ type }) => type)).toEqual([
      'CodeRequested',
      'SignedIn',
      'SignedOut',
    ])
  }, 30_000)
})
