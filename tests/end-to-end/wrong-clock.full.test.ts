import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { createClient } from '../support/product/client.ts'
import { inboxOf } from '../support/product/inbox.ts'
import { runBilling } from '../support/product/run-billing.ts'
import { RefusedStart, startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { until } from '../support/machine/until.ts'

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

const start = async (env: Readonly<Record<string, string>> = {}): Promise<RunningProduct> => {
  running = await startProduct({
    dataDir: directory.path,
    env: { DATABASE_URL: database.connectionString, ...env },
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

/**
 * At SIGUSR2, the system's time that the process reads jumps two years ahead, and back at the next
 * SIGUSR2.
 */
const jumpingDate = `
  const RealDate = Date
  let aheadMs = 0
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      super(...(given.length === 0 ? [RealDate.now() + aheadMs] : given))
    }
    static now() {
      return RealDate.now() + aheadMs
    }
  }
  process.on('SIGUSR2', () => (aheadMs = aheadMs === 0 ? ${twoYearsMs} : 0))`

describe('a product whose system’s time jumps two years ahead while it runs', () => {
  it('answers /readyz with the reason, keeps the open checkout and dates events right until the time is right again', async () => {
    const product = await start({
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(jumpingDate)}`,
    })
    const readyz = async () => {
      const answer = await fetch(`${product.url}/readyz`)
      const { reasons } = (await answer.json()) as { reasons: string[] }
      return { status: answer.status, reasons }
    }
    const dana = createClient(product)
    const email = 'dana@example.com'
    const userId = await dana.signUp(email)
    const opened = await dana.createCheckoutSession(email)
    expect(opened.status).toBe(200)

    process.kill(product.pid, 'SIGUSR2')
    await until(async () => (await readyz()).status === 503, 'the jump was not noticed')
    // The reconciler's last run is two years old by this clock, which is a second reason.
    expect((await readyz()).reasons[0]).toMatch(
      /^The system's time jumped to \S+Z, and \S+Z was expected: correct /,
    )
    // Her session has ended by the security clock, which is the system's time.
    await dana.post('/api/auth/request-otp', { email })
    const inbox = inboxOf(product, email)
    const codes = async () =>
      (await inbox.read()).filter(({ subject }) => subject?.startsWith('Your sign-in code'))
    await until(async () => (await codes()).length === 2, 'no second code came')
    await dana.post('/api/auth/verify-otp', { userId, otp: await inbox.code() })
    expect((await dana.createCheckoutSession(email)).body).toEqual(opened.body)
    expect(await sessionTime(product)).toBeLessThanOrEqual(Date.now())

    process.kill(product.pid, 'SIGUSR2')
    await until(async () => (await readyz()).status === 200, 'the product did not recover')
    expect(await product.stop()).toBe(0)
    const jumps = product
      .output()
      .split('\n')
      .filter((line) => line.includes('time jumped'))
    expect(jumps).toEqual([expect.stringContaining('"level":"error"')])
    expect((await stored())[0]).toBeLessThanOrEqual(Date.now())
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
