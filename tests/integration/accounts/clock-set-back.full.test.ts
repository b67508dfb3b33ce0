import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createLimits } from '#services/http/limits'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { inboxOf } from '../../support/product/inbox.ts'

const minute = 60_000
const hour = 60 * minute
const year = 365 * 24 * hour
const begin = Date.parse('2026-03-03T09:00:00.000Z')

let side: AuthSide
let time = begin
beforeAll(async () => {
  side = await startAuthSide({ now: () => time })
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

let customers = 0
/** A customer whose code was sent at `begin`. */
async function requested() {
  time = begin
  customers += 1
  const email = `customer-${customers}@example.com`
  const client = side.client({ 'x-forwarded-for': `192.0.2.${customers}` })
  await client.post('/api/auth/check-user', { email })
  const { body } = await client.post('/api/auth/request-otp', { email })
  const userId = String(body?.['userId'])
  const inbox = inboxOf(side.addresses, email)
  return {
    client,
    userId,
    code: await inbox.code(),
    newestCode: () => inbox.code(),
    request: () => client.post('/api/auth/request-otp', { email }),
    verify: async (otp: string) => {
      const { status, body: answer } = await client.post('/api/auth/verify-otp', { userId, otp })
      return [status, answer?.['error'] ?? null]
    },
  }
}
const expired = [400, 'This code has expired. Request a new code.']

describe('a clock that is set back', () => {
  it('by an hour expires the code, permanently, and lets the customer request another at once', async () => {
    const { code, newestCode, request, verify } = await requested()
    time = begin - hour
    expect(await verify(code)).toEqual(expired)
    time = begin + minute
    expect(await verify(code)).toEqual(expired)
    time = begin - hour
    expect(await request()).toMatchObject({
      status: 200,
      body: { resendsLeft: 3, resendAfterSeconds: 60 },
    })
    const other = await newestCode()
    expect(other).not.toBe(code)
    expect(await verify(other)).toEqual([200, null])
  }, 30_000)

  it('does not bring an expired code back', async () => {
    const { code, verify } = await requested()
    time = begin + 11 * minute
    expect(await verify(code)).toEqual(expired)
    time = begin + 5 * minute
    expect(await verify(code)).toEqual(expired)
  }, 30_000)

  it('does not bring a used code back', async () => {
    const { code, verify } = await requested()
    expect(await verify(code)).toEqual([200, null])
    for (const jump of [-hour, -minute / 2, 0, 5 * minute]) {
      time = begin + jump
      expect(await verify(code)).toEqual([400, 'Invalid OTP'])
    }
  }, 30_000)

  it('by half a minute, as clocks of two servers differ, changes nothing', async () => {
    const { code, verify } = await requested()
    time = begin - minute / 2
    expect(await verify(code)).toEqual([200, null])
  }, 30_000)
})

describe('a count of a limit whose clock was a year ahead', () => {
  const spend = async () =>
    createLimits(side.pool)
      .requestCode.spend('192.0.2.200')
      .then(
        () => 'counted',
        () => 'refused',
      )

  it('starts a new window at the next refusal, once', async () => {
    const before = await Promise.all(Array.from({ length: 31 }, spend))
    expect(before.filter((each) => each === 'refused')).toHaveLength(1)
    await side.pool.query(
      `UPDATE app.rate_limit SET expire = expire + $1 WHERE key LIKE '%192.0.2.200'`,
      [year],
    )
    const after = await Promise.all(Array.from({ length: 60 }, spend))
    expect(after.filter((each) => each === 'counted')).toHaveLength(30)
    expect(await spend()).toBe('refused')
  })
})
