import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { StoredEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { buildNextRelease, type NextRelease } from '../support/next-release/build-next-release.ts'
import { addedType, nextRelease } from '../support/next-release/changes.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { createClient } from '../support/product/client.ts'
import { startFront, type Front } from '../support/product/front.ts'
import { productSettings } from '../support/product/product-settings.ts'
import { runBilling } from '../support/product/run-billing.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { startTestSandbox } from '../support/product/sandbox.ts'
import { startCustomers, type Click } from '../support/product/steady-customers.ts'
import { until } from '../support/machine/until.ts'

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
    ...productSettings(database, sandbox),
    PUBLIC_URL: front.url,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
  }
}, 120_000)
afterAll(async () => {
  // A failed test leaves some of them running.
  await Promise.all(products.map((product) => product.stop('SIGKILL')))
  await front.close()
  await sandbox.close()
  await database.drop()
  await next.remove()
}, 60_000)

const products: RunningProduct[] = []
async function start(command?: readonly [string, ...string[]]): Promise<RunningProduct> {
  const product = await startProduct({ env: settings, ...(command && { command }) })
  products.push(product)
  return product
}
const startThis = () => start()
const startNext = () => start([process.execPath, `${next.path}/services/main.js`])
const ofThis = (...args: readonly string[]) =>
  runBilling({ DATA_DIR: '/nonexistent', ...settings }, ...args)
/** Runs a command of the next release. @throws if its exit code is not 0 */
const ofNext = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [`${next.path}/scripts/billing.js`, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: '/nonexistent', ...settings },
  })

async function everyEvent(): Promise<readonly StoredEvent[]> {
  const store = createPostgresEventStore({ connectionString: database.connectionString })
  try {
    const events: StoredEvent[] = []
    for await (const page of store.readAll(null)) events.push(...page)
    return events
  } finally {
    await store.close()
  }
}

const isNewer = ({ type, metadata }: StoredEvent) =>
  type === addedType || (type === 'CheckoutStarted' && metadata['schemaVersion'] === 2)

/** Whether the log has the events of a click that was answered with 200. */
function isInLog(click: Click, events: readonly StoredEvent[]): boolean {
  const has = (type: string, isIt: (data: StoredEvent['data']) => boolean = () => true) =>
    events.some(
      (event) => event.type === type && event.stream.endsWith(click.userId) && isIt(event.data),
    )
  return click.kind === 'entered'
    ? has('AccountOpened') && has('CompanyProfileCompleted')
    : has('CheckoutSessionOpened', ({ sessionId }) => sessionId === click.sessionId)
}

const reasonsOf = async ({ url }: RunningProduct) => {
  const answer = await fetch(`${url}/readyz`)
  const { reasons } = (await answer.json()) as { reasons: string[] }
  return { status: answer.status, text: reasons.join(' ') }
}

describe('a rolling upgrade, and the way back', () => {
  it('loses no click, although the old release meets events that it does not know', async () => {
    let old = await startThis()
    front.use(old)
    const customers = await startCustomers({ url: front.url, sandboxUrl: sandbox.url }, 3, 5_000)
    const moreClicks = async (kind: Click['kind'], count: number) => {
      const ofKind = () => customers.clicks.filter((click) => click.kind === kind).length
      const goal = ofKind() + count
      await until(() => ofKind() >= goal, `the customers have too few answers (${kind})`, 60)
    }
    await moreClicks('entered', 5)

    // Forward: the old release, both, the next release.
    let newer = await startNext()
    front.use(old, newer)
    await until(async () => (await everyEvent()).filter(isNewer).length > 5, 'nothing is newer', 60)
    const needsNext = `A newer release is needed: ${nextRelease}.`
    await until(
      async () => (await reasonsOf(old)).text.includes(needsNext),
      '/readyz does not name the release',
    )
    expect(await reasonsOf(old)).toMatchObject({ status: 200 })
    expect((await reasonsOf(newer)).text).not.toContain('newer release')
    await moreClicks('checkout', 5)
    front.use(newer)
    expect(await old.stop()).toBe(0)
    expect(old.output()).toContain(`"needs":"${nextRelease}"`)
    await moreClicks('checkout', 5)
    const dana = createClient({ url: front.url, sandboxUrl: sandbox.url })
    const email = 'dana@birchwood.example'
    await dana.signUp(email)
    const started = await dana.startCheckout(email)
    expect(started.status).toBe(200)

    // Back: both, the old release alone.
    old = await startThis()
    front.use(old, newer)
    await moreClicks('checkout', 5)
    front.use(old)
    expect(await newer.stop()).toBe(0)
    // Visitors open new accounts.
    await moreClicks('entered', 5)
    const refused = await dana.startCheckout(email)
    expect(refused).toMatchObject({
      status: 503,
      body: { error: expect.stringMatching(/^A newer version of the service is being installed/) },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await reasonsOf(old)).text).toContain('users_v7')
    await refusedCommands()

    // Forward again: the clicks that were refused succeed.
    newer = await startNext()
    front.use(newer)
    expect(await old.stop()).toBe(0)
    expect((await dana.startCheckout(email)).body).toEqual(started.body)
    await customers.stop()

    expect(customers.wrong).toEqual([])
    const events = await everyEvent()
    expect(customers.clicks.filter((click) => !isInLog(click, events))).toEqual([])
    expect(new Set(events.map(({ metadata }) => metadata['release'])).size).toBe(2)
    expect((await ofNext('events', 'verify')).stdout).toContain('every chain holds')
    await until(
      async () => (await ofNext('projections', 'status')).stdout.includes('users_v8'),
      'the status does not name the read model',
    )
    expect((await ofNext('projections', 'verify')).stdout).toMatch(
      /users_v8: equal[^]*purchases_v12: equal[^]*reports_v\d+: equal/,
    )
    await newer.stop()
  }, 240_000)

  /** The commands of the old release print sentences, and show what they can. */
  async function refusedCommands(): Promise<void> {
    const [own, shared, status, shown] = await Promise.all([
      ofThis('projections', 'verify', 'users'),
      ofThis('projections', 'verify', 'purchases'),
      ofThis('projections', 'status'),
      everyEvent().then((events) => {
        const stream = events.find(({ type }) => type === addedType)?.stream ?? ''
        return ofThis('events', 'show', stream)
      }),
    ])
    expect(own).toMatchObject({ code: 0, stdout: expect.stringContaining('users_v7: equal') })
    expect(shared.code).toBe(1)
    expect(shared.stderr).toContain(`run release ${nextRelease} or a newer one.`)
    expect(shared.stderr).not.toContain('    at ')
    expect(status.stdout).toContain('Waits for a newer release: ')
    expect(shown).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${addedType}  as stored`),
    })
  }
})
