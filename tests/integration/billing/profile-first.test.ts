import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parseUserId } from '#contracts/ids'
import { accountStream } from '#services/foundation/stream-names'
import { planDetails, profile } from '../../support/product/client.ts'
import { inboxOf } from '../../support/product/inbox.ts'
import { startAccountSide, type AccountSide } from '../../support/product/account-side.ts'

let side: AccountSide
beforeAll(async () => {
  side = await startAccountSide()
}, 60_000)
afterAll(() => side?.closeAll())

/** Signs in a new customer, who closes the form of the profile. */
async function withoutProfile(email: string) {
  const client = side.client()
  await client.post('/api/auth/check-user', { email })
  const { body } = await client.post('/api/auth/request-otp', { email })
  const otp = await inboxOf({ sandboxUrl: side.sandbox.url }, email).code()
  const verified = await client.post('/api/auth/verify-otp', { userId: body?.['userId'], otp })
  expect(verified.body).toMatchObject({ isVerified: true, needsProfileUpdate: true })
  return { client, userId: parseUserId(String(body?.['userId'])) }
}

const refusal = {
  status: 409,
  body: { error: 'Please complete your profile.', field: 'profile', reason: 'is not complete' },
}

describe('a customer without a profile', () => {
  it('opens no checkout, until the profile with the terms is saved', async () => {
    const email = 'no-profile@example.com'
    const { client, userId } = await withoutProfile(email)
    side.calls.length = 0
    expect(await client.createCheckoutSession(email)).toMatchObject(refusal)
    expect(side.calls).toEqual([])
    expect(await side.eventsOf(userId)).toEqual([])
    const unknown = { email, priceId: 'price_of_nothing', planDetails }
    expect((await client.post('/api/create-checkout-session', unknown)).status).toBe(400)

    const form = { ...profile, email, profile_version: null }
    expect((await client.post('/api/auth/complete-signup', form)).body).toMatchObject({
      isVerified: true,
    })
    expect((await client.createCheckoutSession(email)).status).toBe(200)
    const events = await side.codec.decodeStream(await side.store.readStream(accountStream(userId)))
    const accepted = events.find(({ type }) => type === 'CompanyProfileCompleted')
    expect(accepted).toMatchObject({
      data: { termsVersion: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown },
      metadata: { actor: { kind: 'customer', id: userId } },
    })
  }, 60_000)

  it('changes no plan in the portal, and can open the portal to cancel and to pay', async () => {
    const email = 'no-change@example.com'
    const { client } = await withoutProfile(email)
    const portal = (action: string) =>
      client.post('/api/create-customer-portal-session', { email, returnUrl: '/purchases', action })
    expect(await portal('update')).toMatchObject(refusal)
    for (const action of ['manage', 'cancel', 'payment_method'])
      expect(await portal(action)).toMatchObject({
        status: 409,
        body: {
          error: expect.stringMatching(/^You have no subscription to manage yet/) as unknown,
        },
      })
  }, 60_000)

  it('of another browser, whose stored profile was discarded, has to accept the terms', async () => {
    const email = 'discarded@example.com'
    const stranger = side.client()
    await stranger.post('/api/auth/check-user', { email })
    expect((await stranger.post('/api/auth/complete-signup', { ...profile, email })).status).toBe(
      200,
    )
    const { client } = await withoutProfile(email)
    expect(await client.createCheckoutSession(email)).toMatchObject(refusal)
  }, 60_000)
})
