import { fileURLToPath } from 'node:url'
import express from 'express'
import Stripe from 'stripe'
import { assertFollowed } from '#projections/engine/followed-log'
import { projectionsOverview } from '#projections/engine/overview'
import { adminLoginRoutes } from './admin/login-routes.ts'
import { adminListRoutes } from './admin/list-routes.ts'
import { createAdminPasswordCheck, hashAdminPassword } from './admin/admin-password.ts'
import { createAccounts } from './accounts/accounts.ts'
import { authRoutes } from './accounts/auth-routes.ts'
import { createSignInCodeStore } from './accounts/sign-in-code-store.ts'
import { createBilling } from './billing/billing-service.ts'
import { checkoutRoutes } from './billing/checkout-routes.ts'
import { portalRedirect } from './billing/portal-redirect.ts'
import { purchasesRoutes } from './billing/purchases-routes.ts'
import { webhookRoute } from './billing/webhook-route.ts'
import { startBusinessClock } from './business-clock.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { assertMasterKey } from './event-store/assert-master-key.ts'
import { createCodec } from './event-store/codec.ts'
import { openEventLog } from './event-store/open-event-log.ts'
import { createPersonalKeys } from './event-store/personal-keys.ts'
import { createCommandHandler } from './handle-command.ts'
import { createApp } from './http/app.ts'
import { healthRoutes } from './http/health.ts'
import { createLimits } from './http/limits.ts'
import { listen } from './http/listen.ts'
import { createMetrics } from './http/metrics.ts'
import { createPages } from './http/pages.ts'
import { createSessions } from './http/sessions.ts'
import { randomIds } from './ids.ts'
import { createLog } from './log.ts'
import { createMailer } from './mail/mailer.ts'
import { createPlanPrices } from './payments/plan-prices.ts'
import { createStripePaymentProvider } from './payments/stripe-payment-provider.ts'
import { createWebhookVerifier } from './payments/stripe-webhook.ts'
import { assertReachable, createPool } from './postgres/connect.ts'
import { migrate } from './postgres/migrate.ts'
import { createReadSide } from './read-side.ts'
import { createReadiness } from './start/readiness.ts'
import { startSandboxProcess } from './sandbox-process.ts'
import { startDatabases } from './start-databases.ts'
import { createStartedParts } from './started-parts.ts'
import type { StartupError } from './startup-error.ts'
import { watchFollowedLog } from './watch-followed-log.ts'

export interface Product {
  readonly url: string
  /** Resolves, with what to say, when it has to stop by itself. */
  readonly moved: Promise<StartupError>
  stop(): Promise<void>
}

/** The outside world that we talk to: a process of ours, or one that runs elsewhere and takes no mail for us. */
interface RunningSandbox {
  readonly url: string
  readonly smtpUrl: string | null
}

const drainMs = 10_000

/**
 * Composes the product from its parts. When a part fails to start, or `signal` aborts the start, the parts that run are stopped
 * before the returned promise rejects.
 */
