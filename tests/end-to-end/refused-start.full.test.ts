import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { markUnfinished } from '#services/event-store/transfer/unfinished-restore'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { createTestDatabase } from '../support/postgres/database.ts'
import { createClient } from '../support/product/client.ts'
import { RefusedStart, startProduct } from '../support/product/run-product.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeEach(async () => {
  directory = await temporaryDirectory()
})
afterEach(() => directory.remove())

/** The error message of a start that ends by itself. */
async function refusal(env: Record<string, string>): Promise<string> {
  const outcome = await startProduct({ dataDir: directory.path, env }).then(
    async (product) => {
      await product.stop()
      return 'It started.'
    },
    (error: unknown) => (error instanceof RefusedStart ? error.refusal : String(error)),
  )
  return outcome.trim()
}

async function takenPort(): Promise<{ port: string; release: () => void }> {
  const server = createServer((_request, response) => response.writeHead(404).end()).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  return { port: String((server.address() as AddressInfo).port), release: () => server.close() }
}

const itOnLinux =
  process.platform === 'linux'
    ? it
    : (name: string) => it.skip(`${name} [only on Linux]`, () => undefined)

describe('a refused start', () => {
  it.each(['PORT', 'SANDBOX_PORT'])(
    'names the port that is in use and the setting to change: %s',
    async (setting) => {
      const { port, release } = await takenPort()
      try {
        expect(await refusal({ [setting]: port })).toMatch(
          new RegExp(
            `^Port ${port}.* in use\\. Stop .*, or set ${setting} to another (port|one)\\.$`,
          ),
        )
      } finally {
        release()
      }
    },
    60_000,
  )

  it('reports that another start uses the data, and names settings that exist', async () => {
    const first = await startProduct({ dataDir: directory.path })
    try {
      expect(await refusal({})).toBe(
        'Another sandbox is running on this database. ' +
          'Stop the other product, or set another DATA_DIR (another DATABASE_URL if it is set) for this one.',
      )
    } finally {
      await first.stop()
    }
  }, 120_000)

  it('names the setting that a misspelled name resembles', async () => {
    expect(await refusal({ DATABSE_URL: 'postgres://billing:secret@127.0.0.1:1/billing' })).toMatch(
      /^DATABSE_URL is not a setting: did you mean DATABASE_URL\?[^\n]*$/,
    )
  }, 60_000)

  it('reports that the data directory is a file', async () => {
    const file = join(directory.path, 'file')
    await writeFile(file, '')
    expect(await refusal({ DATA_DIR: file })).toBe(
      `${file} is not a directory, but the data directory needs one at this path: move the file, or set DATA_DIR to another path.`,
    )
  }, 60_000)

  itOnLinux(
    'reports that the file system of the data directory accepts no new directories',
    async () => {
      expect(await refusal({ DATA_DIR: '/proc/billing/data' })).toBe(
        'The file system of /proc/billing does not accept new directories: set DATA_DIR to a directory on a disk.',
      )
    },
    60_000,
  )

  it('names the address at which no database answers', async () => {
    expect(await refusal({ DATABASE_URL: 'postgres://billing:secret@127.0.0.1:1/billing' })).toBe(
      'No PostgreSQL answers at 127.0.0.1:1: start it, or correct DATABASE_URL.',
    )
  }, 60_000)

  it('names the command that completes an interrupted restore into EventStoreDB', async () => {
    const { connectionString, pool, drop } = await createTestDatabase()
    try {
      await markUnfinished(pool, 'restore')
      expect(await refusal({ DATABASE_URL: connectionString })).toBe(
        "'billing restore' into EventStoreDB was interrupted, so the log is incomplete: run the same command again, or begin with another database and an empty log.",
      )
    } finally {
      await drop()
    }
  }, 60_000)

  it('names the key that is not the key of the existing data', async () => {
    const first = await startProduct({ dataDir: directory.path })
    await createClient(first).post('/api/auth/check-user', { email: 'dana@example.com' })
    await first.stop()
    for (const name of ['MASTER_KEY', 'EMAIL_HMAC_KEY', 'AUDIT_KEY'])
      expect(await refusal({ [name]: 'cd'.repeat(32) })).toMatch(
        new RegExp(`^${name} differs from the key .*sandbox-secrets\\.json\\.$`),
      )
  }, 120_000)

  it('reports that the read models were built from another log', async () => {
    const database = await createTestDatabase()
    try {
      await database.pool.query(
        `INSERT INTO projection.checkpoint (name, version, position) VALUES ('users', 1, '5')`,
      )
      await database.pool.query(
        'INSERT INTO projection.source_log (log_id) VALUES (gen_random_uuid())',
      )
      expect(await refusal({ DATABASE_URL: database.connectionString })).toMatch(
        /^The read models in this database were built from another event log\. .* 'billing projections reset'\.$/,
      )
    } finally {
      await database.drop()
    }
  }, 60_000)

  it('names every setting that production lacks', async () => {
    expect(await refusal({ NODE_ENV: 'production' })).toMatch(
      /^These settings are missing: STRIPE_SECRET_KEY, .*PUBLIC_URL\./,
    )
  }, 60_000)

  it('names every setting that a public address lacks', async () => {
    expect(await refusal({ PUBLIC_URL: 'https://billing.example' })).toMatch(
      /^PUBLIC_URL is https:\/\/billing\.example, a public address, and these settings are missing: STRIPE_SECRET_KEY, .*set ALLOW_SANDBOX=1\.$/,
    )
  }, 60_000)

  it('names a price setting that points to the price of another plan, and both amounts', async () => {
    expect(
      await refusal({
        STRIPE_PRICE_MONTHLY: 'price_sandbox_annual',
        STRIPE_PRICE_ANNUAL: 'price_sandbox_monthly',
      }),
    ).toMatch(
      /^STRIPE_PRICE_MONTHLY is price_sandbox_annual: the payment provider charges 359\.00 USD every year, and the Monthly Plan costs 39\.00 USD every month [^\n]*$/,
    )
  }, 60_000)

  it('names two plans with one price', async () => {
    expect(await refusal({ STRIPE_PRICE_MONTHLY: 'price_sandbox_annual' })).toBe(
      'STRIPE_PRICE_MONTHLY and STRIPE_PRICE_ANNUAL are the same price, price_sandbox_annual: set each to the price of its own plan.',
    )
  }, 60_000)
})
