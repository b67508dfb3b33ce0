import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { inboxOf } from '../../support/product/inbox.ts'

let side: AuthSide
beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

async function requested(email: string, network: string) {
  const client = side.client({ 'x-forwarded-for': network })
  await client.post('/api/auth/check-user', { email })
  const { body } = await client.post('/api/auth/request-otp', { email })
  return {
    client,
    userId: String(body?.['userId']),
    code: await inboxOf(side.addresses, email).code(),
  }
}
const otherThan = (code: string) => (code === '000000' ? '111111' : '000000')

describe('guesses of a sign-in code', () => {
  it('of the owner’s own browser end after five tries', async () => {
    const { client, userId, code } = await requested('clumsy@example.com', '192.0.2.10')
    const tries = await Promise.all(
      Array.from({ length: 10 }, () =>
        client.post('/api/auth/verify-otp', { userId, otp: otherThan(code) }),
      ),
    )
    const withError = (text: string) => tries.filter(({ body }) => body?.['error'] === text)
    expect(withError('Invalid OTP')).toHaveLength(5)
    expect(withError('This code was tried too often. Request a new code.')).toHaveLength(5)
    const late = await client.post('/api/auth/verify-otp', { userId, otp: code })
    expect(late.status).toBe(429)
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(3_500)
  }, 30_000)

  it('from other addresses of the same /64 count as one network', async () => {
    const { userId, code } = await requested('prefix@example.com', '192.0.2.20')
    const statuses: number[] = []
    for (let n = 1; n <= 12; n += 1)
      statuses.push(
        (
          await side
            .client({ 'x-forwarded-for': `2001:db8:ffff:1::${n}` })
            .post('/api/auth/verify-otp', { userId, otp: otherThan(code) })
        ).status,
      )
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429])
  }, 30_000)

  it('that are right are not counted', async () => {
    const { client, userId, code } = await requested('right@example.com', '192.0.2.30')
    expect((await client.post('/api/auth/verify-otp', { userId, otp: code })).status).toBe(200)
    const { rows } = await side.pool.query<{ points: number }>(
      `SELECT points FROM app.rate_limit WHERE key LIKE 'try-code%' AND (key LIKE '%' || $1 || '%' OR key LIKE '%192.0.2.30%')`,
      [userId],
    )
    expect(rows.filter(({ points }) => points > 0)).toEqual([])
  }, 30_000)

  it('of one browser with the right code at once sign in once', async () => {
    const { client, userId, code } = await requested('twice@example.com', '192.0.2.40')
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => client.post('/api/auth/verify-otp', { userId, otp: code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  }, 30_000)
})