export async function startProduct(config: Config, say: (line: string) => void, signal?: AbortSignal): Promise<Product> {
  const log = createLog(config.logLevel)
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
    started.addServer(() => server.close(drainMs))
    const metricsServer = config.metricsPort === null ? null : await listen(config.metricsPort, '127.0.0.1', 'METRICS_PORT')
    if (metricsServer !== null) started.addServer(() => metricsServer.close(0))

    const databases = await startDatabases(config, say)
    started.add(databases.stop)
    signal?.throwIfAborted()
    const pool = createPool(databases.app, {
      max: 20, applicationName: 'billing', onIdleError: (error) => log.warn({ err: error }, 'a database connection broke and is replaced'),
    })
    started.add(() => pool.end())
    await assertReachable(pool)
    await migrate(databases.app)
    const { store, isInDatabase } = await openEventLog({ eventStoreUrl: config.eventStoreUrl, connectionString: databases.app, pool, say, ...(signal && { signal }) })
    started.add(() => store.close())
    const watch = watchFollowedLog(pool, await assertFollowed(pool, store))
    moved = watch.moved
    started.add(() => watch.close())

    signal?.throwIfAborted()
    const sandbox = await startSandbox(databases.sandbox, server.port)
    signal?.throwIfAborted()
    const clock = await startBusinessClock({ pool, url: config.clockUrl ?? (sandbox === null ? null : `${sandbox.url}/clock`), log })
    started.add(() => clock.close())

    const keys = createPersonalKeys(pool, config.masterKey)
    await assertMasterKey(pool, keys)
    const codec = createCodec(keys)
    const commands = createCommandHandler({ store, codec, clock })

    const readiness = createReadiness({
      connectionString: databases.app, store, isLogInDatabase: isInDatabase, dataDir: config.databaseUrl === null ? config.dataDir : null, log,
    })
    started.add(() => readiness.close())
    const metrics = createMetrics({ overview: () => projectionsOverview(pool, store), isWritable: () => readiness.isWritable(), log })
    metricsServer?.serve(express().use(metrics.routes))
    const readSide = createReadSide({ connectionString: databases.app, pool, store, codec, log, shards: config.projectionShards, onProjected: metrics.projected })
    if (config.role !== 'api') started.add(readSide.startProjectors())

    const health = healthRoutes(async () => (started.isStopping ? { isReady: false, reasons: ['This process is stopping.'] } : readiness.look()))
    if (config.role === 'projector') {
      server.serve(express().use(health))
      return announce(sandbox)
    }

    const stripe = new Stripe(config.stripe.secretKey, {
      ...(sandbox !== null && config.sandbox?.playsStripe ? stripeAt(new URL(sandbox.url)) : {}),
      timeout: 10_000, maxNetworkRetries: 2, telemetry: false,
    })
    const prices = createPlanPrices(config.stripe.priceIds)
    const provider = createStripePaymentProvider(stripe, prices, {
      success: `${config.publicUrl}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
      cancel: `${config.publicUrl}/payment`,
      portalConfiguration: config.stripe.portalConfiguration,
    })
    const mailer = createMailer(config.smtpUrl ?? sandbox?.smtpUrl ?? '', config.mailFrom)
    started.add(() => Promise.resolve(mailer.close()))

    const accounts = createAccounts({ commands, clock, ids: randomIds, emailHmacKey: config.emailHmacKey })
    const billing = createBilling({ commands, provider, clock, log })
    const limits = createLimits(pool)
    const passwordHash = 'passwordHash' in config.admin ? config.admin.passwordHash : await hashAdminPassword(config.admin.password)
    const sessions = createSessions({
      pool, secret: config.sessionSecret, isHttps: config.publicUrl.startsWith('https:'), trustProxy: config.trustProxy,
      port: server.port, clock: systemClock, comparePositions: store.comparePositions,
    })
    const verifier = createWebhookVerifier(stripe, { secrets: config.stripe.webhookSecrets, livemode: config.stripe.livemode, clock: systemClock })

    server.serve(createApp({
      publicUrl: config.publicUrl,
      trustProxy: config.trustProxy,
      sessions,
      log,
      timeRequests: metrics.timeRequests,
      health,
      webhook: webhookRoute({ billing, provider, verifier, log }),
      redirects: portalRedirect({ billing, sessions, publicUrl: config.publicUrl }),
      areas: [
        authRoutes({ accounts, billing, codes: createSignInCodeStore(pool, systemClock), mailer, limits, clock }),
        checkoutRoutes({ accounts, billing, prices, provider, publicUrl: config.publicUrl }),
        purchasesRoutes({ accounts, purchases: readSide.purchases, clock }),
        adminLoginRoutes({ commands, limits, clock, ids: randomIds, isPassword: createAdminPasswordCheck(passwordHash) }),
        adminListRoutes({ queries: readSide.admin, clock }),
      ],
      pages: createPages(fileURLToPath(new URL('../web', import.meta.url))),
    }))
    return announce(sandbox)
  }

  async function startSandbox(databaseUrl: string | null, appPort: number): Promise<RunningSandbox | null> {
    // One sandbox a world: SANDBOX_URL names the one that several processes share, and its clock.
    if (config.sandbox !== null && config.sandbox.url !== null) return { url: config.sandbox.url, smtpUrl: null }
    if (config.sandbox === null || databaseUrl === null || config.role === 'projector') return null
    const sandbox = await startSandboxProcess(
      new URL('./sandbox/main.js', import.meta.url),
      {
        SANDBOX_PORT: String(config.sandbox.port),
        SANDBOX_DATABASE_URL: databaseUrl,
        SANDBOX_SMTP_PORT: '0',
        STRIPE_WEBHOOK_SECRET: config.stripe.webhookSecrets[0] ?? '',
        WEBHOOK_URL: `http://127.0.0.1:${appPort}/api/stripe/webhook`,
        PUBLIC_URL: config.publicUrl,
        // People reach the hosted pages under the name by which they reach us.
        SANDBOX_PUBLIC_URL: `http://${new URL(config.publicUrl).hostname}:${config.sandbox.port}`,
        HOST: config.host,
      },
      (reason) => log.error({ reason }, 'The sandbox ended. Payments and mail fail until the product is restarted.'),
    )
    started.add(() => sandbox.stop())
    return sandbox
  }

  function announce(sandbox: { readonly url: string } | null): string {
    const { publicUrl } = config
    say('')
    say(`  Agile Receivables   ${publicUrl}`)
    if (config.role !== 'projector') say(`  Administrators      ${publicUrl}/admin`)
    if (!('passwordHash' in config.admin) && config.role !== 'projector') say(`  Admin password      ${config.admin.password}`)
    if (sandbox !== null && config.smtpUrl === null) say(`  Sandbox inbox       ${sandbox.url.replace('127.0.0.1', 'localhost')}/inbox`)
    say('')
    say('  Ctrl-C stops it; everything is kept.')
    return publicUrl
  }
}

/** Where Stripe's library finds the sandbox. */
function stripeAt({ protocol, hostname, port }: URL): Stripe.StripeConfig {
  const isHttps = protocol === 'https:'
  return { host: hostname, port: port === '' ? (isHttps ? '443' : '80') : port, protocol: isHttps ? 'https' : 'http' }
}
