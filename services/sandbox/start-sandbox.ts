import type { Server } from 'node:http'
import pino, { type Logger } from 'pino'
import { growingPauses } from '#services/foundation/growing-pauses'
import { createOutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { catchUp } from './billing/pass-time.ts'
import type { SandboxConfig } from './config.ts'
import { createApp, listen } from './http-server.ts'
import { listenForMail } from './messages/smtp-listener.ts'
import { readStyles } from './pages/styles.ts'
import { openDatabase } from './store/database.ts'
import { createStore } from './store/store.ts'
import { hurryDeliveries, startDeliveries } from './webhooks/deliver.ts'

export interface Sandbox {
  /** Where a browser reaches it. */
  readonly url: string
  readonly port: number
  readonly smtpPort: number
  /** Takes no more requests, finishes what is being written, and ends its connections. */
  close(): Promise<void>
}

interface Options {
  readonly log?: Logger
  /** Another process took the database over: this one must stop. */
  readonly onTaken?: (error: Error) => void
  /** How long a predecessor may take to let go of the database. */
  readonly timeoutMs?: number
}

const lookAtTimeEveryMs = 1_000

/** Starts the outside world on this machine. Throws a StartupError when it cannot. */
export async function startSandbox(config: SandboxConfig, options: Options = {}): Promise<Sandbox> {
  const log = options.log ?? pino({ name: 'sandbox', level: 'warn' }, pino.destination(2))
  const styles = await readStyles()
  // The claim on the database comes before the ports: a predecessor that was killed has let go of both then.
  const database = await openDatabase(config.databaseUrl, options.timeoutMs ?? 10_000, (error) =>
    options.onTaken?.(error),
  )
  const undo: (() => Promise<unknown>)[] = [() => database.close()]
  try {
    const store = createStore(database.pool, { sendsWebhooks: config.webhook !== null })
    undo.unshift(() => store.close())
    let ownUrl = ''
    const app = createApp({
      store,
      pool: database.pool,
      styles,
      productUrl: config.productUrl,
      ownUrl: () => ownUrl,
      log,
    })
    const mail = await listenForMail(store, config.host, config.smtpPort, log)
    undo.unshift(() => mail.close())
    const { server, port } = await listen(app, config.host, config.port)
    undo.unshift(() => closeServer(server))
    ownUrl = (
      config.ownUrl ??
      `http://${config.host === '127.0.0.1' || config.host === '0.0.0.0' ? 'localhost' : config.host}:${port}`
    ).replace(/\/$/, '')
    if (config.webhook !== null) {
      await hurryDeliveries(database.pool)
      const deliveries = startDeliveries(database.pool, config.webhook, log)
      store.onChange(() => deliveries.wake())
      undo.unshift(() => deliveries.close())
    }
    const time = passTime(() => catchUp(store), log)
    undo.unshift(() => time.stop())
    return { url: ownUrl, port, smtpPort: mail.port, close: () => inOrder(undo) }
  } catch (error) {
    await inOrder(undo)
    throw error
  }
}

/** Renewals, retries and expiries happen by themselves as time passes. */
function passTime(look: () => Promise<void>, log: Logger): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const looking = repeat(look, {
    everyMs: lookAtTimeEveryMs,
    pauses: growingPauses({ firstMs: lookAtTimeEveryMs, longestMs: 30_000 }),
    outage: createOutageLog(log, {
      began: 'What is due could not be done; retrying with growing pauses.',
      lasts: 'What is due still cannot be done.',
      over: 'What is due is done again.',
    }),
    signal: stopped.signal,
  })
  return {
    stop: () => {
      stopped.abort()
      return looking
    },
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // A request that hangs must not keep the rest from ending.
  const forcedClose = setTimeout(() => server.closeAllConnections(), 2_000)
  await closed
  clearTimeout(forcedClose)
}

async function inOrder(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) await step()
}
