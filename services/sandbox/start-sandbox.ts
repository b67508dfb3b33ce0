import type { Server } from 'node:http'
import pino, { type Logger } from 'pino'
import { createBackoff } from '#services/foundation/backoff'
import { createOutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { applyDueChanges } from './billing/apply-due-changes.ts'
import type { SandboxConfig } from './config.ts'
import { createApp, listen } from './http-server.ts'
import { reportWebhookOf, startBounces } from './messages/bounces.ts'
import { textWebhookOf } from './messages/inbound-text.ts'
import { listenForMail } from './messages/smtp-listener.ts'
import { readStyles } from './pages/styles.ts'
import { openDatabase } from './store/database.ts'
import { createStore } from './store/store.ts'
import { makeRetriesDue, startDeliveries } from './webhooks/deliver.ts'

export interface Sandbox {
  /** The sandbox's URL for browsers. */
  readonly url: string
  readonly port: number
  readonly smtpPort: number
  /** Stops listening, finishes the requests and changes in progress, and closes the connections. */
  close(): Promise<void>
}

interface Options {
  readonly log?: Logger
  /** Another sandbox claimed the database: this process must stop. */
  readonly onTaken?: (error: Error) => void
  /** Longest wait for a previous sandbox to release the database, in milliseconds. */
  readonly timeoutMs?: number
}

const dueChangesEveryMs = 1_000

/**
 * Starts the simulated external services.
 * @throws StartupError if the database, a port or a file cannot be used
 */
export async function startSandbox(config: SandboxConfig, options: Options = {}): Promise<Sandbox> {
  const log = options.log ?? pino({ name: 'sandbox', level: 'warn' }, pino.destination(2))
  const styles = await readStyles()
  // The claim comes before the ports: a killed predecessor that has released the database has
  // released its ports too.
  const database = await openDatabase(config.databaseUrl, options.timeoutMs ?? 10_000, (error) =>
    options.onTaken?.(error),
  )
  const closers: (() => Promise<unknown>)[] = [() => database.close()]
  try {
    let ownUrl = ''
    const reportWebhook = reportWebhookOf(config.webhook)
    const store = createStore(database.pool, {
      sendsWebhooks: {
        platform: config.webhook !== null,
        connect: config.connectWebhook !== null,
      },
      ownUrl: () => ownUrl,
    })
    closers.unshift(() => store.close())
    const app = createApp({
      store,
      pool: database.pool,
      styles,
      productUrl: config.productUrl,
      ownUrl: () => ownUrl,
      textWebhook: textWebhookOf(config.webhook, config.productUrl),
      reportWebhook,
      otherUrls: config.internalUrl === null ? [] : [config.internalUrl],
      log,
    })
    const mail = await listenForMail(store, config.host, config.smtpPort, log)
    closers.unshift(() => mail.close())
    const { server, port } = await listen(app, config.host, config.port)
    closers.unshift(() => closeServer(server))
    ownUrl = (
      config.ownUrl ??
      `http://${config.host === '127.0.0.1' || config.host === '0.0.0.0' ? 'localhost' : config.host}:${port}`
    ).replace(/\/$/, '')
    if (config.webhook !== null || config.connectWebhook !== null) {
      await makeRetriesDue(database.pool)
      const endpoints = { platform: config.webhook, connect: config.connectWebhook }
      const deliveries = startDeliveries(database.pool, endpoints, log)
      store.onChange(() => deliveries.wake())
      closers.unshift(() => deliveries.close())
    }
    if (reportWebhook !== null) {
      const bounces = startBounces(database.pool, reportWebhook, log)
      closers.unshift(() => bounces.close())
    }
    const dueChanges = repeatDueChanges(() => applyDueChanges(store), log)
    closers.unshift(() => dueChanges.stop())
    return { url: ownUrl, port, smtpPort: mail.port, close: () => inOrder(closers) }
  } catch (error) {
    await inOrder(closers)
    throw error
  }
}

/** Applies renewals, retries and expiries as real time passes. */
function repeatDueChanges(apply: () => Promise<void>, log: Logger): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const repeating = repeat(apply, {
    everyMs: dueChangesEveryMs,
    backoff: createBackoff({ firstMs: dueChangesEveryMs, longestMs: 30_000 }),
    outage: createOutageLog(log, {
      began: 'Applying the due changes failed; retrying with backoff.',
      lasts: 'Applying the due changes still fails.',
      over: 'The due changes are applied again.',
    }),
    signal: stopped.signal,
  })
  return {
    stop: () => {
      stopped.abort()
      return repeating
    },
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // Closes requests that take longer than 2 s, so that the remaining steps run.
  const forcedClose = setTimeout(() => server.closeAllConnections(), 2_000)
  await closed
  clearTimeout(forcedClose)
}

async function inOrder(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) await step()
}
