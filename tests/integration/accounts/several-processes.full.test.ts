import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { profile } from '../../support/product/client.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { inboxOf } from '../../support/product/inbox.ts'

type Client = ReturnType<AuthSide['client']>

let side: AuthSide
/** A client of the n-th request: requests alternate between the processes. */
let clientOf: (n: number, always: Record<string, string>) => Client
let time = Date.now()
beforeAll(async () => {
  side = await startAuthSide({ now: () => time })
  await side.startProjectors()
  const second = await side.startSecond()
  clientOf = (n, always) => (n % 2 === 0 ? side.client : second)(always)
}, 60_000)
afterAll(() => side?.close())

async function requested(email: string, network: string) {
  const client = side.client({ 'x-forwarded-for': network })
  await client.post('/api/auth/check-user', { email })
  const { body } = await client.post('/api/auth/request-otp', { email })
  return {
    userId: String(body?.['userId']),
    code: await inboxOf(side.addresses, email).code(),
    at: (n: number) => clientOf(n, { cookie: client.cookieHeader(), 'x-forwarded-for': network }),
  }
}
const otherThan = (code: string) => (code === '000000' ? '111111' : '000000')
const count = <Value>(values: readonly Value[], value: Value) =>
  values.filter((each) => each === value).length

describe('two API processes', () => {
  it('accept a code once of 20 right tries at the same time', async () => {
    const { userId, code, at } = await requested('once@example.com', '192.0.2.1')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        at(n).post('/api/auth/verify-otp', { userId, otp: code }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(count(statuses, 200)).toBe(1)
    expect(new Set(statuses)).toEqual(new Set([200, 400, 429]))
    expect((await side.eventsOf(`signIn-${userId}`)).map(({ type }) => type)).toContain('SignedIn')
  }, 30_000)

  it('compare five tries of a code together', async () => {
    const { userId, code, at } = await requested('five@example.com', '192.0.2.2')
    const before = side.hashes()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        at(n).post('/api/auth/verify-otp', { userId, otp: otherThan(code) }),
      ),
    )
    expect(side.hashes() - before).toBe(5)
    expect(
      count(
        answers.map(({ body }) => body?.['error']),
        'Invalid OTP',
      ),
    ).toBe(5)
    for (const n of [0, 1])
      expect((await at(n).post('/api/auth/verify-otp', { userId, otp: code })).status).toBe(429)
  }, 30_000)

  it('count the tries of one network together', async () => {
    const { userId } = await requested('throttled@example.com', '192.0.2.3')
    const statuses = []
    for (let n = 0; n < 12; n += 1)
      statuses.push(
        (
          await clientOf(n, { 'x-forwarded-for': '198.51.100.3' }).post('/api/auth/verify-otp', {
            userId,
            otp: 'wrong',
          })
        ).status,
      )
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429])
  }, 30_000)

  it('send one mail within a minute, and allow three resends together', async () => {
    const email = 'resends@example.com'
    const { at } = await requested(email, '192.0.2.4')
    const mails = async () => (await inboxOf(side.addresses, email).read()).length
    const request = async (n: number) => {
      const { status, body } = await at(n).post('/api/auth/request-otp', { email })
      return [status, body?.['resendsLeft'] ?? body?.['error']]
    }
    expect(await Promise.all([0, 1, 2, 3].map(request))).toEqual(Array(4).fill([200, 3]))
    expect(await mails()).toBe(1)
    for (const left of [2, 1, 0]) {
      time += 61_000
      expect(await Promise.all([0, 1].map(request))).toEqual(Array(2).fill([200, left]))
    }
    expect(await mails()).toBe(4)
    time += 61_000
    for (const n of [0, 1])
      expect(await request(n)).toEqual([
        429,
        'Maximum resend attempts reached. Please try again later.',
      ])
    expect(await mails()).toBe(4)
  }, 30_000)

  it('expire a code that the other process sent', async () => {
    const { userId, code, at } = await requested('expired@example.com', '192.0.2.5')
    time += 10 * 60_000
    expect(await at(1).post('/api/auth/verify-otp', { userId, otp: code })).toMatchObject({
      status: 400,
      body: { error: 'This code has expired. Request a new code.' },
    })
  }, 30_000)

  it('share the session: a logout at one ends it at the other', async () => {
    const { userId, code, at } = await requested('session@example.com', '192.0.2.6')
    const client = at(0)
    const answer = await client.post('/api/auth/verify-otp', { userId, otp: code })
    const [cookie = ''] = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
    const signedIn = (n: number) => clientOf(n, { cookie, 'x-forwarded-for': '192.0.2.6' })
    const signedInAt = async (n: number) =>
      (
        await signedIn(n).post('/api/auth/complete-signup', {
          ...profile,
          email: 'session@example.com',
        })
      ).body?.['isVerified']
    expect(await signedInAt(1)).toBe(true)
    await signedIn(0).post('/api/auth/logout')
    expect((await signedIn(1).get('/api/auth/session')).body).toMatchObject({ userId: null })
  }, 30_000)
})
