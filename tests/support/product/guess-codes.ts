import { expect } from '@jest/globals'
import { createWorkGate } from '#services/foundation/work-gate'
import { inboxOf } from './inbox.ts'
import type { AuthSide } from './auth-side.ts'

/**
 * Strangers guess the code of a customer, each from another network and 200 at once. The customer
 * then signs in. Fails if more guesses were compared
 * than the limits allow, or if the customer cannot sign in.
 */
export async function expectGuessesGetNowhere(side: AuthSide, count: number): Promise<void> {
  const email = `owner-${count}@example.com`
  const owner = side.client({ 'x-forwarded-for': '192.0.2.1' })
  await owner.post('/api/auth/check-user', { email })
  const { body } = await owner.post('/api/auth/request-otp', { email })
  const userId = String(body?.['userId'])
  const code = await inboxOf(side.addresses, email).code()
  const hashes = side.hashes()

  const guess = (n: number, otp: string) =>
    side
      .client({
        'x-forwarded-for': `2001:db8:${(n >> 8).toString(16)}:${(n & 0xff).toString(16)}::1`,
      })
      .post('/api/auth/verify-otp', { userId, otp })
  const wrongCodes = Array.from({ length: count + 1 }, (_, n) => String(n).padStart(6, '0'))
    .filter((each) => each !== code)
    .slice(0, count)
  const gate = createWorkGate({ atOnce: 200, waiting: count })
  const statuses = await Promise.all(
    wrongCodes.map((otp, n) => gate.run(async () => (await guess(n, otp)).status)),
  )
  expect(new Set(statuses)).toEqual(new Set([400, 429]))
  expect(statuses.filter((status) => status === 400)).toHaveLength(50)
  expect(side.hashes() - hashes).toBe(5)
  expect((await guess(count, code)).status).toBe(429)

  const types = (await side.eventsOf(`signIn-${userId}`)).map(({ type }) => type)
  expect(types.filter((type) => type === 'CodeRefused')).toHaveLength(50)
  expect(await owner.post('/api/auth/verify-otp', { userId, otp: code })).toMatchObject({
    status: 200,
    body: { isVerified: true },
  })
}
