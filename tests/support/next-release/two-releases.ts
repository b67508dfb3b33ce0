import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { StoredEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { createTestDatabase } from '../postgres/database.ts'
import { startFront, type Front } from '../product/front.ts'
import { productSettings } from '../product/product-settings.ts'
import { runBilling, type BillingRun } from '../product/run-billing.ts'
import { startProduct, type RunningProduct } from '../product/run-product.ts'
import { startTestSandbox } from '../product/sandbox.ts'
import { buildNextRelease } from './build-next-release.ts'
import type { Change } from './changes.ts'

/** This release and a next one over one log, one sandbox and one front. */
export interface TwoReleases {
  readonly front: Front
  readonly sandboxUrl: string
  startThis(): Promise<RunningProduct>
  startNext(): Promise<RunningProduct>
  /** Runs a command of this release. */
  ofThis(...args: readonly string[]): Promise<BillingRun>
  /** Runs a command of the next release. @throws if its exit code is not 0 */
  ofNext(...args: readonly string[]): Promise<{ readonly stdout: string }>
  everyEvent(): Promise<readonly StoredEvent[]>
  /** Stops what still runs. */
  close(): Promise<void>
}

export async function createTwoReleases(changes: readonly Change[]): Promise<TwoReleases> {
  const [next, database, front] = await Promise.all([
    buildNextRelease(changes),
    createTestDatabase(),
    startFront(),
  ])
  const sandbox = await startTestSandbox({ webhookUrl: `${front.url}/api/stripe/webhook` })
  const settings: Record<string, string> = {
    ...productSettings(database, sandbox),
    PUBLIC_URL: front.url,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
  }
  const ofCommand = { DATA_DIR: '/nonexistent', ...settings }
  const products: RunningProduct[] = []
  async function start(command?: readonly [string, ...string[]]): Promise<RunningProduct> {
    const product = await startProduct({ env: settings, ...(command && { command }) })
    products.push(product)
    return product
  }
  return {
    front,
    sandboxUrl: sandbox.url,
    startThis: () => start(),
    startNext: () => start([process.execPath, `${next.path}/services/main.js`]),
    ofThis: (...args) => runBilling(ofCommand, ...args),
    ofNext: (...args) =>
      promisify(execFile)(process.execPath, [`${next.path}/scripts/billing.js`, ...args], {
        env: { PATH: process.env.PATH, ...ofCommand },
      }),
    async everyEvent() {
      const store = createPostgresEventStore({ connectionString: database.connectionString })
      try {
        const events: StoredEvent[] = []
        for await (const page of store.readAll(null)) events.push(...page)
        return events
      } finally {
        await store.close()
      }
    },
    async close() {
      await Promise.all(products.map((product) => product.stop('SIGKILL')))
      await front.close()
      await sandbox.close()
      await database.drop()
      await next.remove()
    },
  }
}

/** The status of /readyz and its reasons. */
export async function readinessOf({ url }: Pick<RunningProduct, 'url'>) {
  const answer = await fetch(`${url}/readyz`)
  const { reasons } = (await answer.json()) as { reasons: readonly string[] }
  return { status: answer.status, text: reasons.join(' ') }
}
