import express from 'express'
import { createAccounts } from '#services/accounts/accounts'
import { hasCustomers } from '#services/accounts/count-customers'
import { startPriceCheck, type PriceCheck } from '#services/billing/price-check'
import { createNewerRelease } from '#services/event-store/newer-release'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import type { StartupError } from '#services/foundation/startup-error'
import { createOutsideServices } from '#services/health/outside-services'
import { createAdmission } from '#services/http/admission/admission'
import { requestConnectionsOf, workLimits } from '#services/http/admission/work'
import { announce } from './announce.ts'
import type { Config } from '#services/settings/config'
import { createBillingSide } from './create-billing-side.ts'
import { listenOnPorts } from './listen-on-ports.ts'
import { openStorage } from './open-storage.ts'
import { createPdfFiles } from './pdf-files.ts'
import { provideSandbox } from '#services/sandbox-process/provide-sandbox'
import { sandboxNotes } from '#services/sandbox-process/sandbox-notes'
import { startApp } from './start-app.ts'
import { startBackgroundWork } from './start-background-work.ts'
import { startClock } from './start-clock.ts'
import { startMailer } from './start-mailer.ts'
import { startCommands } from './start-commands.ts'
import type { StartContext } from './start-context.ts'
import { startKeys } from './start-keys.ts'
import { startMonitoring } from './start-monitoring.ts'
import { startReadSide } from './start-read-side.ts'
import { createStartedParts } from './started-parts.ts'
import { textSenderOf } from './text-sender-of.ts'
import { createTracedLogger, startTracing } from './tracing/start-tracing.ts'

export interface Product {
  readonly url: string
  /** Resolves with an error if the log was moved and the product must stop. */
  readonly moved: Promise<StartupError>
  /** Reads the followed clock now, and not at the next of two readings per second. */
  followClock(): Promise<void>
  stop(): Promise<void>
}

/** A person waits for the mail with a code. The mails of reactors may take longer. */
const longestCodeMailMs = 12_000

/**
 * Composes the product from its parts. If a part fails to start, or `signal` aborts the start, this
 * function stops the parts that run before it rejects.
 */
export async function startProduct(
  config: Config,
  print: (line: string) => void,
  signal?: AbortSignal,
): Promise<Product> {
  const { log, active } = createTracedLogger(config)
  const started = createStartedParts(log)
  const newerRelease = createNewerRelease(log)
  const tracing = await startTracing({ config, active, log, started })
  const outside = createOutsideServices()
  const context = { config, log, started, newerRelease, tracing, outside, print, signal }
  try {
    const parts = await startParts(context)
    return { ...parts, url: config.publicUrl, stop: () => started.stop() }
  } catch (error) {
    await started.stop()
    throw error
  }
}

async function startParts(context: StartContext): Promise<Pick<Product, 'moved' | 'followClock'>> {
  const { config, log, started, tracing, print, signal } = context
  const { server, metricsServer } = await listenOnPorts(context)
  const storage = await openStorage(context)
  const { pool, background, moved } = storage

  signal?.throwIfAborted()
  const sandbox = await provideSandbox(config, {
    databaseUrl: storage.sandboxDatabase,
    appPort: server.port,
    log,
  })
  if (sandbox !== null) started.add('sandbox', () => sandbox.stop())
  signal?.throwIfAborted()
  const clock = await startClock(context, background, sandbox)
  const running = { moved, followClock: async () => clock?.follow() }

  const { keys, emailKeys, codec, streamCache } = await startKeys(context, storage)
  const admission = createAdmission({ limits: workLimits(requestConnectionsOf(config)), log })
  let priceCheck: PriceCheck | null = null
  const { metrics, reconcilerState, health } = startMonitoring(
    context,
    storage,
    clock,
    admission,
    (found) => priceCheck?.addTo(found) ?? found,
  )
  await metricsServer?.serve(express().use(metrics.routes))
  const readSide = startReadSide(context, storage, codec, metrics.projected)
  if (clock === null) return serveHealth()

  const commands = startCommands(context, storage, { codec, keys, streamCache, clock, metrics })
  const side = createBillingSide(context, {
    sandbox,
    pool,
    commands,
    clock,
    readSide,
    reconcilerState,
  })
  const smtpUrl = config.smtpUrl ?? sandbox?.smtpUrl ?? ''
  const mailer = startMailer(context, 'mailer', smtpUrl, { mailMs: longestCodeMailMs })
  const textSender = textSenderOf(config, sandbox?.url ?? null)
  const texts = textSender === null ? null : tracing.texts(textSender)
  const accounts = createAccounts({ commands, clock, ids: randomIds, emailKeys })
  const files = createPdfFiles()
  started.add('threads of PDF files', () => files.close())
  const shared = { storage, commands, codec, keys, emailKeys, clock, side, readSide, texts, files }
  await reconcilerState.begin()
  if (config.role === 'all' || config.role === 'reactor')
    startBackgroundWork(context, { ...shared, smtpUrl, reconcilerState })
  if (config.role === 'reactor') return serveHealth()

  const prices = await startPriceCheck({
    prices: side.prices,
    read: side.ports.readPrice,
    log,
  })
  priceCheck = prices
  started.add('price check', async () => prices.close())
  signal?.throwIfAborted()
  const app = await startApp(context, {
    ...shared,
    accounts,
    mailer,
    prices,
    admission,
    metrics,
    health,
  })
  await server.serve(app)
  const noteParts = { clock, realClock: systemClock, isFilled: await hasCustomers(background) }
  announce(config, print, sandboxNotes(config, noteParts))
  return running

  /** This process answers only whether it is alive and ready. */
  async function serveHealth() {
    await server.serve(express().use(health.router))
    announce(config, print)
    return running
  }
}
