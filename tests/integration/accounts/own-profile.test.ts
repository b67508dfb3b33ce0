import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sessionsResponse } from '#contracts/account'
import { parseUserId } from '#contracts/ids'
import { schemaOf } from '#projections/engine/read-model'
import { users } from '#projections/users/read-model'
import { accountStream } from '#services/foundation/stream-names'
import { testContext } from '../../support/data/test-context.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { inboxOf } from '../../support/product/inbox.ts'
import { profile as signedUp } from '../../support/product/client.ts'
import { until } from '../../support/machine/until.ts'

const { has_accepted_terms: _terms, ...form } = signedUp
const shown = { ...form, website_url: null }

let side: AuthSide
beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

async function givenCustomer() {
  const email = `${randomUUID()}@example.com`
  const client = side.client()
  const userId = await client.signUp(email)
  return { client, email, userId }
}
type Client = Awaited<ReturnType<typeof givenCustomer>>['client']
const versionOf = async (client: Client) =>
  (await client.get('/api/profile')).body?.['profile_version']
/** A change of the profile that the page shows. */
const change = async (client: Client, body: object, headers?: Record<string, string>) =>
  client.send(
    'PATCH',
    '/api/profile',
    { ...body, profile_version: await versionOf(client) },
    headers,
  )
const typesOf = async (userId: string) =>
  (await side.eventsOf(`account-${userId}`)).map(({ type }) => type)

describe('GET /api/profile', () => {
  it('shows the account and its profile, without reading a stream', async () => {
    const { client, email } = await givenCustomer()
    side.watched.folded.length = 0
    const { status, body } = await client.get('/api/profile')
    expect([status, body]).toEqual([
      200,
      {
        email,
        secondary_email: null,
        profile: shown,
        profile_version: expect.stringMatching(/^[\da-f]{64}$/) as unknown,
        created_at: expect.stringMatching(/^20.*Z$/) as unknown,
        user_type: 3,
      },
    ])
    expect(side.watched.folded).toEqual([])
  }, 60_000)

  it('shows the same before the read model has the account', async () => {
    const { client, userId } = await givenCustomer()
    const { body: expected } = await client.get('/api/profile')
    await side.pool.query(`DELETE FROM ${schemaOf(users)}.users WHERE user_id = $1`, [userId])
    expect((await client.get('/api/profile')).body).toEqual(expected)
  }, 60_000)

  it('answers 401 after an erasure that has not ended the session yet', async () => {
    const { client, userId } = await givenCustomer()
    await side.commands.record({
      stream: accountStream(parseUserId(userId)),
      event: { type: 'PersonalDataErased', data: {}, occurredAt: new Date().toISOString() },
      context: testContext(),
    })
    await until(
      async () => (await client.get('/api/profile')).status === 401,
      'the profile of an erased account is shown',
    )
  }, 60_000)
})

