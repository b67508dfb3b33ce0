import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { planById, plans, sandboxPriceIdOf, type PlanId } from '#contracts/plans'
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
import { createPlanPrices, termsOf } from '#services/payments/plan-prices'
import { createStripePaymentProvider } from '#services/payments/stripe-payment-provider'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { payAt } from '../../support/product/client.ts'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'

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

const context = () => ({
  commandId: randomUUID(),
  correlationId: 'test',
  actor: { kind: 'system', id: 'test' } as const,
  source: 'system' as const,
})

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

/** A process of the product. It logs into `lines`. */
function startProcess(watched: EventStore, lines: string[]) {
  const codec = createCodec(createPersonalKeys(database.pool, Buffer.alloc(32, 7)))
  const commands = createCommandHandler({ store: watched, codec, clock: systemClock })
  const prices = createPlanPrices(
    Object.fromEntries(plans.map(({ id }) => [id, sandboxPriceIdOf(id)])) as Record<PlanId, string>,
  )
  return {
    prices,
    accounts: createAccounts({
      commands,
      clock: systemClock,
      ids: randomIds,
      emailHmacKey: Buffer.alloc(32, 8),
    }),
    billing: createBilling({
      eventsHandledUntil: () => Promise.resolve(null),
      commands,
      provider: createStripePaymentProvider(sandbox.stripe, prices, {
        success: 'http://localhost:3000/payment-success',
        cancel: 'http://localhost:3000/payment',
        portalConfiguration: null,
      }),
      clock: systemClock,
      log: pino({}, { write: (line) => void lines.push(line) }),
    }),
  }
}

describe('a payment of a blocked account', () => {
  it('is logged once if three processes record it at the same moment', async () => {
    const lines: string[] = []
    const watched = holdingPayments(3)
    const processes = Array.from({ length: 3 }, () => startProcess(watched, lines))
    const [{ accounts, billing, prices }] = processes as [(typeof processes)[number]]
    const email = `${randomUUID()}@example.com`
    const { userId } = (await accounts.findOrOpen(email, context())).account
    const opened = await billing.startCheckout(
      { userId, email, name: null },
      checkoutIdOf(userId, randomUUID()),
      termsOf(planById('monthly'), prices.priceOf('monthly')),
      context(),
    )
    await accounts.setBlocked(userId, true, context())
    await payAt(opened.kind === 'open' ? opened.url : '')

    await Promise.all(processes.map((process) => process.billing.sync(userId, context())))
    const types = (await store.readStream(`billing-${userId}`)).map(({ type }) => type)
    expect(types.filter((type) => type === 'PaymentSucceeded')).toHaveLength(1)
    expect(types.at(-1)).toBe('SubscriptionEnded')
    const logged = lines.filter((line) =>
      line.includes('A payment of a blocked or erased account was recorded.'),
    )
    expect(logged).toHaveLength(1)
  })
})
