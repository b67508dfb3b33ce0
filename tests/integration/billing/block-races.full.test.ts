import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import type { UserId } from '#contracts/ids'
import { planById } from '#contracts/plans'
import { createAccounts } from '#services/accounts/accounts'
import { createBilling } from '#services/billing/billing-service'
import { checkoutIdOf } from '#services/billing/product-ids'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { termsOf } from '#services/payments/plan-prices'
import { createStripePaymentProvider } from '#services/payments/stripe/payment-provider'
import { testContext } from '../../support/data/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { payAt } from '../../support/product/client.ts'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { oneEmailKey } from '../../support/data/one-email-key.ts'
import { prices } from '../../support/data/sandbox-prices.ts'

/*
 * A block at the moment of another append. The block changes no event of the billing stream, so the
 * append has no conflict.
 */

let database: TestDatabase
let sandbox: TestSandbox
let store: EventStore

beforeAll(async () => {
  database = await createTestDatabase()
  sandbox = await startTestSandbox()
  store = createPostgresEventStore({ connectionString: database.connectionString })
}, 60_000)
afterAll(async () => {
  await store?.close()
  await sandbox?.close()
  await database?.drop()
})

/** A process of the product with this store. `messages` receives its log messages. */
function startProcess(watched: EventStore, messages: string[]) {
  const codec = createCodec(createPersonalKeys(database.pool, Buffer.alloc(32, 7)))
  const commands = createCommandHandler({ store: watched, codec, clock: systemClock, macKey })
  const accounts = createAccounts({
    commands,
    clock: systemClock,
    ids: randomIds,
    emailKeys: oneEmailKey(Buffer.alloc(32, 8)),
  })
  const billing = createBilling({
    eventsHandledUntil: () => Promise.resolve(null),
    commands,
    provider: createStripePaymentProvider(sandbox.stripe, prices, {
      success: 'http://localhost:3000/payment-success',
      cancel: 'http://localhost:3000/payment',
      portalConfiguration: null,
    }),
    clock: systemClock,
    log: pino(
      {},
      { write: (line) => void messages.push((JSON.parse(line) as { msg: string }).msg) },
    ),
  })
  const email = `${randomUUID()}@example.com`
  return {
    accounts,
    billing,
    open: async () => (await accounts.findOrOpen(email, testContext())).account.userId,
    click: (userId: UserId) =>
      billing.checkoutSessionFor(
        { userId, email, name: null, phone: null, address: null },
        checkoutIdOf(userId, randomUUID()),
        termsOf(planById('monthly'), prices.priceOf('monthly')),
        testContext(),
      ),
  }
}

/** A customer whose account is blocked immediately before the first append of `type`. */
async function customerBlockedBefore(type: string) {
  const messages: string[] = []
  let isBlockDue = true
  const { accounts, billing, click, open } = startProcess(
    {
      ...store,
      async append(stream, expectedRevision, events) {
        if (isBlockDue && events.some((event) => event.type === type)) {
          isBlockDue = false
          await accounts.setBlocked(userId, true, testContext())
          await billing.endBlocked(userId, testContext())
        }
        return store.append(stream, expectedRevision, events)
      },
    },
    messages,
  )
  const userId = await open()
  return { billing, messages, userId, click: () => click(userId) }
}

/** A store whose appends of a payment wait until `count` of them have arrived. */
function holdingPayments(count: number): EventStore {
  let arrived = 0
  let release: () => void = () => undefined
  const all = new Promise<void>((resolve) => (release = resolve))
  return {
    ...store,
    async append(stream, expectedRevision, events) {
      if (events.some(({ type }) => type === 'PaymentSucceeded')) {
        arrived += 1
        if (arrived === count) release()
        await all
      }
      return store.append(stream, expectedRevision, events)
    },
  }
}

const paymentOfBlocked =
  'A payment of a blocked or erased account was recorded. Check it at the payment provider and refund it.'
const typesOf = async (userId: UserId) =>
  (await store.readStream(`billing-${userId}`)).map(({ type }) => type)
const sessionsOf = async (userId: UserId) =>
  (await sandbox.stripe.checkout.sessions.list({ limit: 100 })).data.flatMap((session) =>
    session.client_reference_id === userId ? [session.status] : [],
  )

describe('a block between a decision and its append', () => {
  it('gives the customer no page, and leaves no open session', async () => {
    const { click, userId } = await customerBlockedBefore('CheckoutStarted')
    expect(await click()).toMatchObject({ kind: 'blocked' })
    expect(await sessionsOf(userId)).toEqual(['expired'])
    expect(await typesOf(userId)).toEqual([
      'PaymentCustomerLinked',
      'CheckoutStarted',
      'CheckoutSessionOpened',
      'CheckoutExpired',
    ])
  })

  it('ends the subscription that is recorded after the block', async () => {
    const { billing, click, messages, userId } = await customerBlockedBefore('SubscriptionStarted')
    const opened = await click()
    await payAt(opened.kind === 'open' ? opened.url : '')
    expect(await billing.sync(userId, testContext())).toMatchObject({ hasLiveSubscription: false })
    expect((await typesOf(userId)).slice(-4)).toEqual([
      'CheckoutCompleted',
      'SubscriptionStarted',
      'PaymentSucceeded',
      'SubscriptionEnded',
    ])
    expect(messages).toContain(paymentOfBlocked)
  })
})

describe('a payment of a blocked account', () => {
  it('is logged once if three processes record it at the same moment', async () => {
    const messages: string[] = []
    const watched = holdingPayments(3)
    const first = startProcess(watched, messages)
    const others = [startProcess(watched, messages), startProcess(watched, messages)]
    const userId = await first.open()
    const opened = await first.click(userId)
    await first.accounts.setBlocked(userId, true, testContext())
    await payAt(opened.kind === 'open' ? opened.url : '')

    await Promise.all([first, ...others].map(({ billing }) => billing.sync(userId, testContext())))
    const types = await typesOf(userId)
    expect(types.filter((type) => type === 'PaymentSucceeded')).toHaveLength(1)
    expect(types.at(-1)).toBe('SubscriptionEnded')
    expect(messages.filter((message) => message === paymentOfBlocked)).toHaveLength(1)
  })
})
