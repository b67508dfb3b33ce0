import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext } from 'playwright'
import { readModels } from '#projections/read-models'
import { waitUntilProjected } from '#projections/engine/run/wait-until-projected'
import type { EventStore } from '#services/event-store/event-store'
import { launchBrowser } from '../../support/browser/browser.ts'
import { eventStoreAt } from '../../support/event-store/event-store-url.ts'
import { freePort } from '../../support/machine/free-port.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { createClient } from '../../support/product/client.ts'
import { productSettings } from '../../support/product/product-settings.ts'
import { startProduct, type RunningProduct } from '../../support/product/run-product.ts'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'
import { until } from '../../support/machine/until.ts'

/** A month of all customers is hundreds of webhooks, which take a minute on a busy machine. */
const patienceMs = 120_000

/** One running product with its sandbox and a browser, for the customers of all stories. */
export interface World {
  readonly product: RunningProduct
  readonly sandbox: TestSandbox
  readonly store: EventStore
  readonly context: BrowserContext
  /** A client with the session of an administrator. */
  readonly admin: ReturnType<typeof createClient>
  /**
   * Resolves when the sandbox owes no webhook and the read models have every event. The product
   * answers a webhook after it has recorded the facts.
   */
  settle(): Promise<void>
  /** Sets the sandbox's clock to this Unix time, and settles with the product's clock there. */
  advanceTo(seconds: number): Promise<void>
  close(): Promise<void>
}

export async function startWorld(): Promise<World> {
  const database = await createTestDatabase()
  const port = await freePort()
  const sandbox = await startTestSandbox({
    webhookUrl: `http://127.0.0.1:${port}/api/stripe/webhook`,
  })
  const [product, browser] = await Promise.all([
    startProduct({
      env: {
        ...productSettings(database, sandbox),
        // Each customer signs up from another address, because of the rate limits.
        TRUST_PROXY: '1',
        PORT: String(port),
      },
    }),
    launchBrowser(),
  ])
  return worldOf({ database, sandbox, product, browser })
}

async function worldOf(parts: {
  readonly database: TestDatabase
  readonly sandbox: TestSandbox
  readonly product: RunningProduct
  readonly browser: Browser
}): Promise<World> {
  const { database, sandbox, product, browser } = parts
  const store = eventStoreAt(product.eventStoreUrl ?? database.connectionString)
  const addresses = { url: product.url, sandboxUrl: sandbox.url }
  const admin = createClient(addresses)
  await admin.post('/api/admin/login', { password: product.adminPassword })
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })

  const settle = async (): Promise<void> => {
    const deadline = Date.now() + patienceMs
    for (let owed = 1; owed > 0;) {
      const answer = await fetch(`${sandbox.url}/clock`)
      owed = ((await answer.json()) as { webhooksOwed: number }).webhooksOwed
      if (owed === 0) break
      if (Date.now() > deadline) throw new Error(`The sandbox still owes ${owed} webhooks.`)
      await sleep(20)
    }
    const last = await store.lastPosition()
    if (last === null) return
    const { pool } = database
    const isProjected = await waitUntilProjected(
      pool,
      readModels,
      last,
      patienceMs,
      store.comparePositions,
    )
    if (!isProjected) throw new Error(`The read models have not reached ${last}.`)
  }
  return {
    product,
    sandbox,
    store,
    context,
    admin,
    settle,
    async advanceTo(seconds) {
      const to = new Date(seconds * 1_000).toISOString()
      const { status, body } = await sandbox.post('/clock/advance', { to })
      if (status !== 200) throw new Error(`The clock was not set to ${to}: ${JSON.stringify(body)}`)
      await settle()
      await until(async () => {
        const session = await createClient(addresses).get('/api/auth/session')
        return String(session.body?.['now']) >= to
      }, 'the clock of the product lags')
    },
    async close() {
      await browser.close()
      await product.stop()
      await store.close()
      await sandbox.close()
      await database.drop()
    },
  }
}
