import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createClient, payAt } from '../support/product/client.ts'
import { stripeAt } from '../support/product/sandbox.ts'
import { billingInOneProcess } from '../support/product/billing-in-one-process.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { until } from '../support/machine/until.ts'

const runBilling = billingInOneProcess()

let product: RunningProduct
beforeAll(async () => {
  product = await startProduct()
}, 120_000)
afterAll(() => product?.stop(), 60_000)

interface UserRow {
  readonly user_id: string
  readonly email: string
  readonly full_name: string | null
}

describe('billing erase, while the product runs', () => {
  it('removes a paying customer from every screen, ends the plan, and changes no sum of money', async () => {
    const [dana, admin, email] = [createClient(product), createClient(product), 'dana@example.com']
    await admin.post('/api/admin/login', { password: product.adminPassword })
    const userId = await dana.signUp(email)
    const { body } = await dana.createCheckoutSession(email)
    await payAt(String(body?.['url']))
    const before = await until(async () => {
      const { body: summary } = await admin.get('/api/admin/summary')
      // Two read models answer: each reaches the payment in its time.
      return summary?.['totalRevenue'] === 39 && summary['payments'] === 1 && summary
    })

    const client = { name: 'Harlow Orthodontics', number: null, email: null, phone: null }
    const add = { ...client, state: null, timeZone: null, note: null }
    expect((await dana.post('/api/receivables/clients', add)).status).toBe(200)

    const billing = (...args: string[]) =>
      runBilling(
        {
          DATA_DIR: product.dataDir,
          EVENTSTORE_URL: product.eventStoreUrl,
          SANDBOX_PORT: new URL(product.sandboxUrl).port,
        },
        ...args,
      )
    const refused = await billing('erase', userId)
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /still charges this person for sub_\w+\. Nothing was erased\. .*--cancel-at-provider/,
      ) as unknown,
    })
    expect((await dana.get('/api/auth/session')).body).toMatchObject({ userId })
    const erased = await billing('erase', userId, '--cancel-at-provider')
    expect(erased).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(
          `^${userId} is erased\\.\\nIts clients are erased: 1 client\\.\\n.*Delete the customer cus_\\w+ there\\.\\n$`,
        ),
      ) as unknown,
    })
    const { data } = await stripeAt(Number(new URL(product.sandboxUrl).port)).subscriptions.list({
      status: 'all',
    })
    expect(data.map(({ status }) => status)).toEqual(['canceled'])
    const users = await until(async () => {
      const items = (await admin.get('/api/admin/users')).body?.['items'] as UserRow[]
      return items[0]?.email === '[erased]' && items
    })
    expect(users).toEqual([
      expect.objectContaining({
        user_id: userId,
        full_name: null,
        company_name: null,
        support_email: null,
      }) as unknown,
    ])
    const ended = { activePlans: 0, activeSubscriptions: 0 }
    const { trends, ...totals } = before as { trends: object[] }
    expect((await admin.get('/api/admin/summary')).body).toEqual({
      ...totals,
      ...ended,
      trends: [
        ...trends.slice(0, -1),
        { ...trends.at(-1), ...ended, at: expect.any(String) as unknown },
      ],
    })

    expect((await dana.get(`/api/payments?email=${email}`)).status).toBe(401)
    expect((await dana.get('/api/auth/session')).body).toMatchObject({ userId: null })
    expect((await dana.post('/api/auth/verify-otp', { userId, otp: '123456' })).status).toBe(400)
    const newId = await createClient(product).signUp(email)
    expect(newId).not.toBe(userId)

    const visitor = { first_name: 'Rosa', last_name: 'Delgado', email: 'rosa@example.com' }
    const enquiry = { ...visitor, phone_number: '(612) 555-0199', message: 'Do you send letters?' }
    expect((await createClient(product).post('/api/enquiries', enquiry)).status).toBe(200)
    expect((await billing('erase', '--email', ' Rosa@Example.com')).stdout).toBe(
      'Enquiries of this address that are erased: 1.\n',
    )
    await until(async () => {
      const { body: enquiries } = await admin.get('/api/admin/enquiries')
      return JSON.stringify(enquiries?.['items']).includes('"message":"[erased]"')
    })
    expect(await billing('erase', '--email', email)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`belongs to the account ${newId}: nothing was`) as unknown,
    })
    expect(await billing('erase', userId, '--email', email)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Name either a user id, .* Nothing was erased\./) as unknown,
    })

    expect((await billing('erase', userId)).stdout).toMatch(/was erased before/)
    expect(await billing('erase', 'usr_nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no account usr_nobody') as unknown,
    })
    expect((await billing('events', 'show', `account-${userId}`)).stdout).toMatch(
      /PersonalDataErased .* by system operator/,
    )
    expect(await billing('events', 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('every chain holds') as unknown,
    })
  }, 120_000)
})
