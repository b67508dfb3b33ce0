import express from 'express'
import { createAccounts } from '#services/accounts/accounts'
import { createCommandHandler } from '#services/commands/handle-command'
import { createStreamCache } from '#services/commands/stream-cache'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createSubjectLog } from '#services/event-store/encryption/subject-log'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { createNewerRelease } from '#services/event-store/newer-release'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import type { StartupError } from '#services/foundation/startup-error'
import { createAdmission } from '#services/http/admission/admission'
import { workLimits } from '#services/http/admission/work'
import { listen, listenWhenServed } from '#services/http/listen'
import { createMailer } from '#services/mail/mailer'
import { createPriceReader } from '#services/payments/stripe/price-reader'
import { announce } from './announce.ts'
import { opensWhenReady, type Config } from './config.ts'
import { assertKnownKeys } from '#services/keys/assert-known-keys'
import { countedCommands } from '#services/http/metrics/counted-commands'
import { hasCustomers } from '#services/accounts/count-customers'
import { createBillingSide } from './create-billing-side.ts'
import { drainMs } from './drain-ms.ts'
import { openStorage, requestConnections } from './open-storage.ts'
import { createPdfFiles } from './pdf-files.ts'
import { startPriceCheck, type PriceCheck } from '#services/billing/price-check'
import { createOutsideServices } from '#services/health/outside-services'
import { notingMailer } from '#services/mail/noting-mailer'
import { provideSandbox } from './provide-sandbox.ts'
import { createReadSide } from '#services/read-side/read-side'
import { sandboxNotes } from './sandbox-notes.ts'
import { startApp } from './start-app.ts'
import { startBackgroundWork } from './start-background-work.ts'
import { startClock } from './start-clock.ts'
import { startMonitoring } from './start-monitoring.ts'
import { createStartedParts } from './started-parts.ts'
import { textSenderOf } from './text-sender-of.ts'
import { createTracedLogger, startTracing } from './tracing/start-tracing.ts'
import { watchKeys } from '#services/keys/watch-keys'
import { watchStreamCache } from '#services/commands/watch-stream-cache'

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
    const parts = await start()
    return { ...parts, url: config.publicUrl, stop: () => started.stop() }
  } catch (error) {
    await started.stop()
    throw error
  }

  async function start(): Promise<Pick<Product, 'moved' | 'followClock'>> {
    const { server, metricsServer } = await listenOnPorts()
    const storage = await openStorage(context)
    const { pool, reading, background, store, connectionString, moved } = storage

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

    const keys = createPersonalKeys(pool, config.masterKey, {
      previousMasterKey: config.previousMasterKey,
      subjects: createSubjectLog(store),
      onErased: (subject) => streamCache.forgetSubject(subject),
    })
    const streamCache = createStreamCache({ keys })
    const emailKeys = await watchKeys({ connectionString, keys: config, log })
    started.add('watch of the keys', () => emailKeys.close())
    await assertKnownKeys(background, config)
    const codec = createCodec(keys)

    const admission = createAdmission({ limits: workLimits(requestConnections(config)), log })
    let priceCheck: PriceCheck | null = null
    const { metrics, reconcilerState, health } = startMonitoring(
      context,
      storage,
      clock,
      admission,
      (found) => priceCheck?.addTo(found) ?? found,
    )
    await metricsServer?.serve(express().use(metrics.routes))
    const readSide = tracing.readSide(
      createReadSide({
        connectionString,
        pool,
        reading,
        store,
        codec,
        log,
        shards: config.projectionShards,
        timeZone: config.reportingTimeZone,
        onProjected: metrics.projected,
        newerRelease,
        asProjected: tracing.readModel,
      }),
    )
    if (config.role === 'all' || config.role === 'projector')
      started.add('projectors', readSide.startProjectors())
    if (clock === null) {
      await server.serve(express().use(health.router))
      announce(config, print)
      return running
    }

    const watch = watchStreamCache({ cache: streamCache, keys, connectionString, log })
    started.add('watch of the stream cache', () => watch.close())
    const commands = countedCommands(
      tracing.commands(
        createCommandHandler({
          store,
          codec,
          clock,
          macKey: macKeyOf(config.auditKey),
          cache: streamCache,
        }),
      ),
      metrics.messages,
    )
    const side = createBillingSide(context, {
      sandbox,
      pool,
      commands,
      clock,
      readSide,
      reconcilerState,
    })
    const smtpUrl = config.smtpUrl ?? sandbox?.smtpUrl ?? ''
    const mailer = tracing.mailer(
      notingMailer(
        createMailer(smtpUrl, config.mailFrom, {
          mailMs: longestCodeMailMs,
          bounceAddress: config.bounces?.address ?? null,
        }),
        outside.mails,
      ),
    )
    started.add('mailer', () => Promise.resolve(mailer.close()))
    const textSender = textSenderOf(config, sandbox?.url ?? null)
    const texts = textSender === null ? null : tracing.texts(textSender)
    const accounts = createAccounts({ commands, clock, ids: randomIds, emailKeys })
    const files = createPdfFiles()
    started.add('threads of PDF files', () => files.close())
    await reconcilerState.begin()
    if (config.role === 'all' || config.role === 'reactor')
      startBackgroundWork(context, {
        storage,
        commands,
        codec,
        keys,
        emailKeys,
        clock,
        side,
        smtpUrl,
        texts,
        receiptOf: readSide.receiptOf,
        files,
        reconcilerState,
        unverified: readSide.unverified,
        clientsWithOthers: readSide.imports.clientsWithOthers,
        stoppedAmong: readSide.stoppedAmong,
      })
    if (config.role === 'reactor') {
      await server.serve(express().use(health.router))
      announce(config, print)
      return running
    }

    const prices = await startPriceCheck({
      prices: side.prices,
      read: createPriceReader(side.stripe),
      log,
    })
    priceCheck = prices
    started.add('price check', async () => prices.close())
    signal?.throwIfAborted()
    const app = await startApp(context, {
      storage,
      accounts,
      mailer,
      texts,
      commands,
      codec,
      keys,
      emailKeys,
      clock,
      side,
      readSide,
      files,
      prices,
      admission,
      metrics,
      health,
    })
    await server.serve(app)
    const facts = { clock, realClock: systemClock, isFilled: await hasCustomers(background) }
    announce(config, print, sandboxNotes(config, facts))
    return running
  }

  /** The ports are taken first, so that a second start on them does not touch the data. */
  async function listenOnPorts() {
    const server = await (opensWhenReady(config) ? listenWhenServed : listen)(
      config.port,
      config.host,
    )
    started.addServer('HTTP server', () => server.close(drainMs))
    if (config.metrics === null) return { server, metricsServer: null }
    const metricsServer = await listen(config.metrics.port, config.metrics.host, 'METRICS_PORT')
    started.addServer('metrics server', () => metricsServer.close(0))
    return { server, metricsServer }
  }
}
