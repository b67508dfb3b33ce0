import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { StoredEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { buildNextRelease, type NextRelease } from '../support/next-release/build-next-release.ts'
import { addedType, nextRelease } from '../support/next-release/changes.ts'
import { collectEvents } from '../support/event-store/collect-events.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { createClient } from '../support/product/client.ts'
import { startFront, type Front } from '../support/product/front.ts'
import { runBilling, type BillingRun } from '../support/product/run-billing.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { startTestSandbox, until, webhookSecret } from '../support/product/sandbox.ts'
import { startCustomers, type Click } from '../support/product/steady-customers.ts'

/*
 * This release and the next one, which writes a new event type and a new schema version, over one
 * log. The writers come with the readers, against the rule of docs/deployment.md, so that this
 * release meets events that it does not know.
 */

let next: NextRelease
let database: TestDatabase
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
let front: Front
let settings: Record<string, string>

beforeAll(async () => {
  ;[next, database, front] = await Promise.all([
    buildNextRelease(),
    createTestDatabase(),
    startFront(),
  ])
  sandbox = await startTestSandbox({ webhookUrl: `${front.url}/api/stripe/webhook` })
  settings = {
    DATABASE_URL: database.connectionString,
    SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
    SANDBOX_URL: sandbox.url,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    SESSION_SECRET: 's'.repeat(32),
    MASTER_KEY: 'ab'.repeat(32),
    EMAIL_HMAC_KEY: 'cd'.repeat(32),
    AUDIT_KEY: 'ef'.repeat(32),
    PUBLIC_URL: front.url,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
  }
}, 120_000)
afterAll(async () => {
  await front.close()
  await sandbox.close()
  await database.drop()
  await next.remove()
}, 60_000)

const startThis = () => startProduct({ env: settings })
const startNext = () =>
  startProduct({ env: settings, command: [process.execPath, `${next.path}/services/main.js`] })
const billingOf = (release: 'this' | 'next', ...args: readonly string[]): Promise<BillingRun> =>
  runBilling(
    { DATA_DIR: '/nonexistent', ...settings },
    ...args,
    ...(release === 'next' ? [] : []),
  )

describe('a rolling upgrade, and the way back', () => {
  it('loses no click, although the old release meets events that it does not know', async () => {
    let old = await startThis()
    front.use(old)
    const customers = await startCustomers(
      { url: front.url, sandboxUrl: sandbox.url },
      3,
    )
    const moreClicks = async (count: number) => {
      const goal = customers.clicks.length + count
      await until(async () => customers.clicks.length >= goal, 'the customers get no answers', 60)
    }
    await moreClicks(5)
    void old
  }, 240_000)
})
