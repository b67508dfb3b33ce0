import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { addressHmac } from '#services/accounts/address-hmac'
import { EventStoreUnavailable } from '#services/event-store/errors'
import { submitEnquiry } from '../../support/data/submit-enquiry.ts'
import { appendNewer } from '../../support/event-store/append-newer.ts'
import { startAccountSide, type AccountSide } from '../../support/product/account-side.ts'
import { payAt } from '../../support/product/client.ts'

// The projectors wait at the event of a newer release, so each test has a separate log.
let side: AccountSide
beforeEach(async () => {
  side = await startAccountSide()
}, 60_000)
afterEach(() => side?.closeAll())

async function givenCustomer() {
  const email = `${randomUUID()}@example.com`
  const client = side.client()
  const userId = await client.signUp(email)
  return { client, email, userId, delete: () => client.post('/api/profile/delete', { email }) }
}

const isDeleted = async (userId: string) =>
  (await side.store.readStream(`account-${userId}`)).some(
    ({ type }) => type === 'PersonalDataErased',
  )
const isIncomplete = {
  status: 503,
  body: {
    error: expect.stringMatching(/^The deletion of your account was interrupted/) as unknown,
  },
}

describe('deleting the own account with data of a newer release', () => {
  it('changes nothing and reports it, and the customer stays signed in', async () => {
    const { client, delete: erase, email, userId } = await givenCustomer()
    await appendNewer(side.store, await submitEnquiry(side.deleting, email))
    const answer = await erase()
    expect(answer).toMatchObject({
      status: 503,
      body: {
        error:
          'Your account was not deleted: a newer version of the service is being installed, and your data needs it. Please try again in a moment.',
      },
    })
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await isDeleted(userId)).toBe(false)
    expect((await client.get('/api/profile')).status).toBe(200)
  }, 60_000)

  it('keeps the plan', async () => {
    const { client, delete: erase, email } = await givenCustomer()
    const { body } = await client.createCheckoutSession(email)
    expect((await payAt(String(body?.['url']))).status).toBe(303)
    await client.post('/api/billing/sync')
    await appendNewer(side.store, `email-${addressHmac(email, Buffer.alloc(32, 3))}`)
    expect((await erase()).status).toBe(503)
    const { data } = await side.sandbox.stripe.subscriptions.list({ status: 'all' })
    expect(data.map(({ status }) => status)).toEqual(['active'])
  }, 60_000)

  it('is reported as incomplete if the event arrives after the first step', async () => {
    const { delete: erase, email, userId } = await givenCustomer()
    const enquiry = await submitEnquiry(side.deleting, email)
    side.hooks.beforeErasure = () => appendNewer(side.store, enquiry)
    expect(await erase()).toMatchObject(isIncomplete)
    expect(await isDeleted(userId)).toBe(true)
  }, 60_000)

  it('is reported as incomplete if the log fails after the first step', async () => {
    const { delete: erase, userId } = await givenCustomer()
    side.hooks.beforeKey = () => Promise.reject(new EventStoreUnavailable(new Error('test')))
    expect(await erase()).toMatchObject(isIncomplete)
    expect(await isDeleted(userId)).toBe(true)
  }, 60_000)
})
