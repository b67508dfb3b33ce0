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
import { mountSmallDisk, whyNoSmallDisk } from '../../support/machine/small-disk.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { productSecrets } from '../../support/product/product-settings.ts'
import { keepRunning, type Service } from './keep-running.ts'
import { createProgramOutput, type ProgramOutput } from './program-output.ts'

/** The product as several processes, with its database, its provider and the links between. */
export interface World {
  /** The address of the product, behind a proxy that takes its processes in turn. */
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
  /** The links of the customers to the product, and of the product to database and mail server. */
  readonly front: FaultyLink
  readonly database: FaultyLink
  readonly mails: FaultyLink
  /** The disk of the database, or why it cannot be filled. */
  readonly disk: { fill(): void; free(): void } | { readonly whyNot: string }
  /** Connections to the databases that no fault breaks, apart from a kill. */
  readonly pool: pg.Pool
  readonly providerPool: pg.Pool
  killDatabase(): Promise<void>
  /** Moves the system's time of a process by these minutes; 0 moves it back. */
  jump(process: number, minutes: number): void
  readonly output: ProgramOutput
  close(): Promise<void>
}

/** Room for the write-ahead log of an hour. The tmpfs takes only the memory of its files. */
const diskMegabytes = 3_000

/** `onUncaught` receives lines that show an error that a program did not handle. */
export async function startWorld(
  processes: number,
  onUncaught: (lines: string) => void,
): Promise<World> {
  const directory = await temporaryDirectory()
  const whyNot = whyNoSmallDisk()
  const disk = whyNot === null ? mountSmallDisk(diskMegabytes) : null
  const startServer = (dataDir: string) =>
    startEmbeddedPostgres({
      dataDir,
      // A kill comes soon after the one before it, and an operator's server would wait up to 30 s.
      sleep: (milliseconds, signal) =>
        sleep(Math.min(milliseconds, 300), undefined, { signal }).catch(() => undefined),
    })
  const [server, providerServer] = await Promise.all([
    startServer(join(disk?.path ?? directory.path, 'product')),
    startServer(join(directory.path, 'provider')),
  ])
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
  const output = createProgramOutput(onUncaught)

  const provider = keepRunning(
    ['dist/services/sandbox/main.js'],
    {
      SANDBOX_DATABASE_URL: providerServer.connectionString('sandbox'),
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(smtpPort),
      SANDBOX_PUBLIC_URL: sandboxUrl,
      PUBLIC_URL: url,
      WEBHOOK_URL: `${url}/api/stripe/webhook`,
      STRIPE_WEBHOOK_SECRET: productSecrets.STRIPE_WEBHOOK_SECRET,
    },
    `${sandboxUrl}/clock`,
    output.add,
  )
  await provider.ready()
  const throughLink = Object.assign(new URL(direct), { port: String(database.port) }).href
  const settings = {
    ...productSecrets,
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
      output.add,
    ),
  )
  for (const product of products) await product.ready()
  const [pool, providerPool] = [direct, providerServer.connectionString('sandbox')].map(
    (connectionString) => new pg.Pool({ connectionString, max: 2 }).on('error', () => undefined),
  ) as [pg.Pool, pg.Pool]
  return {
    url,
    sandboxUrl,
    sandboxPort,
    adminPassword: settings.ADMIN_PASSWORD,
    settings: { ...settings, DATABASE_URL: direct, SMTP_URL: `smtp://127.0.0.1:${smtpPort}` },
    products,
    provider,
    front,
    database,
    mails,
    disk: disk ?? { whyNot: whyNot ?? 'no reason' },
    pool,
    providerPool,
    async killDatabase() {
      // A server that is starting has left the id of its predecessor, or no id yet.
      if (!(await pool.query('SELECT 1').catch(() => null))) return
      const running = await readPostmasterFile(join(server.dataDir, 'cluster'))
      if (running !== null) process.kill(running.pid, 'SIGKILL')
    },
    jump: (process, minutes) => writeFileSync(jumpFile(process), String(minutes)),
    output,
    async close() {
      disk?.free()
      await Promise.all([...products, provider].map((each) => each.end()))
      await Promise.all([pool.end(), providerPool.end()])
      await Promise.all([front, database, mails].map((link) => link.close()))
      await Promise.all([server.stop(), providerServer.stop()])
      disk?.remove()
      await directory.remove()
    },
  }
}
