import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { readPostmasterFile } from '#services/postgres/embedded/postmaster-file'
import { startEmbeddedPostgres } from '#services/postgres/embedded-postgres'
import { ensureDatabase } from '#services/postgres/connect'
import { freePort } from '../../support/machine/free-port.ts'
import { startFaultyLink, type FaultyLink } from '../../support/machine/faulty-link.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { webhookSecret } from '../../support/product/sandbox.ts'

/** A program that is started again whenever it ends, until the world closes. */
interface Service {
  kill(signal: NodeJS.Signals): void
  /** Resolves when the program answers. @throws Error if it does not within 90 s */
  ready(): Promise<void>
}

/** The product as several processes, with its database, its provider and the links between. */
export interface World {
  /** The address of the product, behind a proxy. */
  readonly url: string
  readonly sandboxUrl: string
  readonly sandboxPort: number
  readonly adminPassword: string
  /** For `npm run billing`, directly to the database. */
  readonly settings: Readonly<Record<string, string>> & {
    readonly DATA_DIR: string
    readonly DATABASE_URL: string
    readonly MASTER_KEY: string
  }
  readonly products: readonly Service[]
  readonly provider: Service
  /** The links of the product to its database and to its mail server. */
  readonly database: FaultyLink
  readonly mails: FaultyLink
  /** A connection to the product's database that no fault breaks, apart from a kill. */
  readonly pool: pg.Pool
  killDatabase(): Promise<void>
  /** Moves the system's time of a process by these minutes; 0 moves it back. */
  jump(process: number, minutes: number): void
  /** What the programs printed at the level of errors, and their last lines. */
  output(): string
  close(): Promise<void>
}

const secrets = {
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  SESSION_SECRET: 's'.repeat(32),
  MASTER_KEY: 'ab'.repeat(32),
  EMAIL_HMAC_KEY: 'cd'.repeat(32),
  AUDIT_KEY: 'ef'.repeat(32),
}

export async function startWorld(processes: number): Promise<World> {
  const directory = await temporaryDirectory()
  const [server, providerServer] = await Promise.all(
    ['product', 'provider'].map((name) =>
      startEmbeddedPostgres({ dataDir: join(directory.path, name, 'postgres') }),
    ),
  )
  if (server === undefined || providerServer === undefined) throw new Error('No server started.')
  await ensureDatabase(server.connectionString('postgres'), 'billing')
  await ensureDatabase(providerServer.connectionString('postgres'), 'sandbox')
  const direct = server.connectionString('billing')
  const database = await startFaultyLink([Number(new URL(direct).port)])

  const ports = await Promise.all(Array.from({ length: processes }, () => freePort()))
  const front = await startFaultyLink(ports)
  const [sandboxPort, smtpPort] = [await freePort(), await freePort()]
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  const mails = await startFaultyLink([smtpPort])
  const url = `http://localhost:${front.port}`
  const jumpFile = (process: number) => join(directory.path, `jump-${process}`)
  const output: string[] = []

  const provider = keepRunning(
    ['dist/services/sandbox/main.js'],
    {
      SANDBOX_DATABASE_URL: providerServer.connectionString('sandbox'),
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(smtpPort),
      SANDBOX_PUBLIC_URL: sandboxUrl,
      PUBLIC_URL: url,
      WEBHOOK_URL: `${url}/api/stripe/webhook`,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
    },
    `${sandboxUrl}/clock`,
    output,
  )
  await provider.ready()
  const throughLink = Object.assign(new URL(direct), { port: String(database.port) }).href
  const settings = {
    ...secrets,
    DATA_DIR: join(directory.path, 'data'),
    PUBLIC_URL: url,
    SANDBOX_URL: sandboxUrl,
    TRUST_PROXY: '1',
    ADMIN_PASSWORD: 'a password of the faults',
  }
  const products = ports.map((port, index) =>
    keepRunning(
      ['--max-semi-space-size=32', 'dist/services/main.js'],
      {
        ...settings,
        DATABASE_URL: throughLink,
        SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
        PORT: String(port),
        NODE_OPTIONS: `--import ${pathToFileURL(resolve(import.meta.dirname, 'jumping-clock.mjs')).href}`,
        JUMP_FILE: jumpFile(index),
      },
      `http://127.0.0.1:${port}/readyz`,
      output,
    ),
  )
  for (const product of products) await product.ready()
  const pool = new pg.Pool({ connectionString: direct, max: 2 })
  pool.on('error', () => undefined)
  return {
    url,
    sandboxUrl,
    sandboxPort,
    adminPassword: settings.ADMIN_PASSWORD,
    settings: { ...settings, DATABASE_URL: direct, SMTP_URL: `smtp://127.0.0.1:${smtpPort}` },
    products,
    provider,
    database,
    mails,
    pool,
    async killDatabase() {
      const running = await readPostmasterFile(join(server.dataDir, 'cluster'))
      if (running !== null) process.kill(running.pid, 'SIGKILL')
    },
    jump: (process, minutes) => writeFileSync(jumpFile(process), String(minutes)),
    output: () => output.slice(-200).join(''),
    async close() {
      await Promise.all([...products, provider].map((each) => each.end()))
      await pool.end()
      await Promise.all([front, database, mails].map((link) => link.close()))
      await Promise.all([server.stop(), providerServer.stop()])
      await directory.remove()
    },
  }
}

const readyMs = 90_000

/** Starts a program, and starts it again whenever it ends. */
function keepRunning(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  readyUrl: string,
  output: string[],
): Service & { end(): Promise<void> } {
  const { PATH, HOME, TMPDIR } = process.env
  let isEnding = false
  let child = start()

  function start(): ChildProcess {
    const started = spawn(process.execPath, args, {
      env: { PATH, HOME, TMPDIR, LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (chunk: Buffer) => output.push(chunk.toString('utf8')))
    started.once('exit', () => {
      // A start is refused while the database is away.
      if (!isEnding) setTimeout(() => (isEnding ? undefined : (child = start())), 200)
    })
    return started
  }

  return {
    kill: (signal) => void child.kill(signal),
    async ready() {
      const deadline = performance.now() + readyMs
      for (;;) {
        const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(5_000) }).catch(
          () => null,
        )
        if (answer?.status === 200) return
        if (performance.now() > deadline)
          throw new Error(
            `${readyUrl} was not ready within ${readyMs / 1_000} s: ${answer === null ? 'no answer' : await answer.text()}`,
          )
        await sleep(100)
      }
    },
    async end() {
      isEnding = true
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      await Promise.race([once(child, 'exit'), sleep(20_000).then(() => child.kill('SIGKILL'))])
    },
  }
}
