import type { Logger } from 'pino'
import Stripe from 'stripe'
import type { UserId } from '#contracts/ids'
import { planById } from '#contracts/plans'
import { readModelReady } from '#projections/engine/operate/status'
import { purchases } from '#projections/purchases/read-model'
import { createBilling } from '#services/billing/billing-service'
import { createRefunds } from '#services/billing/refunds'
import { createReconcilerState } from '#services/billing/reconciler/reconciler-state'
import { checkoutIdOf } from '#services/billing/product-ids'
import { createCommandHandler } from '#services/commands/handle-command'
import { createStreamCache } from '#services/commands/stream-cache'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { termsOf } from '#services/payments/plan-prices'
import { createEventFeed } from '#services/payments/stripe/event-feed'
import { stripeApi } from '#services/payments/stripe/stripe-api'
import { createStripePaymentProvider } from '#services/payments/stripe/payment-provider'
import { createProviderEvents } from '#services/start/provider-events'
import { createReadSide } from '#services/read-side/read-side'
import type { TestDatabase } from '../postgres/database.ts'
import { countReads } from '../event-store/count-reads.ts'
import { payAt } from './client.ts'
import { type TestSandbox } from './sandbox.ts'
import { macKey } from '../event-store/mac-key.ts'
import { zone } from '../data/finance-values.ts'
import { until } from '../machine/until.ts'
import { prices } from '../data/sandbox-prices.ts'

/**
 * A call of the provider that the test answers itself, or null to forward it to the sandbox.
 * `forward` performs the call, so that the test can lose its answer.
 */
type Intercept = (call: string, forward: () => Promise<Response>) => Promise<Response | null>

export type BillingSide = Awaited<ReturnType<typeof startBillingSide>>

/** The billing service, the read models and the parts that handle the provider's events. */
export async function startBillingSide(
  { database, sandbox }: { readonly database: TestDatabase; readonly sandbox: TestSandbox },
  log: Logger,
  // Tests change stored events behind a cache, so most have none.
  { isCached = false }: { readonly isCached?: boolean } = {},
) {
  const { pool, connectionString } = database
  const store = createPostgresEventStore({ connectionString })
  const keys = createPersonalKeys(pool, Buffer.alloc(32, 7))
  const codec = createCodec(keys)
  const reads = countReads(store, codec)
  const side = { intercept: (async () => null) as Intercept, calls: [] as string[] }
  const stripe = new Stripe('sk_test_sandbox', {
    host: '127.0.0.1',
    port: Number(new URL(sandbox.url).port),
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(async (...request: Parameters<typeof fetch>) => {
      const { method, url } = new Request(...request)
      const call = `${method} ${url.slice(new URL(url).origin.length)}`
      side.calls.push(call)
      const forward = () => fetch(...request)
      return (await side.intercept(call, forward)) ?? forward()
    }),
  })
  const provider = createStripePaymentProvider(stripe, prices, {
    success: 'http://localhost:3000/payment-success',
    cancel: 'http://localhost:3000/payment',
    portalConfiguration: null,
  })
  const commands = createCommandHandler({
    store: reads.store,
    codec: reads.codec,
    clock: systemClock,
    macKey,
    cache: isCached ? createStreamCache({ keys }) : null,
  })
  const { eventsHandledUntil } = createReconcilerState(pool, systemClock)
  const clock = systemClock
  const billing = createBilling({ commands, provider, clock, log, eventsHandledUntil })
  const refunds = createRefunds({ billing, commands, provider, clock })
  const readSide = createReadSide({
    connectionString,
    pool,
    store,
    codec,
    log,
    shards: 1,
    timeZone: zone('UTC'),
    onProjected: () => undefined,
  })
  const stopProjectors = readSide.startProjectors()
  const { customerLinks: links } = readSide
  await until(() => readModelReady(pool, purchases), 'the read model is not built')
  const events = createProviderEvents({
    billing,
    provider,
    feed: createEventFeed(stripe),
    api: stripeApi,
    pool,
    links,
    log,
  })

  return Object.assign(side, {
    billing,
    codec,
    commands,
    events,
    keys,
    prices,
    provider,
    readSide,
    reads,
    refunds,
    store,
    stripe,
    /** A new account that has paid for the monthly plan at the provider. */
    async buy() {
      const userId = randomIds.userId()
      const commandId = `click of ${userId}`
      const opened = await billing.checkoutSessionFor(
        { userId, email: `${userId}@example.com`, name: null, phone: null, address: null },
        checkoutIdOf(userId, commandId),
        termsOf(planById('monthly'), prices.priceOf('monthly')),
        {
          commandId,
          correlationId: 'test',
          actor: { kind: 'customer', id: userId },
          source: 'api',
        },
      )
      if (opened.kind !== 'open') throw new Error(`The checkout is ${opened.kind}.`)
      const { status } = await payAt(opened.url)
      if (status !== 303) throw new Error(`The checkout page answered ${status}.`)
      const { data } = await sandbox.stripe.customers.list({ email: `${userId}@example.com` })
      return { userId, customer: data[0]?.id ?? '' }
    },
    typesOf: async (userId: UserId) =>
      (await store.readStream(`billing-${userId}`)).map(({ type }) => type),
    /** The customer's billing events with their data, decrypted. */
    eventsOf: async (userId: UserId) =>
      codec.decodeStream(await store.readStream(`billing-${userId}`)),
    streamCount: async () => {
      const { rows } = await pool.query<{ count: number }>(
        'SELECT count(DISTINCT stream)::int AS count FROM log.event',
      )
      return rows[0]?.count
    },
    async close() {
      await stopProjectors()
      await store.close()
    },
  })
}
