import { execFile } from 'node:child_process'
import { constants, mkdir, open, type FileHandle } from 'node:fs/promises'
import { Agent, get, type IncomingMessage, type RequestOptions } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { isServerOf, readPostmasterFile } from '#services/postgres/embedded/postmaster-file'
import { descendantsOf } from '../support/machine/descendants.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { createClient } from '../support/product/client.ts'
import {
  spawnProduct,
  type ProductOptions,
  type StartingProduct,
} from '../support/product/run-product.ts'
import { until } from '../support/machine/until.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let product: StartingProduct | undefined
let cluster: string
beforeEach(async () => {
  directory = await temporaryDirectory()
  cluster = join(directory.path, 'data/postgres/cluster')
})
afterEach(async () => {
  // The whole group, so that a failed test leaves nothing behind.
  if (product !== undefined) killGroup(product.pid)
  await until(async () => !(await databaseRuns()))
  await directory.remove()
})

async function spawnOwnGroup(options: ProductOptions = {}): Promise<StartingProduct> {
  product = await spawnProduct({
    dataDir: join(directory.path, 'data'),
    ownGroup: true,
    ...options,
  })
  return product
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // No process of the group is left.
  }
}

async function databaseRuns(): Promise<boolean> {
  const file = await readPostmasterFile(cluster)
  return file !== null && file !== undefined && (await isServerOf(cluster, file.pid))
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

/**
 * A PATH without `setpriv`, as on macOS: the kernel then ends no database whose product has ended.
 */
async function pathWithoutSetpriv(): Promise<string> {
  const path = join(directory.path, 'bin')
  await mkdir(path)
  return path
}

/** A named pipe that is full, because no process reads it. */
async function fullPipe(path: string): Promise<FileHandle> {
  await promisify(execFile)('mkfifo', [path])
  const pipe = await open(path, constants.O_RDWR | constants.O_NONBLOCK)
  const fill = async (): Promise<void> => {
    await pipe.write(Buffer.alloc(4_096))
    return fill()
  }
  await fill().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EAGAIN') throw error
  })
  return pipe
}

describe('a stop request', () => {
  it.each([
    ['the port is taken', ({ url }: StartingProduct) => answers(url)],
    ['the database runs', () => databaseRuns()],
    ['the sandbox answers', ({ sandboxUrl }: StartingProduct) => answers(sandboxUrl)],
  ])(
    'by Ctrl-C during the start, when %s, stops the parts that run',
    async (_moment, hasCome) => {
      const starting = await spawnOwnGroup({ env: { PATH: await pathWithoutSetpriv() } })
      await until(() => hasCome(starting))
      expect(await starting.stop('SIGINT')).toBe(0)
      expect(await databaseRuns()).toBe(false)
      expect(await answers(starting.sandboxUrl)).toBe(false)
      expect(starting.output()).toContain('Ctrl-C: stopping.')
    },
    90_000,
  )

  it('by SIGTERM to every process at once, as a supervisor sends it, logs no failure', async () => {
    const running = await spawnOwnGroup()
    await running.ready()
    const before = running.output().length
    process.kill(-running.pid, 'SIGTERM')
    expect(await running.ended).toBe(0)
    expect(running.output().slice(before).trim()).toBe(
      'SIGTERM: stopping. Requests in progress finish first.',
    )
  }, 90_000)

  it('by SIGTERM ends a product and its frozen database, and names the parts in the log', async () => {
    const running = await spawnOwnGroup()
    await running.ready()
    const server = (await readPostmasterFile(cluster))?.pid ?? 0
    for (const pid of [server, ...descendantsOf(server)]) process.kill(pid, 'SIGSTOP')
    const began = performance.now()
    process.kill(running.pid, 'SIGTERM')
    expect(await running.ended).toBe(0)
    // The limit of the unit for systemd (docs/deployment.md).
    expect(performance.now() - began).toBeLessThan(60_000)
    expect(running.output()).toContain('A part did not stop in time; the other parts still stop.')
    expect(await databaseRuns()).toBe(false)
    const again = await spawnOwnGroup()
    await again.ready()
    expect(await again.stop('SIGTERM')).toBe(0)
  }, 180_000)

  it('by SIGTERM ends a product whose log no process reads', async () => {
    const path = join(directory.path, 'log')
    const pipe = await fullPipe(path)
    try {
      const running = await spawnOwnGroup({
        command: ['bash', '-c', 'exec "$0" scripts/start.mjs > "$1" 2>&1', process.execPath, path],
        env: { LOG_LEVEL: 'info' },
      })
      await running.ready()
      // The product logs each sign-in.
      await createClient(running).signUp('dana@example.com')
      expect(await running.stop('SIGTERM')).toBe(0)
      expect(await databaseRuns()).toBe(false)
    } finally {
      await pipe.close()
    }
  }, 90_000)

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'by %s to npm stops the product that npm runs',
    async (signal) => {
      const running = await spawnOwnGroup({ command: ['npm', 'start'] })
      await running.ready()
      process.kill(running.pid, signal)
      await until(
        async () =>
          !(await answers(running.url)) &&
          !(await answers(running.sandboxUrl)) &&
          !(await databaseRuns()),
      )
      expect(running.output()).toContain('npm ended: stopping.')
    },
    90_000,
  )

  it('fails no request that was sent before or after it on an open connection', async () => {
    const running = await spawnOwnGroup()
    await running.ready()
    const customer = createClient(running)
    await customer.signUp('dana@example.com')
    const headers = { cookie: customer.cookieHeader() }
    const outcomes: (number | string | undefined)[] = []
    let isSending = true
    // Like a proxy: a client keeps its connection, and another server takes a request whose
    // connection is refused.
    const clients = Array.from({ length: 4 }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      while (isSending) {
        const outcome = await outcomeOf(`${running.url}/api/payments?email=dana%40example.com`, {
          agent,
          headers,
        })
        if (outcome === 'ECONNREFUSED') break
        outcomes.push(outcome)
      }
      agent.destroy()
    })
    await until(async () => outcomes.length > 100)
    const code = await running.stop('SIGTERM')
    isSending = false
    await Promise.all(clients)
    expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([])
    expect(code).toBe(0)
  }, 90_000)
})

/** The status of the answer, or the code of the connection error. */
function outcomeOf(url: string, options: RequestOptions): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    get(url, options, (response: IncomingMessage) =>
      response.resume().once('close', () => resolve(response.statusCode)),
    ).once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
}