describe('PATCH /api/profile', () => {
  it('changes the profile, and the next GET shows it', async () => {
    const { client, userId, email } = await givenCustomer()
    const changed = {
      ...form,
      full_name: ' Dana W. Whitlock ',
      website_url: 'https://birchwood.example',
      city: '',
      support_email: 'Desk@Birchwood.example',
    }
    const expected = {
      email,
      profile: {
        ...shown,
        full_name: 'Dana W. Whitlock',
        website_url: 'https://birchwood.example',
        city: null,
        support_email: 'desk@birchwood.example',
      },
      user_type: 3,
    }
    expect(await change(client, changed)).toMatchObject({
      status: 200,
      body: expected,
    })
    expect(await client.get('/api/profile')).toMatchObject({ status: 200, body: expected })
    expect(await typesOf(userId)).toEqual([
      'AccountOpened',
      'CompanyProfileCompleted',
      'EmailVerified',
      'ProfileUpdated',
    ])
  }, 60_000)

  it('appends nothing if nothing changed', async () => {
    const { client, userId } = await givenCustomer()
    expect(await change(client, form)).toMatchObject({
      status: 200,
      body: { profile: shown },
    })
    expect(await typesOf(userId)).not.toContain('ProfileUpdated')
  }, 60_000)

  it('of an older profile is refused and changes nothing', async () => {
    const { client, userId } = await givenCustomer()
    const profile_version = await versionOf(client)
    const tab = (changes: object) =>
      client.send('PATCH', '/api/profile', { ...form, ...changes, profile_version })
    expect((await tab({ city: 'Ely' })).status).toBe(200)
    expect(await tab({ zipcode: '55803' })).toMatchObject({
      status: 409,
      body: {
        error:
          'Your profile was changed in another window meanwhile, so nothing was saved. Compare it with your changes, then save again.',
        field: 'profile_version',
      },
    })
    expect((await client.get('/api/profile')).body).toMatchObject({
      profile: { city: 'Ely', zipcode: '55802' },
    })
    // A repeat of what is saved is no conflict: the first answer was lost.
    expect((await tab({ city: 'Ely' })).status).toBe(200)
    expect((await typesOf(userId)).filter((type) => type === 'ProfileUpdated')).toHaveLength(1)
    const { profile_version: _version, ...without } = { ...form, profile_version }
    expect(await client.send('PATCH', '/api/profile', without)).toMatchObject({
      status: 400,
      body: { field: 'profile_version' },
    })
  }, 60_000)

  it('by a second sign-up form that showed no profile is refused', async () => {
    const { client, email } = await givenCustomer()
    const signUp = { ...signedUp, email, city: 'Ely', profile_version: null }
    expect(await client.post('/api/auth/complete-signup', signUp)).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^Your profile was completed in another window/) },
    })
  }, 60_000)

  it.each([
    ['right-to-left text', 'עסק של דנה'],
    ['emoji', 'Dana 👩🏽‍⚕️ 🇺🇸'],
    ['HTML', '<img src=x onerror="alert(1)"> & <b>Dana</b>'],
    ['a spreadsheet formula', '=1+1'],
    ['the longest name', 'x'.repeat(120)],
  ])(
    'stores %s as text',
    async (_what, text) => {
      const { client } = await givenCustomer()
      const changed = {
        ...form,
        full_name: text,
        company_name: text,
        address: text,
        city: text.slice(0, 100),
      }
      expect((await change(client, changed)).status).toBe(200)
      expect((await client.get('/api/profile')).body).toMatchObject({
        profile: { full_name: text, company_name: text, address: text },
      })
    },
    30_000,
  )

  it('refuses each field that is missing, empty, too long or has control characters', async () => {
    const { client, userId } = await givenCustomer()
    const optional = new Set(['city', 'website_url'])
    const fields = [...Object.keys(form), 'website_url']
    for (const field of fields) {
      const values = ['x'.repeat(1_000), 'a\u0007b', 7, null, {}]
      if (!optional.has(field)) values.push('', '   ')
      for (const value of values) {
        const answer = await change(client, { ...form, [field]: value })
        expect([field, value, answer.status, answer.body?.['field']]).toEqual([
          field,
          value,
          400,
          field,
        ])
      }
    }
    for (const field of Object.keys(form).filter((key) => !optional.has(key))) {
      const { [field]: _left, ...rest } = form as Record<string, unknown>
      const answer = await change(client, rest)
      expect([field, answer.status, answer.body?.['field']]).toEqual([field, 400, field])
    }
    expect((await client.send('PATCH', '/api/profile', {})).body).toMatchObject({
      error: 'Full name is required.',
      field: 'full_name',
    })
    expect(await typesOf(userId)).not.toContain('ProfileUpdated')
  }, 60_000)

  it('asks a customer without a profile to finish the sign-up', async () => {
    const email = `${randomUUID()}@example.com`
    // The limits of the other tests' network are used up.
    const client = side.client({ 'x-forwarded-for': '198.51.100.7' })
    await client.post('/api/auth/check-user', { email })
    const { body } = await client.post('/api/auth/request-otp', { email })
    const otp = await inboxOf(side.addresses, email).code()
    await client.post('/api/auth/verify-otp', { userId: body?.['userId'], otp })
    expect((await client.get('/api/profile')).body).toMatchObject({ email, profile: null })
    const answer = await change(client, form)
    expect(answer).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/finish the sign-up/) as unknown },
    })
  }, 60_000)
})

describe('a session that ends during a request of it', () => {
  it.each([
    ['by signing out everywhere', async () => '/api/auth/sign-out-everywhere'],
    [
      'because another session ends it',
      async (handle: string) => `/api/auth/sessions/${handle}/end`,
    ],
  ])(
    'stays ended %s',
    async (_how, pathFor) => {
      const { client, userId } = await givenCustomer()
      const cookie = client.cookieHeader()
      const { sessions } = sessionsResponse.parse((await client.get('/api/auth/sessions')).body)
      let release = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      const begun = new Promise<void>((resolve) => {
        side.watched.beforeAppend = async () => {
          side.watched.beforeAppend = async () => undefined
          resolve()
          await held
        }
      })
      const slow = change(side.client({ cookie }), { ...form, full_name: 'Someone Else' })
      await begun
      const ended = await side.client({ cookie }).post(await pathFor(sessions[0]?.id ?? ''))
      expect(ended.status).toBe(200)
      release()
      expect((await slow).status).toBe(200)
      expect((await side.client({ cookie }).get('/api/auth/sessions')).status).toBe(401)
      const { rows } = await side.pool.query(
        `SELECT 1 FROM app.customer_session WHERE sess->>'subject' = $1`,
        [userId],
      )
      expect(rows).toEqual([])
    },
    30_000,
  )
})

describe('a change of the profile', () => {
  it('without a session gets 401 before the body is read, and from another origin 403', async () => {
    expect((await side.client().send('PATCH', '/api/profile', '{"full_name":')).status).toBe(401)
    const { client } = await givenCustomer()
    const forged = await change(client, form, { origin: 'https://elsewhere.example' })
    expect(forged.status).toBe(403)
  }, 60_000)
})
