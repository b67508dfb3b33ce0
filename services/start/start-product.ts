import { fileURLToPath } from 'node:url'
import express from 'express'
import type pg from 'pg'
import { projectionsOverview } from '#projections/engine/operate/overview'
import { assertSourceLog } from '#projections/engine/operate/source-log'
import { createAccounts } from '#services/accounts/accounts'
import { authRoutes } from '#services/accounts/auth-routes'
import { createSignInCodeStore } from '#services/accounts/sign-in-code-store'
import { createAdminPasswordCheck, hashAdminPassword } from '#services/admin/admin-password'
import { blockRoutes } from '#services/admin/block-routes'
import { adminListRoutes } from '#services/admin/list-routes'
import { adminLoginRoutes } from '#services/admin/login-routes'
import { createBilling } from '#services/billing/billing-service'
import { checkoutRoutes } from '#services/billing/checkout-routes'
import { portalRedirect } from '#services/billing/portal-redirect'
import { purchasesRoutes } from '#services/billing/purchases-routes'
import { refundRoutes } from '#services/billing/refund-routes'
import { startReconciler } from '#services/billing/reconciliation/reconciler'
import { createReconcilerState } from '#services/billing/reconciliation/reconciler-state'
import { webhookRoute } from '#services/billing/webhooks/webhook-route'
import { blockedBillingReactor } from '#services/billing/blocked-billing-reactor'
import { receiptPdfRoute } from '#services/billing/receipt-pdf-route'
import { receiptRoutes } from '#services/billing/receipt-routes'
import { createCommandHandler } from '#services/commands/handle-command'
import { assertMasterKey } from '#services/event-store/encryption/assert-master-key'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { startBusinessClock, type BusinessClock } from '#services/foundation/business-clock'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { createLogger } from '#services/foundation/logger'
import type { StartupError } from '#services/foundation/startup-error'
import { createApp } from '#services/http/app'
import { healthRoutes } from '#services/http/health'
import { createLimits } from '#services/http/limits'
import { listen } from '#services/http/listen'
import { createMetrics } from '#services/http/metrics'
import { createPages } from '#services/http/pages'
import { deleteCustomerSessions } from '#services/http/session-tables'
import { createSessions } from '#services/http/sessions'
import { createMailer } from '#services/mail/mailer'
import { createPlanPrices } from '#services/payments/plan-prices'
import { createPriceReader } from '#services/payments/price-reader'
import { createStripePaymentProvider } from '#services/payments/stripe-payment-provider'
import { createWebhookVerifier } from '#services/payments/stripe-webhook'
import { assertReachable, createPool } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import { outboxStatus } from '#services/reactors/outbox'
import { startReactors } from '#services/reactors/run-reactor'
import { announce } from './announce.ts'
import type { Config } from './config.ts'
import { drainMs } from './drain-ms.ts'
import { openEventLog } from './open-event-log.ts'
import { startPriceCheck, type PriceCheck } from './price-check.ts'
import { createProviderEvents } from './provider-events.ts'
import { provideSandbox, type ProvidedSandbox } from './provide-sandbox.ts'
import { createReadSide } from './read-side.ts'
import { createOutboxReader } from './outbox-reader.ts'
import { createReadiness } from './readiness.ts'
import { createReconcilerHealth } from './reconciler-health.ts'
import { takeReconcilerLease } from './reconciler-lease.ts'
import { startDatabases } from './start-databases.ts'
import { createStartedParts } from './started-parts.ts'
import { createStripeClient } from './stripe-client.ts'
import { watchSourceLog } from './watch-source-log.ts'

export interface Product {
  readonly url: string
  /** Resolves with an error if the log was moved and the product must stop. */
  readonly moved: Promise<StartupError>
  stop(): Promise<void>
}

/**
 * Composes the product from its parts. If a part fails to start, or `signal` aborts the start, this
 * function stops the parts that run before it rejects.
 */
