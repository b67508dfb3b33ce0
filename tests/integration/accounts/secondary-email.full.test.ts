import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { parseUserId, type UserId } from '#contracts/ids'
import { schemaOf } from '#projections/engine/read-model'
import { users } from '#projections/users/read-model'
import { EventStoreUnavailable } from '#services/event-store/errors'
import { accountStream } from '#services/foundation/stream-names'
import { assertAddresses } from '../../support/product/assert-addresses.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { profile } from '../../support/product/client.ts'
import { inboxOf } from '../../support/product/inbox.ts'

let side: AuthSide
let admin: Awaited<ReturnType<AuthSide['signInAsAdmin']>>
beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
  admin = await side.signInAsAdmin()
}, 60_000)
afterAll(() => side?.close())

// Holds after every event of every test.
afterEach(async () => {
  side.watched.beforeAppend = async () => undefined
  assertAddresses(await side.readLog(), side.accounts.hmacOf)
})

const context = () => {
  const commandId = randomUUID()
  return {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', id: 'test' },
    source: 'system',
  } as const
}
let count = 0
const newAddress = (name: string) => `${name}-${(count += 1)}@example.com`
async function newAccount(email = newAddress('primary')): Promise<UserId> {
  return (await side.accounts.findOrOpen(email, context())).account.userId
}
const set = (userId: string, email: string, client = admin) =>
  client.post('/api/admin/update-user-email', { userId, email, type: 'secondary' })
const updated = { status: 200, body: { message: 'Secondary email updated successfully' } }
const taken = {
  status: 409,
  body: { error: 'This e-mail address belongs to another account. Enter another address.' },
}
const secondaryOf = async (userId: UserId) =>
  (await side.accounts.find(userId))?.secondaryEmail ?? null
const typesOf = async (userId: UserId) =>
  (await side.eventsOf(accountStream(userId))).map(({ type }) => type)

/** Before the next append of `type`, runs `work` once. */
function beforeNext(type: string, work: () => Promise<unknown>): void {
  side.watched.beforeAppend = async (types) => {
    if (!types.includes(type)) return
    side.watched.beforeAppend = async () => undefined
    await work()
  }
}
const crashBefore = (type: string) =>
  beforeNext(type, async () => {
    throw new EventStoreUnavailable(new Error('the process was killed'))
  })

/** Requests a code for the address and enters it. */
async function signIn(email: string, client = side.client()) {
  await client.post('/api/auth/request-otp', { email })
  const otp = await inboxOf(side.addresses, email).code()
  const userId = await side.accounts.ownerOf(email)
  return { client, answer: await client.post('/api/auth/verify-otp', { userId, otp }) }
}

describe('an administrator', () => {
  it('sets the secondary e-mail of a user, once', async () => {
    const [userId, second] = [await newAccount(), newAddress('second')]
    expect(await set(userId, second)).toMatchObject(updated)
    expect(await secondaryOf(userId)).toBe(second)
    expect(await set(userId, second)).toMatchObject(updated)
    expect(await typesOf(userId)).toEqual(['AccountOpened', 'SecondaryEmailSet'])
    expect((await admin.get(`/api/payments?email=${second}`)).body).toMatchObject({
      userInfo: { user_id: userId, secondary_email: second },
    })
    // The request before waited until the read model had reached the position of the change.
    const { rows } = await side.pool.query<{ secondary_email: string }>(
      `SELECT secondary_email FROM ${schemaOf(users)}.users WHERE user_id = $1`,
      [userId],
    )
    expect(rows).toEqual([{ secondary_email: second }])
  })

  it("cannot set the user's primary address, another user's address, or an unknown user's", async () => {
    const [primary, other] = [newAddress('primary'), newAddress('primary')]
    const userId = await newAccount(primary)
    expect(await set(userId, primary)).toMatchObject({ status: 400, body: { field: 'email' } })
    await side.accounts.signIn(await newAccount(other), other, null, context())
    expect(await set(userId, other)).toMatchObject(taken)
    expect(await set('usr_unknown', other)).toMatchObject({ status: 404 })
    expect(await typesOf(userId)).toEqual(['AccountOpened'])
  })

  it('replaces the address, and the earlier one is free', async () => {
    const [userId, other] = [await newAccount(), await newAccount()]
    const [second, third] = [newAddress('second'), newAddress('third')]
    await set(userId, second)
    expect(await set(other, second)).toMatchObject(taken)
    expect(await set(userId, third)).toMatchObject(updated)
    expect(await side.accounts.ownerOf(second)).toBeNull()
    expect(await set(other, second)).toMatchObject(updated)
    expect(await typesOf(userId)).toEqual([
      'AccountOpened',
      'SecondaryEmailSet',
      'SecondaryEmailRemoved',
      'SecondaryEmailSet',
    ])
  })

  it('needs the session of an administrator', async () => {
    const userId = await newAccount()
    expect((await set(userId, newAddress('second'), side.client())).status).toBe(401)
  })
})

