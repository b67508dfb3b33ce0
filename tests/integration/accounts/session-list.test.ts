import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sessionsResponse } from '#contracts/account'
import type { createClient } from '../../support/product/client.ts'
import { inboxOf } from '../../support/product/inbox.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

type Client = ReturnType<typeof createClient>

let side: AuthSide
let second: (always?: Record<string, string>) => Client
beforeAll(async () => {
  side = await startAuthSide()
  second = await side.startSecond()
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

/** A customer with one session, in the browser with this User-Agent. */
async function givenCustomer(userAgent = firefox) {
  const email = `${randomUUID()}@example.com`
  const client = side.client({ 'user-agent': userAgent })
  const userId = await client.signUp(email)
  return { email, client, userId }
}

/** Signs in with the codes of one request: a customer may request one code per minute. */
async function signInAgain(email: string, userId: string, userAgent: string) {
  await side.pool.query('DELETE FROM app.sign_in_code WHERE user_id = $1', [userId])
  const client = side.client({ 'user-agent': userAgent })
  await client.post('/api/auth/request-otp', { email })
  const otp = await inboxOf(side.addresses, email).code()
  const { body } = await client.post('/api/auth/verify-otp', { userId, otp })
  expect(body).toMatchObject({ isVerified: true })
  return client
}

const sessionsOf = async (client: Client) =>
  sessionsResponse.parse((await client.get('/api/auth/sessions')).body).sessions
const isSignedIn = async (client: Client) => (await client.get('/api/auth/sessions')).status === 200
const signedOutOf = async (userId: string) =>
  (await side.eventsOf(`signIn-${userId}`)).flatMap(({ type, data }) =>
    type === 'SignedOut' ? [data] : [],
  )

describe('the list of sessions', () => {
  it('shows the sessions of the customer, the newest first, and no other session', async () => {
    const { client, email, userId } = await givenCustomer()
    await givenCustomer()
    const phone = await signInAgain(email, userId, safari)
    const listed = await sessionsOf(phone)
    expect(listed).toMatchObject([
      { isCurrent: true, browser: 'Safari on iOS' },
      { isCurrent: false, browser: 'Firefox on Windows' },
    ])
    expect((await sessionsOf(client)).map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
      [listed[0]?.id, false],
      [listed[1]?.id, true],
    ])
    for (const { signedInAt, lastSeenAt } of listed) {
      expect(Date.now() - Date.parse(signedInAt)).toBeLessThan(60_000)
      expect(Date.parse(lastSeenAt)).toBeLessThanOrEqual(Date.now())
    }
  }, 60_000)

  it('shows when the session made its last request', async () => {
    const { client, userId } = await givenCustomer()
    const hourAgo = Date.now() - 3_600_000
    await side.pool.query(
      `UPDATE app.customer_session SET expire = expire - interval '1 hour' WHERE sess->>'subject' = $1`,
      [userId],
    )
    const [before] = await sessionsOf(client)
    expect(Math.abs(Date.parse(before?.lastSeenAt ?? '') - hourAgo)).toBeLessThan(5_000)
    const [after] = await sessionsOf(client)
    expect(Date.now() - Date.parse(after?.lastSeenAt ?? '')).toBeLessThan(5_000)
  }, 60_000)

  it('shows no session that expired or is older than 30 days', async () => {
    const { client, email, userId } = await givenCustomer()
    await signInAgain(email, userId, safari)
    await signInAgain(email, userId, safari)
    const [old, expired] = await sessionsOf(client)
    await side.pool.query(
      `UPDATE app.customer_session SET expire = now() - interval '1 second' WHERE sess->>'handle' = $1`,
      [expired?.id],
    )
    expect(await sessionsOf(client)).toHaveLength(2)
    await side.pool.query(
      `UPDATE app.customer_session SET sess = jsonb_set(sess::jsonb, '{signedInAt}', to_jsonb($2::bigint))::json
       WHERE sess->>'handle' = $1`,
      [old?.id, Date.now() - 30 * 24 * 3_600_000 - 1_000],
    )
    expect(await sessionsOf(client)).toHaveLength(1)
  }, 60_000)

  it.each([
    ['no name for an unknown browser', 'curl/8.5.0', null],
    ['no name for a text of the client', '<b>Evil</b>/1.0 (<script>) x', null],
    ['no name for a long text', `${firefox}${' x'.repeat(600)}`, null],
    ['the name of a known browser', firefox, 'Firefox on Windows'],
  ])(
    'stores %s',
    async (_what, userAgent, browser) => {
      const { client, userId } = await givenCustomer(userAgent)
      expect(await sessionsOf(client)).toMatchObject([{ browser }])
      const { rows } = await side.pool.query<{ sess: string }>(
        `SELECT sess::text AS sess FROM app.customer_session WHERE sess->>'subject' = $1`,
        [userId],
      )
      expect(rows[0]?.sess).not.toMatch(/Mozilla|Evil|curl|127\.0/)
    },
    30_000,
  )
})

describe('ending another session', () => {
  it('ends only this session, in every process, and is recorded', async () => {
    const { client, email, userId } = await givenCustomer()
    const phone = await signInAgain(email, userId, safari)
    const phoneElsewhere = second({ cookie: phone.cookieHeader() })
    expect(await isSignedIn(phoneElsewhere)).toBe(true)
    const [{ id } = { id: '' }] = await sessionsOf(client)
    expect(await client.post(`/api/auth/sessions/${id}/end`)).toMatchObject({
      status: 200,
      body: {},
    })
    expect(await isSignedIn(phoneElsewhere)).toBe(false)
    expect(await isSignedIn(phone)).toBe(false)
    expect(await isSignedIn(client)).toBe(true)
    expect((await client.post(`/api/auth/sessions/${id}/end`)).body).toEqual({})
    expect(await signedOutOf(userId)).toEqual([{ otherSession: true }])
  }, 60_000)

  it('never ends the session of another customer', async () => {
    const [dana, rosa] = [await givenCustomer(), await givenCustomer()]
    const [{ id } = { id: '' }] = await sessionsOf(rosa.client)
    expect((await dana.client.post(`/api/auth/sessions/${id}/end`)).body).toEqual({})
    expect(await isSignedIn(rosa.client)).toBe(true)
    expect(await signedOutOf(dana.userId)).toEqual([])
  }, 60_000)

  it('that is the session of the request is a logout', async () => {
    const { client, userId } = await givenCustomer()
    const [{ id } = { id: '' }] = await sessionsOf(client)
    expect((await client.post(`/api/auth/sessions/${id}/end`)).status).toBe(200)
    expect(await isSignedIn(client)).toBe(false)
    expect(await signedOutOf(userId)).toEqual([{}])
  }, 60_000)

  it('needs the handle of a session', async () => {
    const { client } = await givenCustomer()
    expect(await client.post('/api/auth/sessions/current/end')).toMatchObject({
      status: 400,
      body: { field: 'id' },
    })
  }, 60_000)
})

describe('signing out everywhere', () => {
  it('ends all sessions of the customer, clears the cookie, and is recorded', async () => {
    const { client, email, userId } = await givenCustomer()
    const other = await givenCustomer()
    const phone = await signInAgain(email, userId, safari)
    const [cookie, copies] = [
      client.cookieHeader(),
      [client, phone].map((each) => second({ cookie: each.cookieHeader() })),
    ]
    const answer = await client.post('/api/auth/sign-out-everywhere')
    expect(answer).toMatchObject({ status: 200, body: {} })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^ar-customer-\d+=; Path=\/; Expires=Thu, 01 Jan 1970/),
    ])
    for (const each of [phone, ...copies, side.client({ cookie })])
      expect(await isSignedIn(each)).toBe(false)
    expect(await isSignedIn(other.client)).toBe(true)
    expect(await signedOutOf(userId)).toEqual([{ everywhere: true }])
    const { rows } = await side.pool.query(
      `SELECT 1 FROM app.customer_session WHERE sess->>'subject' = $1`,
      [userId],
    )
    expect(rows).toEqual([])
  }, 60_000)

  it('ends the sessions also while the event store is unavailable', async () => {
    const { client, email, userId } = await givenCustomer()
    const phone = await signInAgain(email, userId, safari)
    side.watched.isAway = true
    try {
      expect((await client.post('/api/auth/sign-out-everywhere')).status).toBe(200)
    } finally {
      side.watched.isAway = false
    }
    expect(await isSignedIn(phone)).toBe(false)
  }, 60_000)
})

describe.each([
  ['GET', '/api/auth/sessions'],
  ['POST', '/api/auth/sign-out-everywhere'],
  ['POST', `/api/auth/sessions/${randomUUID()}/end`],
])('%s %s', (method, path) => {
  it('without a session gets 401', async () => {
    expect((await side.client().send(method, path)).status).toBe(401)
  })

  if (method === 'POST')
    it('from another origin gets 403', async () => {
      const { client } = await givenCustomer()
      const answer = await client.post(path, {}, { origin: 'https://elsewhere.example' })
      expect(answer.status).toBe(403)
      expect(await isSignedIn(client)).toBe(true)
    }, 60_000)
})
