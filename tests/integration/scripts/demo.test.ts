import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { realSettings, sharedSecrets } from '../../support/data/real-settings.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { runBilling } from '../../support/product/run-billing.ts'

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
      'The data of DATABASE_URL has 1 customers. Set another DATA_DIR, or add to this data with --add and another --seed.\n',
    )
  })

  it('refuses counts and dates that it cannot play', async () => {
    const months = await run({}, '--months', '61')
    expect(months.stderr).toContain('It must be at most 60.')
    const start = await run({}, '--start', '1 May')
    expect(start.stderr).toContain('It must be a date such as 2027-01-01.')
  })
})
