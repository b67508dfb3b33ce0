import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { applicationNames } from '#services/foundation/application-names'
import { StartupError } from '#services/foundation/startup-error'
import { sandboxClock } from '../../../scripts/billing/demo/sandbox-clock.ts'
import { realSettings, sharedSecrets } from '../../support/data/real-settings.ts'
import { appendNewer } from '../../support/event-store/append-newer.ts'
import { freePort } from '../../support/machine/free-port.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

let database: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeEach(async () => {
  database = await createTestDatabase()
  directory = await temporaryDirectory()
})
afterEach(async () => {
  await database.drop()
  await directory.remove()
})

const run = (settings: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runBilling(
    { DATA_DIR: directory.path, DATABASE_URL: database.connectionString, ...settings },
    'demo',
    ...args,
  )

describe("the demo's wait for webhooks", () => {
  it('ends with one sentence if the product accepts none', async () => {
    const sandbox = createServer((_request, response) =>
      response.end(JSON.stringify({ now: '2026-03-10T00:00:00.000Z', webhooksOwed: 3 })),
    )
    await new Promise<void>((resolve) => sandbox.listen(0, '127.0.0.1', resolve))
    const { port } = sandbox.address() as AddressInfo
    const signal = new AbortController().signal
    const clock = sandboxClock(`http://127.0.0.1:${port}`, signal, 50)
    await expect(clock.untilDelivered()).rejects.toThrow(
      new StartupError(
        "3 webhooks of the sandbox were not accepted within 2 minutes. The product's log has the reason.",
      ),
    )
    await expect(clock.untilDelivered()).rejects.toBeInstanceOf(StartupError)
    sandbox.closeAllConnections()
    sandbox.close()
  })
})

/** A program at an address of the product, and a connection with the name of the product's. */
async function runningProduct({
  sandbox,
  countsHere,
}: {
  readonly sandbox?: object
  readonly countsHere: boolean
}) {
  const connection = new pg.Client({
    connectionString: database.connectionString,
    application_name: applicationNames.product,
  })
  await connection.connect()
  const session = {
    userId: null,
    email: null,
    isVerified: false,
    isCustomer: false,
    isAdmin: false,
    administrator: null,
  }
  const count = () =>
    database.pool.query(
      "INSERT INTO app.rate_limit (key, points) VALUES ('request-code:127.0.0.1', 1)",
    )
  const server = createServer((request, response) => {
    const isSession = request.url === '/api/auth/session'
    const body = isSession
      ? { ...session, businessName: null, now: new Date().toISOString(), sandbox }
      : {}
    const counted = !isSession && countsHere ? count() : Promise.resolve()
    void counted.then(() =>
      response
        .writeHead(isSession ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(body)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: String((server.address() as AddressInfo).port),
    async close() {
      server.closeAllConnections()
      server.close()
      await connection.end()
    },
  }
}

describe('billing demo beside a running product', () => {
  const oneMonth = ['--customers', '1', '--months', '1'] as const

  it('is refused if the product does not answer at the address of the settings', async () => {
    const product = await runningProduct({ countsHere: true })
    const port = String(await freePort())
    const { code, stderr } = await run({ PORT: port }, ...oneMonth)
    await product.close()
    expect([code, stderr]).toEqual([
      1,
      `The product runs on this data, and does not answer at http://localhost:${port}. Set PORT as at its start, or stop it.\n`,
    ])
  }, 60_000)

  it('is refused at the address of a product with other data', async () => {
    const product = await runningProduct({ countsHere: false })
    const { code, stderr } = await run({ PORT: product.port }, ...oneMonth)
    await product.close()
    expect([code, stderr]).toEqual([
      1,
      `The product at http://localhost:${product.port} has other data than this command. Set DATA_DIR and PORT as at the start of one product.\n`,
    ])
  }, 60_000)

  it.each([
    ['no simulated service', undefined],
    ['a real mail server', { inboxUrl: null, isClockAhead: false }],
  ])(
    'is refused if the product has %s',
    async (_what, sandbox) => {
      const product = await runningProduct({ countsHere: true, ...(sandbox && { sandbox }) })
      const { code, stderr } = await run({ PORT: product.port }, ...oneMonth)
      await product.close()
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(
          'runs with real keys for Stripe or SMTP. The demo needs the sandbox',
        ),
      ])
    },
    60_000,
  )
})

describe('billing demo', () => {
  it('refuses real keys', async () => {
    const { code, stderr } = await run(realSettings)
    expect(code).toBe(1)
    expect(stderr).toBe(
      'The demo needs the sandbox, and STRIPE_SECRET_KEY or SMTP_URL is set. Unset both, and set another DATA_DIR.\n',
    )
  })

  it('refuses a sandbox that other processes share', async () => {
    const { code, stderr } = await run({
      ...sharedSecrets,
      SANDBOX_URL: 'http://127.0.0.1:9',
      // A URL of a sandbox's mail server; with it the sandbox simulates Stripe only.
      SMTP_URL: 'smtp://127.0.0.1:9',
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The demo needs the sandbox, and .* SMTP_URL is set/)
  })

  it('refuses a public address', async () => {
    const { code, stderr } = await run({ PUBLIC_URL: 'http://billing.example', ALLOW_SANDBOX: '1' })
    expect(code).toBe(1)
    expect(stderr).toBe(
      'PUBLIC_URL is http://billing.example. The demo runs on this machine only: unset PUBLIC_URL.\n',
    )
  })

  it('refuses data that has customers', async () => {
    await database.pool.query(
      "INSERT INTO app.personal_key VALUES ('usr_1', '\\x00', now(), NULL, 'a')",
    )
    const { code, stderr } = await run({})
    expect(code).toBe(1)
    expect(stderr).toBe(
      'The data of DATABASE_URL has 1 customer. Set another DATA_DIR, or add to this data with --add and another --seed.\n',
    )
  })

  it('refuses a log with an event of a newer release before the product starts', async () => {
    const store = createPostgresEventStore(database)
    await appendNewer(store, 'signIn-usr_1')
    await store.close()
    const { code, stdout, stderr } = await run({}, '--add', '--customers', '1', '--months', '1')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^The demo did not start, and nothing was changed\. Event .* run release 99\.1\.0 or a newer one\.\n$/,
    )
  }, 60_000)

  it('refuses a second demo while one plays', async () => {
    const client = await database.pool.connect()
    await client.query("SELECT pg_advisory_lock(hashtextextended('billing demo', 0))")
    try {
      const { code, stderr } = await run({}, '--customers', '1', '--months', '1')
      expect([code, stderr]).toEqual([
        1,
        'Another demo plays on this data. Wait until it ends, or stop it.\n',
      ])
    } finally {
      client.release(true)
    }
  }, 60_000)

  it('refuses counts and dates that it cannot play', async () => {
    const months = await run({}, '--months', '61')
    expect(months.stderr).toContain('It must be at most 60.')
    const start = await run({}, '--start', '1 May')
    expect(start.stderr).toContain('It must be a date such as 2027-01-01.')
  })
})
