import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import type { UserId } from '#contracts/ids'
import { planById, sandboxPriceIdOf } from '#contracts/plans'
import { createAccounts } from '#services/accounts/accounts'
import { createBilling } from '#services/billing/billing-service'
import { checkoutIdOf } from '#services/billing/product-ids'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec, type EventCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { createPlanPrices, termsOf } from '#services/payments/plan-prices'
import { createStripePaymentProvider } from '#services/payments/stripe-payment-provider'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { payAt } from '../../support/product/client.ts'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'

/*
 * A block that comes after a command has decided and before its events are appended. The block
 * changes no event of the billing stream, so the append has no conflict.
 */

let database: TestDatabase
let sandbox: TestSandbox
let store: EventStore
let codec: EventCodec

beforeAll(async () => {
  database = await createTestDatabase()
  sandbox = await startTestSandbox()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  codec = createCodec(createPersonalKeys(database.pool, Buffer.alloc(32, 7)))
}, 60_000)
afterAll(async () => {
  await store?.close()
  await sandbox?.close()
  await database?.drop()
})

const context = () => ({
  commandId: randomUUID(),
  correlationId: 'test',
  actor: { kind: 'system', id: 'test' } as const,
  source: 'system' as const,
})

/** A customer whose account is blocked immediately before the first append of `type`. */
async function customerBlockedBefore(type: string) {
  const errors: string[] = []
  let isBlockDue = true
  const watched: EventStore = {
    ...store,
    async append(stream, expectedRevision, events) {
      if (isBlockDue && events.some((event) => event.type === type)) {
        isBlockDue = false
        await accounts.setBlocked(userId, true, context())
        await billing.endBlocked(userId, context())
      }
      return store.append(stream, expectedRevision, events)
    },
  }
  const commands = createCommandHandler({ store: watched, codec, clock: systemClock })
  const accounts = createAccounts({
    commands,
    clock: systemClock,
    ids: randomIds,
    emailHmacKey: Buffer.alloc(32, 8),
  })
  const prices = createPlanPrices({
    monthly: sandboxPriceIdOf('monthly'),
    'six-month': sandboxPriceIdOf('six-month'),
    annual: sandboxPriceIdOf('annual'),
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
    log: pino({}, { write: (line) => void errors.push((JSON.parse(line) as { msg: string }).msg) }),
  })
  const email = `${randomUUID()}@example.com`
  const { userId } = (await accounts.findOrOpen(email, context())).account
  return {
    billing,
    errors,
    userId,
    click: () =>
      billing.startCheckout(
        { userId, email, name: null },
        checkoutIdOf(userId, randomUUID()),
        termsOf(planById('monthly'), prices.priceOf('monthly')),
        context(),
      ),
  }
}

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
    const { billing, click, errors, userId } = await customerBlockedBefore('SubscriptionStarted')
    const opened = await click()
    await payAt(opened.kind === 'open' ? opened.url : '')
    expect(await billing.sync(userId, context())).toMatchObject({ hasLiveSubscription: false })
    expect((await typesOf(userId)).slice(-4)).toEqual([
      'CheckoutCompleted',
      'SubscriptionStarted',
      'PaymentSucceeded',
      'SubscriptionEnded',
    ])
    expect(errors).toContain(
      'A payment of a blocked or erased account was recorded. Check it at the payment provider and refund it.',
    )
  })
})
