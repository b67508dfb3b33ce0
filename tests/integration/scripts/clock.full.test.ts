import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import { readStoredClock } from '#services/foundation/stored-clock'
import { realSettings } from '../../support/data/real-settings.ts'
import { someEvent } from '../../support/data/some-event.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

const year = 365 * 86_400_000

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
    {
      DATA_DIR: directory.path,
      DATABASE_URL: database.connectionString,
      ...realSettings,
      ...settings,
    },
    'clock',
    ...args,
  )
const store = (at: number) =>
  database.pool.query('INSERT INTO app.business_clock VALUES (true, $1)', [new Date(at)])
const stored = () => readStoredClock(database.pool)
const iso = (at: number) => new Date(at).toISOString()

describe('billing clock, for a product that follows the system’s time', () => {
  it('shows a stored value that is two years ahead with exit code 1, resets it, and then shows no difference', async () => {
    const ahead = Date.now() + 2 * year
    await store(ahead)
    const log = createPostgresEventLog(database)
    const { metadata } = someEvent()
    await log.store.append('account-usr_1', 'no-stream', [
      someEvent(),
      someEvent({ metadata: { ...metadata, recordedAt: iso(ahead) } }),
    ])
    await log.store.close()

    const shown = await run({}, 'show')
    expect(shown.code).toBe(1)
    expect(shown.stdout).toMatch(
      new RegExp(
        `^stored value {4}${iso(ahead)}
system's time {3}\\S+Z
followed clock {2}the system's time, because CLOCK_URL is not set
difference {6}the stored value is 729 d 23 h ahead of the system's time
The stored value is more than 1 hour ahead, so the next start is refused\\. .* 'npm run billing -- clock reset'\\.
$`,
      ),
    )

    const before = Date.now()
    const reset = await run({}, 'reset')
    expect([reset.code, reset.stdout.split('\n')]).toEqual([
      0,
      [
        expect.stringMatching(
          new RegExp(
            `^The stored value is now \\S+Z, the time of the followed clock \\(the system's time\\)\\. It was ${iso(ahead)}\\.$`,
          ),
        ),
        '1 event of the log was recorded with a later time.',
        expect.stringMatching(/^Events that were recorded with a wrong time keep it, /),
        'Next: start the product.',
        '',
      ],
    ])
    expect(await stored()).toBeGreaterThanOrEqual(before)
    expect(await stored()).toBeLessThanOrEqual(Date.now())
    expect((await run({}, 'show')).code).toBe(0)
  }, 60_000)

  it('resets nothing while a process of the product is connected', async () => {
    const ahead = Date.now() + 2 * year
    await store(ahead)
    const product = new pg.Client({
      connectionString: database.connectionString,
      application_name: 'billing',
    })
    await product.connect()
    try {
      const refused = await run({}, 'reset')
      expect([refused.code, refused.stdout]).toEqual([1, ''])
      expect(refused.stderr).toContain(
        `'clock reset' needs the product stopped, and a process of the product is connected to this database ("billing").`,
      )
      expect(await stored()).toBe(ahead)
    } finally {
      await product.end()
    }
  }, 60_000)

  it('shows that no value is stored before the first start', async () => {
    const shown = await run({}, 'show')
    expect(shown.code).toBe(0)
    expect(shown.stdout).toContain('stored value    none: the next start stores its time\n')
  }, 60_000)
})

describe('billing clock, for a product that follows CLOCK_URL', () => {
  it('compares with that clock, resets to its time, and changes nothing if that clock does not answer', async () => {
    const there = Date.now() + year
    const server = createServer((_request, response) =>
      response.end(JSON.stringify({ now: iso(there) })),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      await store(there)
      const right = await run({ CLOCK_URL: url }, 'show')
      expect([right.code, right.stdout]).toEqual([
        0,
        expect.stringContaining(
          `followed clock  the clock at ${url}, ${iso(there)}\ndifference      none: the stored value equals the clock at ${url}\n`,
        ),
      ])
      await database.pool.query('UPDATE app.business_clock SET last_seen = $1', [
        new Date(there + year),
      ])
      expect((await run({ CLOCK_URL: url }, 'show')).code).toBe(1)
      expect((await run({ CLOCK_URL: url }, 'reset')).code).toBe(0)
      expect(await stored()).toBe(there)
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
    const silent = await run({ CLOCK_URL: url }, 'reset')
    expect([silent.code, silent.stderr]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(`^The clock at ${url} does not answer \\(.*\\): nothing was changed\\. `),
      ),
    ])
    expect(await stored()).toBe(there)
    expect((await run({ CLOCK_URL: url }, 'show')).code).toBe(1)
  }, 60_000)
})