describe('an address that a stranger signed up with', () => {
  const types = ['AccountOpened', 'CompanyProfileCompleted', 'PersonalDataErased']

  it('is taken over from the account that was never verified, which is erased', async () => {
    const email = newAddress('squatted')
    const stranger = side.client({ 'x-forwarded-for': '198.51.100.77' })
    const { body } = await stranger.post('/api/auth/complete-signup', { ...profile, email })
    const holder = parseUserId(String(body?.['userId']))
    const userId = await newAccount()
    expect(await set(userId, email)).toMatchObject(updated)
    expect(await side.accounts.ownerOf(email)).toBe(userId)
    expect(await secondaryOf(userId)).toBe(email)
    expect(await typesOf(holder)).toEqual(types)
    expect(
      (await side.readLog()).filter(({ stream }) => stream === accountStream(holder)).at(-1),
    ).toMatchObject({ type: 'PersonalDataErased', metadata: { actor: { kind: 'admin' } } })
    expect(await set(userId, email)).toMatchObject(updated)
  })

  it('completes an interrupted take-over', async () => {
    const [email, userId] = [newAddress('squatted'), await newAccount()]
    const holder = await newAccount(email)
    crashBefore('EmailReleased')
    expect((await set(userId, email)).status).toBe(503)
    expect(await set(userId, email)).toMatchObject(updated)
    expect(await side.accounts.find(holder)).toBeNull()
  })

  it('stays with an account that has a customer at the payment provider', async () => {
    const [email, userId] = [newAddress('paid'), await newAccount()]
    const holder = await newAccount(email)
    side.withCustomer.add(holder)
    expect(await set(userId, email)).toMatchObject(taken)
    expect(await typesOf(holder)).toEqual(['AccountOpened'])
  })

  it('stays with an account of which another address was verified', async () => {
    const [email, second, userId] = [newAddress('half'), newAddress('second'), await newAccount()]
    const holder = await newAccount(email)
    expect(await set(holder, second)).toMatchObject(updated)
    await side.accounts.signIn(holder, second, null, context())
    expect(await set(userId, email)).toMatchObject(taken)
  })
})

describe('of 50 accounts that are given one address at the same time by two processes', () => {
  it('one has the address', async () => {
    const email = newAddress('wanted')
    const accounts = await Promise.all(Array.from({ length: 50 }, () => newAccount()))
    const atSecond = (await side.startSecond())({ cookie: admin.cookieHeader() })
    const answers = await Promise.all(
      accounts.map((userId, index) => set(userId, email, index % 2 === 0 ? admin : atSecond)),
    )
    const winners = accounts.filter((_userId, index) => answers[index]?.status === 200)
    expect(winners).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(taken)
    expect(await side.accounts.ownerOf(email)).toBe(winners[0])
    const secondaries = await Promise.all(accounts.map(secondaryOf))
    expect(secondaries.filter((each) => each === email)).toHaveLength(1)
  }, 60_000)
})

