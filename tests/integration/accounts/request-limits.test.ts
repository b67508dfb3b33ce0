import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { profile } from '../../support/product/client.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'

let side: AuthSide
beforeAll(async () => {
  side = await startAuthSide()
}, 60_000)
afterAll(() => side?.close())

it.each([
  ['10 questions whether an address is new', '/api/auth/check-user', 10, {}, 200],
  ['20 sign-ups', '/api/auth/complete-signup', 20, profile, 200],
  ['30 requests for a code', '/api/auth/request-otp', 30, {}, 404],
])(
  'a network may send %s to %s, and gets 429 with Retry-After then',
  async (_what, path, limit, body, status) => {
    const network = side.client({ 'x-forwarded-for': `192.0.2.${limit}` })
    const email = `limit-${limit}@example.com`
    const answers = await Promise.all(
      Array.from({ length: limit + 3 }, () => network.post(path, { ...body, email })),
    )
    const refused = answers.filter((answer) => answer.status === 429)
    expect(refused).toHaveLength(3)
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    const other = side.client({ 'x-forwarded-for': '198.51.100.1' })
    expect((await other.post(path, { ...body, email })).status).toBe(status)
  },
  60_000,
)

it('counts a client once whose proxy adds the port of the connection', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, port) =>
      side
        .client({ 'x-forwarded-for': `192.0.2.77:${50_000 + port}` })
        .post('/api/auth/check-user', { email: 'ports@example.com' }),
    ),
  )
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
})

it.each(['unknown', 'x'.repeat(8_000), '"', '192.0.2.1, no address'])(
  'refuses a request whose proxy names no address: %p',
  async (text) => {
    const client = side.client({ 'x-forwarded-for': text })
    expect(await client.post('/api/auth/check-user', { email: 'none@example.com' })).toMatchObject({
      status: 400,
      body: {
        error:
          'The last entry of X-Forwarded-For is no network address. The proxy in front of this product must set it.',
      },
    })
  },
)
