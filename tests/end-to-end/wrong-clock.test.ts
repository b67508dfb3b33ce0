import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { createClient } from '../support/product/client.ts'
import { runBilling } from '../support/product/run-billing.ts'
import { RefusedStart, startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { until } from '../support/product/sandbox.ts'

/* An earlier run followed a clock that was two years ahead. */

const twoYearsMs = 731 * 86_400_000

let database: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let running: RunningProduct | undefined
beforeEach(async () => {
  database = await createTestDatabase()
  directory = await temporaryDirectory()
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  await database.drop()
  await directory.remove()
}, 60_000)

const start = async (): Promise<RunningProduct> => {
  running = await startProduct({
    dataDir: directory.path,
    env: { DATABASE_URL: database.connectionString },
  })
  return running
}
const refusalOfStart = async (): Promise<string> => {
  try {
    await start()
  } catch (error) {
    // If a developer has changed sources, the start builds the product first.
    if (error instanceof RefusedStart)
      return error.refusal.replace(/^Building.*\nBuilt.*\n/, '').trim()
    throw error
  }
  return 'It started.'
}
const billing = async (...args: string[]) =>
  runBilling(
    {
      DATA_DIR: directory.path,
      DATABASE_URL: database.connectionString,
      EVENTSTORE_URL: running?.eventStoreUrl,
      ...(running && { SANDBOX_PORT: new URL(running.sandboxUrl).port }),
    },
    ...args,
  )
const stored = async () =>
  (
    await database.pool.query<{ last_seen: Date }>('SELECT last_seen FROM app.business_clock')
  ).rows.map(({ last_seen }) => last_seen.getTime())
const sessionTime = async (product: RunningProduct) =>
  Date.parse(String((await createClient(product).get('/api/auth/session')).body?.['now']))

describe('a product whose stored business clock is two years ahead', () => {
  it('refuses the start and names the repair, after which the next start works', async () => {
    const ahead = new Date(Date.now() + twoYearsMs)
    await database.pool.query('INSERT INTO app.business_clock VALUES (true, $1)', [ahead])

    expect(await refusalOfStart()).toMatch(
      new RegExp(
        `^The stored value of the business clock, ${ahead.toISOString()}, is more than 1 hour ahead of the clock at http://127\\.0\\.0\\.1:\\d+/clock, \\S+Z: correct .*run 'npm run billing -- clock reset'\\.$`,
      ),
    )
    expect(await stored()).toEqual([ahead.getTime()])
    const shown = await billing('clock', 'show')
    expect(shown.stdout).toContain(`stored value    ${ahead.toISOString()}`)
    expect(shown.stdout).toMatch(/the stored value is 73[01] d \d+ h ahead of the system's time/)

    expect(await billing('clock', 'reset')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The stored value is deleted.') as unknown,
    })
    const product = await start()
    await until(async () => (await stored()).length === 1, 'no time was stored')
    expect((await stored())[0]).toBeLessThanOrEqual(Date.now())
    expect(await sessionTime(product)).toBeLessThanOrEqual(Date.now())

    expect(await billing('clock', 'show')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/followed clock {2}the clock at .*, \S+Z/) as unknown,
    })
    expect(await billing('clock', 'reset')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/'clock reset' needs the product stopped/) as unknown,
    })
  }, 180_000)
})

describe('a tester who advances the clock of the sandbox by a year', () => {
  it('sees that time at once and after a restart', async () => {
    const first = await start()
    const before = await sessionTime(first)
    const answer = await fetch(`${first.sandboxUrl}/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: 'P1Y' }),
    })
    expect(answer.status).toBe(200)
    const yearLater = before + 365 * 86_400_000
    await until(async () => (await sessionTime(first)) >= yearLater, 'the clock was not followed')
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
    await until(async () => Number((await stored())[0]) >= yearLater, 'the clock was not stored')
    await first.stop()
    expect(await sessionTime(await start())).toBeGreaterThanOrEqual(yearLater)
  }, 180_000)
})