describe('a customer with a secondary e-mail', () => {
  it('signs in with a code that is mailed to it', async () => {
    const [primary, second] = [newAddress('primary'), newAddress('second')]
    const userId = await newAccount(primary)
    await set(userId, second)
    const client = side.client()
    expect((await client.post('/api/auth/check-user', { email: second })).body).toEqual({
      isNewUser: true,
    })
    const { answer } = await signIn(second, client)
    expect(answer).toMatchObject({ status: 200, body: { isVerified: true } })
    expect(await inboxOf(side.addresses, primary).read()).toEqual([])
    const log = await side.readLog()
    const ofUser = (category: string) =>
      log
        .filter(({ stream }) => stream === `${category}-${userId}`)
        .map(({ type, data }) => ({ type, data }))
    expect(ofUser('signIn')).toEqual([
      { type: 'CodeRequested', data: { email: second, resend: 0 } },
      { type: 'SignedIn', data: { email: second } },
    ])
    expect(ofUser('account').at(-1)).toEqual({ type: 'EmailVerified', data: { email: second } })
    expect((await client.get('/api/auth/session')).body).toMatchObject({ userId, email: primary })
  }, 30_000)

  it('reads the purchases under either address, and under no other', async () => {
    const [primary, second] = [newAddress('primary'), newAddress('second')]
    const userId = await newAccount(primary)
    await set(userId, second)
    const { client } = await signIn(second)
    for (const email of [primary, second]) {
      expect(await client.get(`/api/payments?email=${email}`)).toMatchObject({
        status: 200,
        body: { userInfo: { user_id: userId, email: primary, secondary_email: second } },
      })
      expect((await client.get(`/api/subscriptions?email=${email}`)).status).toBe(200)
    }
    const other = newAddress('primary')
    await newAccount(other)
    expect((await client.get(`/api/payments?email=${other}`)).status).toBe(403)
    expect((await client.get(`/api/subscriptions?email=${other}`)).status).toBe(403)
  }, 30_000)

  it('removes it, and another account can have it', async () => {
    const [primary, second] = [newAddress('primary'), newAddress('second')]
    const userId = await newAccount(primary)
    await set(userId, second)
    const { client } = await signIn(primary)
    expect(await client.post('/api/profile/remove-secondary-email')).toMatchObject({
      status: 200,
      body: {},
    })
    expect(await client.post('/api/profile/remove-secondary-email')).toMatchObject({ status: 200 })
    expect(await secondaryOf(userId)).toBeNull()
    expect((await client.get(`/api/payments?email=${second}`)).status).toBe(403)
    expect((await client.get(`/api/payments?email=${primary}`)).body).toMatchObject({
      userInfo: { secondary_email: null },
    })
    expect(await set(await newAccount(), second)).toMatchObject(updated)
  }, 30_000)

  it('ends the sessions that signed in with it by removing it, but not the present session', async () => {
    const [primary, second] = [newAddress('primary'), newAddress('second')]
    const userId = await newAccount(primary)
    await set(userId, second)
    const { client: owner } = await signIn(primary)
    const { client: colleague } = await signIn(second)
    const { client: acting } = await signIn(second)
    await side.client().post('/api/auth/request-otp', { email: second })
    expect((await acting.post('/api/profile/remove-secondary-email', {})).status).toBe(200)
    const status = async (client: typeof owner) => (await client.get('/api/auth/sessions')).status
    expect([await status(owner), await status(acting), await status(colleague)]).toEqual([
      200, 200, 401,
    ])
    // The code of the removed address does not delay a code for the primary address.
    expect((await side.client().post('/api/auth/request-otp', { email: primary })).status).toBe(200)

    await set(userId, newAddress('third'))
    await set(userId, newAddress('fourth'))
    expect(await status(owner)).toBe(200)
  }, 30_000)

  it('cannot sign in with a code that was mailed before the address was removed', async () => {
    const second = newAddress('second')
    const userId = await newAccount()
    await set(userId, second)
    const client = side.client()
    await client.post('/api/auth/request-otp', { email: second })
    const otp = await inboxOf(side.addresses, second).code()
    await side.accounts.removeSecondaryEmail(userId, context())
    expect(await client.post('/api/auth/verify-otp', { userId, otp })).toMatchObject({
      status: 400,
      body: { error: 'Invalid OTP' },
    })
    expect((await client.get('/api/auth/session')).body).toMatchObject({ userId: null })
    expect((await client.post('/api/auth/request-otp', { email: second })).status).toBe(404)
  }, 30_000)

  it('cannot sign in if the address is removed while the code is checked', async () => {
    const second = newAddress('second')
    const userId = await newAccount()
    await set(userId, second)
    beforeNext('EmailVerified', () => side.accounts.removeSecondaryEmail(userId, context()))
    const { client, answer } = await signIn(second)
    expect(answer).toMatchObject({ status: 400, body: { error: 'Invalid OTP' } })
    expect((await client.get('/api/auth/session')).body).toMatchObject({ userId: null })
    expect(await typesOf(userId)).not.toContain('EmailVerified')
  }, 30_000)
})

