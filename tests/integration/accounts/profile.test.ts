import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parseUserId } from '#contracts/ids'
import { schemaOf } from '#projections/engine/read-model'
import { users } from '#projections/users/read-model'
import { profile } from '../../support/product/client.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { inboxOf } from '../../support/product/inbox.ts'

let side: AuthSide
beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

const typesOf = async (userId: string) =>
  (await side.eventsOf(`account-${userId}`)).map(({ type }) => type)
const companyOf = async (userId: string) =>
  (await side.accounts.find(parseUserId(userId)))?.profile?.companyName

describe('the profile of a sign-up', () => {
  it('that two tabs save at the same time is one account with the profile saved last', async () => {
    const email = 'two-tabs@example.com'
    // Two tabs of one browser have the same cookies.
    const browser = side.client()
    const tabs = [browser, browser] as const
    await Promise.all(tabs.map((tab) => tab.post('/api/auth/check-user', { email })))
    const save = (tab: (typeof tabs)[number], company_name: string) =>
      tab.post('/api/auth/complete-signup', { ...profile, email, company_name })
    const saved = await Promise.all([save(tabs[0], 'Cedar'), save(tabs[1], 'Elm')])
    expect(saved.map(({ status }) => status)).toEqual([200, 200])
    const [userId = '', ...others] = new Set(saved.map(({ body }) => String(body?.['userId'])))
    expect(others).toEqual([])
    expect(['Cedar', 'Elm']).toContain(await companyOf(userId))

    expect((await save(tabs[0], 'Birchwood')).status).toBe(200)
    await tabs[0].post('/api/auth/request-otp', { email })
    const otp = await inboxOf(side.addresses, email).code()
    expect((await tabs[1].post('/api/auth/verify-otp', { userId, otp })).status).toBe(200)

    expect(await companyOf(userId)).toBe('Birchwood')
    expect((await typesOf(userId)).filter((type) => type === 'AccountOpened')).toHaveLength(1)
    expect((await tabs[1].get('/api/auth/session')).body).toMatchObject({
      userId,
      businessName: 'Birchwood',
    })
    const { rows } = await side.pool.query<{ user_type: number }>(
      `SELECT user_type FROM ${schemaOf(users)}.users WHERE email = $1`,
      [email],
    )
    expect(rows).toEqual([{ user_type: 3 }])
  }, 30_000)

  it('is changed only by the session of the account after the code', async () => {
    const email = 'verified@example.com'
    const owner = side.client()
    const userId = await owner.signUp(email)
    const change = { ...profile, email, company_name: 'Changed' }
    expect(await side.client().post('/api/auth/complete-signup', change)).toMatchObject({
      status: 409,
      body: {
        error: 'This e-mail already has an account. Log in with a code to change its profile.',
      },
    })
    expect(await companyOf(userId)).toBe('Birchwood Dental Group')
    expect((await owner.post('/api/auth/complete-signup', change)).body).toEqual({
      userId,
      isVerified: true,
    })
    expect(await companyOf(userId)).toBe('Changed')
    expect((await typesOf(userId)).at(-1)).toBe('ProfileUpdated')
  }, 30_000)

  it('of another browser is discarded when the owner enters the code, and the owner completes it', async () => {
    const email = 'owner@example.com'
    const [owner, stranger] = [side.client(), side.client()]
    const save = (client: typeof owner, company_name: string) =>
      client.post('/api/auth/complete-signup', { ...profile, email, company_name })
    await owner.post('/api/auth/check-user', { email })
    const userId = String((await save(owner, 'Owner')).body?.['userId'])
    await owner.post('/api/auth/request-otp', { email })
    const otp = await inboxOf(side.addresses, email).code()
    expect((await save(stranger, 'Stranger')).status).toBe(200)

    const signedIn = await owner.post('/api/auth/verify-otp', { userId, otp })
    expect(signedIn.body).toMatchObject({ isVerified: true, needsProfileUpdate: true })
    expect(await companyOf(userId)).toBeUndefined()
    expect((await owner.get('/api/auth/session')).body).toMatchObject({ businessName: null })
    expect((await save(stranger, 'Stranger')).status).toBe(409)
    const asked = await side.client().post('/api/auth/check-user', { email })
    expect(asked.body).toEqual({ isNewUser: false })

    expect((await save(owner, 'Owner')).body).toEqual({ userId, isVerified: true })
    expect((await typesOf(userId)).slice(-3)).toEqual([
      'ProfileDiscarded',
      'EmailVerified',
      'CompanyProfileCompleted',
    ])
    expect((await owner.get('/api/auth/session')).body).toMatchObject({ businessName: 'Owner' })
  }, 30_000)
})
