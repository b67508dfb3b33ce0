import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { parseUserId, type UserId } from '#contracts/ids'
import { users } from '#projections/users/read-model'
import { schemaOf } from '#projections/engine/read-model'
import { eraseIfUnverified } from '#services/accounts/erase-person'
import { eraseUnverified } from '#services/accounts/erase-unverified'
import { accountStream } from '#services/foundation/stream-names'
import { testContext } from '../../support/data/test-context.ts'
import { assertAddresses } from '../../support/product/assert-addresses.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { inboxOf } from '../../support/product/inbox.ts'
import { until } from '../../support/machine/until.ts'

let side: AuthSide
beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())
afterEach(async () => {
  side.watched.beforeAppend = async () => undefined
  assertAddresses(await side.readLog(), side.accounts.hmacOf)
})

const open = async (email: string) =>
  (await side.accounts.findOrOpen(email, testContext())).account.userId

const day = 24 * 60 * 60_000
const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
/** A run so many days of the business clock after now. */
const runAfter = (days: number, customers: readonly UserId[] = []) =>
  eraseUnverified(
    {
      ...side.erasing,
      clock: { now: () => new Date(Date.now() + days * day) },
      queries: side.readSide.unverified,
      hasCustomer: async (userId) => customers.includes(userId),
      log,
    },
    new AbortController().signal,
  )
const nothing = { erased: 0, verified: 0, withCustomer: 0, failures: 0 }
const typesOf = async (userId: UserId) =>
  (await side.eventsOf(accountStream(userId))).map(({ type }) => type)
const isListed = (userId: UserId) =>
  until(async () => {
    const { rowCount } = await side.pool.query(
      `SELECT 1 FROM ${schemaOf(users)}.users WHERE user_id = $1`,
      [userId],
    )
    return rowCount === 1
  }, 'the account is not in the read model')
const keyOf = async (userId: UserId) =>
  (
    await side.pool.query<{ wrapped_key: Buffer | null }>(
      'SELECT wrapped_key FROM app.personal_key WHERE subject = $1',
      [userId],
    )
  ).rows[0]?.wrapped_key ?? null

describe('accounts that are never verified', () => {
  it('are kept for 89 days and erased after 90, and verified accounts stay', async () => {
    const verified = parseUserId(await side.client().signUp('verified@example.com'))
    const userId = await open('never@example.com')
    await side.accounts.setSecondaryEmail(userId, 'never.second@example.com', testContext())
    await isListed(userId)

    expect(await runAfter(89)).toEqual(nothing)
    expect(await side.accounts.find(userId)).not.toBeNull()
    expect(await runAfter(90)).toEqual({ ...nothing, erased: 1 })
    expect(lines.at(-1)).toMatch(
      /"erased":1,.*"The search for accounts that were not verified within 90 days ended\."/,
    )
    expect(await side.accounts.find(userId)).toBeNull()
    expect(await keyOf(userId)).toBeNull()
    expect(await side.accounts.find(verified)).not.toBeNull()
    expect(await runAfter(180)).toEqual(nothing)

    for (const email of ['never@example.com', 'never.second@example.com'])
      expect(await side.client().signUp(email)).not.toBe(userId)
  }, 60_000)

  it('are erased without the enquiries of their address, which another person may have sent', async () => {
    const userId = await open('entered.by.stranger@example.com')
    await isListed(userId)
    let erasures = 0
    const erasing = {
      ...side.erasing,
      enquiries: { ...side.erasing.enquiries, erase: async () => void (erasures += 1) },
    }
    expect(await eraseIfUnverified(userId, erasing, testContext())).toBe('erased')
    expect(erasures).toBe(0)
  }, 30_000)

  it('are not erased if they have a customer at the payment provider', async () => {
    const userId = await open('customer@example.com')
    await isListed(userId)
    expect(await runAfter(90, [userId])).toEqual({ ...nothing, withCustomer: 1 })
    expect(await side.accounts.find(userId)).not.toBeNull()
    expect(await runAfter(90)).toEqual({ ...nothing, erased: 1 })
  }, 30_000)

  it('are erased completely by the next run if a run is interrupted', async () => {
    const userId = await open('interrupted@example.com')
    await isListed(userId)
    side.watched.beforeAppend = async (types) => {
      if (types.includes('EmailReleased')) throw new Error('the process was killed')
    }
    expect(await runAfter(90)).toEqual({ ...nothing, failures: 1 })
    side.watched.beforeAppend = async () => undefined
    expect(await keyOf(userId)).not.toBeNull()
    expect(await runAfter(90)).toEqual({ ...nothing, erased: 1 })
    expect(await keyOf(userId)).toBeNull()
    expect(await side.accounts.ownerOf('interrupted@example.com')).toBeNull()
  }, 30_000)
})

describe('an erasure and a verification at the same time', () => {
  const erase = (userId: UserId) => eraseIfUnverified(userId, side.erasing, testContext())
  /** Before the next append of `type`, runs `work` once. */
  const beforeNext = (type: string, work: () => Promise<unknown>) => {
    side.watched.beforeAppend = async (types) => {
      if (!types.includes(type)) return
      side.watched.beforeAppend = async () => undefined
      await work()
    }
  }

  it('keep the account if the verification is recorded first', async () => {
    const email = 'first@example.com'
    const userId = await open(email)
    beforeNext('PersonalDataErased', () => side.accounts.signIn(userId, email, null, testContext()))
    expect(await erase(userId)).toBe('verified')
    expect(await typesOf(userId)).toEqual(['AccountOpened', 'EmailVerified'])
    expect(await side.accounts.ownerOf(email)).toBe(userId)
    expect(await keyOf(userId)).not.toBeNull()
  })

  it('refuse the code if the erasure is recorded first', async () => {
    const email = 'late@example.com'
    const client = side.client()
    const userId = await open(email)
    await client.post('/api/auth/request-otp', { email })
    const otp = await inboxOf(side.addresses, email).code()
    beforeNext('EmailVerified', () => erase(userId))
    expect(await client.post('/api/auth/verify-otp', { userId, otp })).toMatchObject({
      status: 400,
      body: { error: 'Invalid OTP' },
    })
    expect((await client.get('/api/auth/session')).body).toMatchObject({ userId: null })
    expect(await typesOf(userId)).toEqual(['AccountOpened', 'PersonalDataErased'])
    expect(await side.accounts.ownerOf(email)).toBeNull()
  }, 30_000)

  it('have one of these two outcomes for each of 20 accounts', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 20 }, async (_each, index) => {
        const email = `race-${index}@example.com`
        return { email, userId: await open(email) }
      }),
    )
    await Promise.all(
      accounts.map(async ({ email, userId }) => {
        const [signedIn, outcome] = await Promise.all([
          side.accounts.signIn(userId, email, null, testContext()),
          erase(userId),
        ])
        expect(signedIn === null ? 'erased' : 'verified').toBe(outcome)
        expect(await side.accounts.ownerOf(email)).toBe(signedIn === null ? null : userId)
        expect((await keyOf(userId)) === null).toBe(signedIn === null)
      }),
    )
  }, 30_000)
})