export async function startProduct(
  config: Config,
  print: (line: string) => void,
  signal?: AbortSignal,
): Promise<Product> {
  const log = createLogger(config.logLevel)
  const started = createStartedParts(log)
  let moved: Promise<StartupError> = new Promise(() => undefined)
  try {
    const url = await start()
    return { url, moved, stop: () => started.stop() }
  } catch (error) {
    await started.stop()
    throw error
  }

  async function start(): Promise<string> {
    const server = await listen(config.port, config.host)
    started.addServer('HTTP server', () => server.close(drainMs))
    const metricsServer =
      config.metricsPort === null
        ? null
        : await listen(config.metricsPort, '127.0.0.1', 'METRICS_PORT')
    if (metricsServer !== null) started.addServer('metrics server', () => metricsServer.close(0))

    const databases = await startDatabases(config, print)
    started.add('databases', databases.stop)
    signal?.throwIfAborted()
    const pool = createPool(databases.app, {
      max: 20,
      onIdleError: (error) =>
        log.warn({ err: error }, 'A database connection broke; the pool replaces it.'),
    })
    started.add('database pool', () => pool.end())
    await assertReachable(pool)
    await migrate(databases.app)
    const { store, isInDatabase } = await openEventLog({
      eventStoreUrl: config.eventStoreUrl,
      connectionString: databases.app,
      pool,
      print,
      ...(signal && { signal }),
    })
    started.add('event store', () => store.close())
    const watch = watchSourceLog(pool, await assertSourceLog(pool, store))
    moved = watch.moved
    started.add('watch of the source log', () => watch.close())

    signal?.throwIfAborted()
    const sandbox = await provideSandbox(config, {
      databaseUrl: databases.sandbox,
      appPort: server.port,
      log,
    })
    if (sandbox !== null) started.add('sandbox', () => sandbox.stop())
    signal?.throwIfAborted()
    const clock = config.role === 'projector' ? null : await startClock(pool, sandbox)
    if (clock !== null) started.add('business clock', () => clock.close())

    const keys = createPersonalKeys(pool, config.masterKey)
    await assertMasterKey(pool, keys)
    const codec = createCodec(keys)

    const readiness = createReadiness({
      connectionString: databases.app,
      store,
      isLogInDatabase: isInDatabase,
      dataDir: config.databaseUrl === null ? config.dataDir : null,
      clockProblem: () => clock?.problem() ?? null,
      log,
    })
    started.add('readiness checks', () => readiness.close())
    const reconcilerState = createReconcilerState(pool, systemClock)
    const reconcilerHealth = createReconcilerHealth({
      state: reconcilerState,
      clock: systemClock,
      log,
    })
    const metrics = createMetrics({
      overview: () => projectionsOverview(pool, store),
      isWritable: () => readiness.isWritable(),
      reconciler: () => reconcilerHealth.read(),
      outbox: () => outboxStatus(pool),
      log,
    })
    const readOutbox = createOutboxReader(pool, log)
    metricsServer?.serve(express().use(metrics.routes))
    const readSide = createReadSide({
      connectionString: databases.app,
      pool,
      store,
      codec,
      log,
      shards: config.projectionShards,
      onProjected: metrics.projected,
    })
    if (config.role === 'all' || config.role === 'projector')
      started.add('projectors', readSide.startProjectors())

    let priceCheck: PriceCheck | null = null
    const health = healthRoutes(async () => {
      if (started.isStopping) return { isReady: false, reasons: ['This process is stopping.'] }
      const [measured, outbox] = await Promise.all([readiness.check(), readOutbox()])
      const found = await reconcilerHealth.addTo(measured)
      return { ...(priceCheck?.addTo(found) ?? found), outbox }
    })
    // A projector appends no events, so it has no business clock.
    if (clock === null) {
      server.serve(express().use(health))
      announce(config, sandbox, print)
      return config.publicUrl
    }
    const commands = createCommandHandler({ store, codec, clock })

    const stripe = createStripeClient(config, sandbox)
    const prices = createPlanPrices(config.stripe.priceIds)
    const provider = createStripePaymentProvider(stripe, prices, {
      success: `${config.publicUrl}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
      cancel: `${config.publicUrl}/payment`,
      portalConfiguration: config.stripe.portalConfiguration,
    })
    const { eventsHandledUntil } = reconcilerState
    const billing = createBilling({ commands, provider, clock, log, eventsHandledUntil })
    const { customerLinks: links } = readSide
    const events = createProviderEvents({ billing, provider, stripe, pool, links, log })
    await reconcilerState.begin()
    if (config.role === 'all' || config.role === 'reactor') {
      started.add(
        'reconciler',
        startReconciler({
          ...events,
          billing,
          state: reconcilerState,
          clock: systemClock,
          log,
          takeLease: () => takeReconcilerLease(databases.app),
        }),
      )
      started.add(
        'reactors',
        startReactors([blockedBillingReactor({ billing, provider })], { pool, store, codec, log }),
      )
    }
    if (config.role === 'reactor') {
      server.serve(express().use(health))
      announce(config, sandbox, print)
      return config.publicUrl
    }

    const checkedPrices = await startPriceCheck({ prices, read: createPriceReader(stripe), log })
    priceCheck = checkedPrices
    started.add('price check', async () => checkedPrices.close())
    signal?.throwIfAborted()
    const mailer = createMailer(config.smtpUrl ?? sandbox?.smtpUrl ?? '', config.mailFrom)
    started.add('mailer', () => Promise.resolve(mailer.close()))

    const accounts = createAccounts({
      commands,
      clock,
      ids: randomIds,
      emailHmacKey: config.emailHmacKey,
    })
    const limits = createLimits(pool)
    const passwordHash =
      'passwordHash' in config.admin
        ? config.admin.passwordHash
        : await hashAdminPassword(config.admin.password)
    const sessions = createSessions({
      pool,
      secret: config.sessionSecret,
      isHttps: config.publicUrl.startsWith('https:'),
      port: server.port,
      clock: systemClock,
      comparePositions: store.comparePositions,
      log,
    })
    started.add('sessions', () => Promise.resolve(sessions.close()))
    const verifier = createWebhookVerifier(stripe, {
      secrets: config.stripe.webhookSecrets,
      livemode: config.stripe.livemode,
      clock: systemClock,
    })

    server.serve(
      createApp({
        publicUrl: config.publicUrl,
        trustProxy: config.trustProxy,
        sessions,
        log,
        timeRequests: metrics.timeRequests,
        health,
        webhook: webhookRoute({ verifier, handle: events.handle, log }),
        otherAnswers: [
          portalRedirect({ billing, sessions, publicUrl: config.publicUrl }),
          receiptPdfRoute({ receipts: readSide.receipts, sessions }),
        ],
        areas: [
          authRoutes({
            accounts,
            billing,
            codes: createSignInCodeStore(pool, systemClock),
            mailer,
            limits,
            clock,
          }),
          checkoutRoutes({
            accounts,
            billing,
            prices,
            assertPricesChecked: checkedPrices.assertChecked,
            provider,
            publicUrl: config.publicUrl,
          }),
          purchasesRoutes({ accounts, purchases: readSide.purchases, clock }),
          refundRoutes({ commands, refunds: readSide.refunds, clock }),
          receiptRoutes({ receipts: readSide.receipts }),
          adminLoginRoutes({
            commands,
            limits,
            clock,
            ids: randomIds,
            isPassword: createAdminPasswordCheck(passwordHash),
          }),
          blockRoutes({
            accounts,
            billing,
            endSessions: (userId) => deleteCustomerSessions(pool, userId),
          }),
          adminListRoutes({ queries: readSide.admin, clock }),
        ],
        pages: createPages(fileURLToPath(new URL('../../web', import.meta.url))),
      }),
    )
    announce(config, sandbox, print)
    return config.publicUrl
  }

  function startClock(pool: pg.Pool, sandbox: ProvidedSandbox | null): Promise<BusinessClock> {
    const url = config.clockUrl ?? (sandbox === null ? null : `${sandbox.url}/clock`)
    return startBusinessClock({
      pool,
      followed: url === null ? { kind: 'system' } : { kind: 'url', url },
      log,
      signal,
    })
  }
}