describe('a crash', () => {
  it('after the claim leaves the address to the next account', async () => {
    const second = newAddress('second')
    const [userId, other] = [await newAccount(), await newAccount()]
    crashBefore('SecondaryEmailSet')
    expect((await set(userId, second)).status).toBe(503)
    expect(await side.accounts.ownerOf(second)).toBe(userId)
    expect(await set(other, second)).toMatchObject(updated)
    expect(await set(userId, second)).toMatchObject(taken)
  }, 30_000)

  it('after the claim is completed by the next attempt for the same account', async () => {
    const second = newAddress('second')
    const userId = await newAccount()
    crashBefore('SecondaryEmailSet')
    expect((await set(userId, second)).status).toBe(503)
    expect(await set(userId, second)).toMatchObject(updated)
    expect(await secondaryOf(userId)).toBe(second)
  })

  it('after the claim leaves the address to a new account', async () => {
    const second = newAddress('second')
    const userId = await newAccount()
    crashBefore('SecondaryEmailSet')
    await set(userId, second)
    const client = side.client()
    expect((await client.post('/api/auth/request-otp', { email: second })).status).toBe(404)
    expect((await client.post('/api/auth/check-user', { email: second })).status).toBe(200)
    expect(await side.accounts.ownerOf(second)).not.toBe(userId)
  }, 30_000)

  it('before the release leaves the earlier address to any account at once', async () => {
    const [userId, other] = [await newAccount(), await newAccount()]
    const [second, third] = [newAddress('second'), newAddress('third')]
    await set(userId, second)
    crashBefore('EmailReleased')
    expect((await set(userId, third)).status).toBe(503)
    expect(await side.accounts.ownerOf(second)).toBe(userId)
    const startedAt = performance.now()
    expect(await set(other, second)).toMatchObject(updated)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(await secondaryOf(userId)).toBe(third)
  }, 30_000)

  it('before the release is completed by a repeat of the call', async () => {
    const userId = await newAccount()
    const [second, third] = [newAddress('second'), newAddress('third')]
    await set(userId, second)
    crashBefore('EmailReleased')
    expect((await set(userId, third)).status).toBe(503)
    expect(await set(userId, third)).toMatchObject(updated)
    expect(await side.accounts.ownerOf(second)).toBeNull()
  })

  it('of a sign-up before its account is opened leaves the address to the administrator', async () => {
    const email = newAddress('half')
    crashBefore('AccountOpened')
    await expect(newAccount(email)).rejects.toThrow(EventStoreUnavailable)
    const half = await side.accounts.ownerOf(email)
    expect(await set(await newAccount(), email)).toMatchObject(updated)
    expect(await side.accounts.find(half!)).toBeNull()
  })
})

describe('at the same time', () => {
  it('a sign-up that comes between claim and set waits, and then belongs to the account', async () => {
    const second = newAddress('second')
    const userId = await newAccount()
    let signUp = Promise.resolve('')
    beforeNext('SecondaryEmailSet', async () => {
      signUp = newAccount(second)
      await new Promise((resolve) => setTimeout(resolve, 300))
    })
    expect(await set(userId, second)).toMatchObject(updated)
    expect(await signUp).toBe(userId)
  })

  it('a sign-up gets the address of a claim that is not used for 2 s, and the set takes it over', async () => {
    const second = newAddress('second')
    const userId = await newAccount()
    let opened = ''
    beforeNext('SecondaryEmailSet', async () => void (opened = await newAccount(second)))
    expect(await set(userId, second)).toMatchObject(updated)
    expect(opened).not.toBe(userId)
    expect(await side.accounts.ownerOf(second)).toBe(userId)
    expect(await secondaryOf(userId)).toBe(second)
  }, 30_000)

  it('a process sets a former address again that another process is about to release', async () => {
    const userId = await newAccount()
    const [second, third] = [newAddress('second'), newAddress('third')]
    await set(userId, second)
    beforeNext('EmailReleased', () => side.accounts.setSecondaryEmail(userId, second, context()))
    expect(await set(userId, third)).toMatchObject(updated)
    expect(await secondaryOf(userId)).toBe(second)
    expect(await side.accounts.ownerOf(second)).toBe(userId)
    expect(await side.accounts.ownerOf(third)).toBeNull()
  })

  it('many sets and removals of few addresses leave each address with its account', async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, () => newAccount()))
    const addresses = Array.from({ length: 4 }, () => newAddress('shared'))
    await Promise.all(
      accounts.flatMap((userId, index) =>
        Array.from({ length: 12 }, async (_each, turn) => {
          const email = addresses[(index * 3 + turn) % addresses.length]!
          await (turn % 3 === 2
            ? side.accounts.removeSecondaryEmail(userId, context())
            : side.accounts.setSecondaryEmail(userId, email, context()))
        }),
      ),
    )
    for (const email of addresses) {
      const owner = await side.accounts.ownerOf(email)
      const users = []
      for (const userId of accounts) if ((await secondaryOf(userId)) === email) users.push(userId)
      expect(users).toEqual(owner === null ? [] : [owner])
    }
  }, 60_000)
})
