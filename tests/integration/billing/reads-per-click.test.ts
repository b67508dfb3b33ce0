import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pino from 'pino'
import type { UserId } from '#contracts/ids'
import { planById } from '#contracts/plans'
import { accountDecider } from '#services/accounts/account-decider'
import { detailsOf } from '#services/billing/customer-details'
import { checkoutIdOf } from '#services/billing/product-ids'
import { accountStream, billingStream } from '#services/foundation/stream-names'
import { randomIds } from '#services/foundation/ids'
import { termsOf } from '#services/payments/plan-prices'
import { startBillingSide, type BillingSide } from '../../support/product/billing-side.ts'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { testContext } from '../../support/data/test-context.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
let sandbox: TestSandbox
const sides: BillingSide[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  sandbox = await startTestSandbox()
}, 60_000)
afterAll(async () => {
  for (const side of sides) await side.close()
  await sandbox?.close()
  await database?.drop()
})

/** A process of the product that has read no stream. */
async function newProcess(isCached: boolean): Promise<BillingSide> {
  const side = await startBillingSide({ database, sandbox }, log, { isCached })
  sides.push(side)
  return side
}

async function openAccount({ commands }: BillingSide): Promise<UserId> {
  const userId = randomIds.userId()
  const at = '2026-03-03T09:12:00.000Z'
  const email = `${userId}@example.com`
  const given = [
    { type: 'open-account', userId, email, at },
    { type: 'verify-email', email, savedProfile: null, at },
    { type: 'block-account', at },
    { type: 'unblock-account', at },
  ] as const
  for (const command of given)
    await commands.handle({
      decider: accountDecider,
      stream: accountStream(userId),
      command,
      context: testContext(),
    })
  return userId
}

/** What a click on Subscribe does: the look-up of the account, then the checkout. */
async function click({ billing, commands, prices, reads }: BillingSide, userId: UserId) {
  reads.reset()
  const { state } = await commands.load({ decider: accountDecider, stream: accountStream(userId) })
  if (state.kind !== 'open') throw new Error('The account is not open.')
  const context = testContext()
  const { kind } = await billing.checkoutSessionFor(
    { userId, ...detailsOf({ email: state.email, profile: null }) },
    checkoutIdOf(userId, context.commandId),
    termsOf(planById('monthly'), prices.priceOf('monthly')),
    context,
  )
  expect(kind).toBe('open')
  return reads.since()
}

it('a click on Subscribe reads each stream as a whole once at most, and decrypts each event once', async () => {
  const first = await newProcess(true)
  const userId = await openAccount(first)
  // One read begins at the only event of the billing stream, so it counts as whole.
  expect(await click(first, userId)).toEqual({
    whole: { billing: 1 },
    tails: { account: 4, billing: 1 },
    decryptedEvents: 3,
  })
  const other = await newProcess(true)
  const [account = 0, billing = 0] = await lengthsOf(userId)
  expect([account, billing]).toEqual([4, 3])

  const cold = await click(other, userId)
  expect(cold.whole).toEqual({ account: 1, billing: 1 })
  expect(cold.decryptedEvents).toBe(account + billing)

  const warm = await click(other, userId)
  expect(warm).toEqual({ whole: {}, tails: { account: 5, billing: 2 }, decryptedEvents: 0 })
}, 120_000)

it('without the cache, a click reads the account stream five times and the billing stream twice', async () => {
  const process = await newProcess(false)
  const userId = await openAccount(process)
  expect(await click(process, userId)).toMatchObject({ whole: { account: 4, billing: 2 } })
  const [account = 0, billing = 0] = await lengthsOf(userId)
  expect(await click(process, userId)).toEqual({
    whole: { account: 5, billing: 2 },
    tails: {},
    decryptedEvents: 5 * account + 2 * billing,
  })
}, 120_000)

async function lengthsOf(userId: UserId): Promise<readonly number[]> {
  const store = sides.at(0)?.store
  if (store === undefined) throw new Error('No process was started.')
  return Promise.all(
    [accountStream(userId), billingStream(userId)].map(
      async (stream) => (await store.readStream(stream)).length,
    ),
  )
}
