import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { inboxOf } from '../../support/product/inbox.ts'

let side: AuthSide
beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

const typesOf = async (stream: string) => (await side.eventsOf(stream)).map(({ type }) => type)

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'one key of a careless client'.replaceAll(' ', '-') }

  it('on sign-in calls is ignored: each refused code and the sign-in are recorded', async () => {
    const client = side.client()
    const email = 'one-key@example.com'
    await client.post('/api/auth/check-user', { email }, key)
    const { body } = await client.post('/api/auth/request-otp', { email }, key)
    const userId = String(body?.['userId'])
    const code = await inboxOf(side.addresses, email).code()
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const wrong = code === '000000' ? '111111' : '000000'
      expect((await client.post('/api/auth/verify-otp', { userId, otp: wrong }, key)).status).toBe(
        400,
      )
    }
    expect((await client.post('/api/auth/verify-otp', { userId, otp: code }, key)).status).toBe(200)
    expect(await typesOf(`account-${userId}`)).toEqual(['AccountOpened', 'EmailVerified'])
    expect(await typesOf(`signIn-${userId}`)).toEqual([
      'CodeRequested',
      'CodeRefused',
      'CodeRefused',
      'CodeRefused',
      'SignedIn',
    ])
  })

  it('is in no event', async () => {
    const { rows } = await side.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM log.event WHERE metadata::text LIKE '%careless%'`,
    )
    expect(rows[0]?.count).toBe(0)
  })
})

describe('an address', () => {
  const accountOf = async (email: string, n: number) => {
    const client = side.client({ 'x-forwarded-for': `192.0.2.${n}` })
    const { status } = await client.post('/api/auth/check-user', { email })
    if (status !== 200) return status
    return (await client.post('/api/auth/request-otp', { email })).body?.['userId']
  }

  it('in capitals and between spaces is the same account', async () => {
    const account = await accountOf('kim@example.com', 1)
    expect(account).toMatch(/^usr_/)
    expect(await accountOf(' KIM@Example.com ', 1)).toBe(account)
    // Each browser gets a code, at the same address.
    expect(await inboxOf(side.addresses, 'kim@example.com').read()).toHaveLength(2)
  }, 30_000)

  it('in another script is the same account as in its ASCII form, which gets the mail', async () => {
    const account = await accountOf('dana@b\u00fccher.example', 3)
    expect(account).toMatch(/^usr_/)
    expect(await accountOf('Dana@xn--bcher-kva.example', 3)).toBe(account)
    const [mail] = await inboxOf(side.addresses, 'dana@b\u00fccher.example').read()
    expect(mail?.to).toBe('dana@xn--bcher-kva.example')
  }, 30_000)

  it.each(['r&d@signs.example', "!#$%&'*+-/=?^_`{|}~@signs.example"])(
    'with signs, %s, gets its code and signs in',
    async (email) => {
      const client = side.client({ 'x-forwarded-for': '192.0.2.4' })
      await client.post('/api/auth/check-user', { email })
      const { body } = await client.post('/api/auth/request-otp', { email })
      const otp = await inboxOf(side.addresses, email).code()
      const { status } = await client.post('/api/auth/verify-otp', {
        userId: body?.['userId'],
        otp,
      })
      expect(status).toBe(200)
    },
    30_000,
  )

  it('that a person takes for another one is refused or another account', async () => {
    const account = await accountOf('dana@example.com', 2)
    expect(await accountOf('dana+1@example.com', 2)).not.toBe(account)
    expect(await accountOf('d\u0430na@example.com', 2)).toBe(400)
    expect(await accountOf('\u212aim@example.com', 2)).toBe(400)
  }, 30_000)
})

describe('a mail server that does not answer', () => {
  it("causes the error 'Failed to send OTP', and uses up no resend", async () => {
    const withoutMail = await startAuthSide({ smtpPort: 9 })
    try {
      await withoutMail.startProjectors()
      const client = withoutMail.client()
      const email = 'no-mail@example.com'
      await client.post('/api/auth/check-user', { email })
      const answers = [
        await client.post('/api/auth/request-otp', { email }),
        await client.post('/api/auth/request-otp', { email }),
      ]
      expect(answers.map(({ status, body }) => [status, body])).toEqual(
        Array(2).fill([502, { error: 'Failed to send OTP' }]),
      )
    } finally {
      await withoutMail.close()
    }
  }, 30_000)
})
