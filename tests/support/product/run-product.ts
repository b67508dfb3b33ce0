import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { productLogOf } from '../event-store/event-store-url.ts'
import { freePort } from '../machine/free-port.ts'
import { temporaryDirectory } from '../machine/temporary-directory.ts'
import { createProductDatabase } from '../postgres/database.ts'
import { until } from '../machine/until.ts'

export interface ProductOptions {
  /**
   * Is kept after the stop, for another start. Default: a new directory, which the first stop
   * without SIGKILL removes.
   */
  readonly dataDir?: string
  /**
   * The product uses a database of its own on the server of the test run, which the first stop
   * without SIGKILL removes. An embedded server takes about a second longer to start. Default: the
   * embedded server in `dataDir`.
   */
  readonly onTestServer?: boolean
  /** Settings that are added or replaced. `undefined` removes a setting. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Replaces `node scripts/start.mjs`. */
  readonly command?: readonly [string, ...string[]]
  /** Starts a new process group, so that `process.kill(-pid)` signals all its processes. */
  readonly ownGroup?: boolean
}

/** A start in progress. */
export interface StartingProduct extends RunningProduct {
  /**
   * Resolves when /readyz answers 200. @throws RefusedStart if the process ends before, with its
   * output
   */
  ready(): Promise<void>
  /** Resolves with the exit code, null if a signal ended the process. */
  readonly ended: Promise<number | null>
}

/** The product ended before it was ready. */
export class RefusedStart extends Error {
  override readonly name = 'RefusedStart'
  /**
   * The standard error of the product: the refusal. The lines of a start go to standard output,
   * those of a build are removed.
   */
  readonly refusal: string
  constructor(output: Output) {
    super(`The product ended before it was ready. It printed:\n${output.all()}`)
    this.refusal = output.errors().replace(/^Building.*\nBuilt.*\n/, '')
  }
}

export interface RunningProduct {
  readonly url: string
  readonly sandboxUrl: string
  readonly adminPassword: string
  readonly dataDir: string
  /** Undefined if the event log is in the database. */
  readonly eventStoreUrl: string | undefined
  readonly pid: number
  /**
   * Sends SIGTERM by default. Resolves with the exit code after the process has ended; null if a
   * signal ended it. @throws Error unless the signal is SIGKILL, if Node.js printed a warning
   */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Everything that the product has printed so far. */
  output(): string
}

/**
 * Starts the whole product as `npm start` does, on free ports, with its own data and admin
 * password. Resolves when it is ready.
 */
export async function startProduct(options: ProductOptions = {}): Promise<RunningProduct> {
  const product = await spawnProduct(options)
  await product.ready()
  return product
}

/** As `startProduct`, but does not wait until the product is ready. */
export async function spawnProduct({
  dataDir,
  onTestServer = false,
  env: given = {},
  command = [process.execPath, 'scripts/start.mjs'],
  ownGroup = false,
}: ProductOptions = {}): Promise<StartingProduct> {
  const ownDirectory = dataDir === undefined ? await temporaryDirectory() : null
  const ownDatabase = onTestServer ? await createProductDatabase() : null
  const env: Readonly<Record<string, string | undefined>> = {
    ...(ownDatabase === null ? {} : { DATABASE_URL: ownDatabase.connectionString }),
    ...given,
  }
  const directory = dataDir ?? ownDirectory?.path ?? ''
  const adminPassword = randomBytes(12).toString('base64url')
  const settings: Record<string, string | undefined> = {
    ...inheritedEnvironment(),
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
    DATA_DIR: directory,
    // Processes that share a database share a log.
    EVENTSTORE_URL: productLogOf(env.DATABASE_URL ?? env.DATABASE_URL_FILE ?? directory),
    ADMIN_PASSWORD: adminPassword,
    ...env,
  }
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: resolve('.'),
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownGroup,
  })
  const output = collectOutput(child)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const closed = once(child, 'close')
  const url = `http://localhost:${settings.PORT}`

  const remove = async (): Promise<void> => {
    await ownDirectory?.remove()
    await ownDatabase?.drop()
  }

  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal)
    const killTimer = setTimeout(() => child.kill('SIGKILL'), 30_000)
    const code = await ended
    clearTimeout(killTimer)
    if (signal !== 'SIGKILL') {
      await remove()
      refuseWarnings(output)
    }
    return code
  }

  const ready = async (): Promise<void> => {
    try {
      await untilReady(url, child, closed, output)
    } catch (error) {
      await stop('SIGKILL')
      await remove()
      throw error
    }
  }
  return {
    url,
    sandboxUrl: `http://localhost:${settings.SANDBOX_PORT}`,
    adminPassword,
    dataDir: directory,
    eventStoreUrl: settings.EVENTSTORE_URL,
    pid: child.pid ?? 0,
    stop,
    output: output.all,
    ready,
    ended,
  }
}

/** An idle machine needs 5 s. One with ten programs per core needed more than 60 s. */
const readyWithinSeconds = 110

async function untilReady(
  url: string,
  child: ChildProcess,
  closed: Promise<unknown>,
  output: Output,
): Promise<void> {
  let found = 'no answer'
  await until(
    async () => {
      if (child.exitCode !== null || child.signalCode !== null) {
        await closed
        throw new RefusedStart(output)
      }
      const answer = await fetch(`${url}/readyz`).catch(() => null)
      if (answer !== null) found = `${answer.status} ${await answer.text().catch(String)}`
      return answer?.status === 200
    },
    () => `the product is not ready (/readyz: ${found}). It printed:\n${output.all()}`,
    readyWithinSeconds,
  )
}

/**
 * The variables of a shell without settings of the product: the settings of a developer must not
 * change a test.
 */
function inheritedEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR, LANG, SystemRoot } = process.env
  return { PATH, HOME, TMPDIR, LANG, SystemRoot }
}

/** A warning of Node.js is a fault of the product, such as a listener that is never removed. */
function refuseWarnings(output: Output): void {
  const [warning] = /^\(node:\d+\) .*$/m.exec(output.errors()) ?? []
  if (warning !== undefined) throw new Error(`The product printed a warning of Node.js: ${warning}`)
}

interface Output {
  all(): string
  errors(): string
}

function collectOutput(child: ChildProcess): Output {
  const chunks: Buffer[] = []
  const errors: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    errors.push(chunk)
  })
  const textOf = (parts: readonly Buffer[]) => Buffer.concat(parts).toString('utf8')
  return { all: () => textOf(chunks), errors: () => textOf(errors) }
}
