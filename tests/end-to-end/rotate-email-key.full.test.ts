import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { addressHmac } from '#services/accounts/address-hmac'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { assertAddresses } from '../support/product/assert-addresses.ts'
import { createClient } from '../support/product/client.ts'
import { startFront, type Front } from '../support/product/front.ts'
import { productSecrets, productSettings } from '../support/product/product-settings.ts'
import { runBilling, startBilling } from '../support/product/run-billing.ts'
import { RefusedStart, startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { startTestSandbox } from '../support/product/sandbox.ts'
import { startCustomers } from '../support/product/steady-customers.ts'
import { until } from '../support/machine/until.ts'

const [former, latter] = [randomBytes(32), randomBytes(32)] as const
const keys = {
  old: { EMAIL_HMAC_KEY: former.toString('hex') },
  both: { EMAIL_HMAC_KEY: latter.toString('hex'), EMAIL_HMAC_KEY_PREVIOUS: former.toString('hex') },
  fresh: { EMAIL_HMAC_KEY: latter.toString('hex') },
} as const

let database: TestDatabase
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
let front: Front
let settings: Record<string, string>
const products: RunningProduct[] = []

beforeAll(async () => {
  ;[database, front] = await Promise.all([createTestDatabase(), startFront()])
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
}, 60_000)

async function start(env: Readonly<Record<string, string>>): Promise<RunningProduct> {
  const product = await startProduct({ env: { ...settings, ...env } })
  products.push(product)
  return product
}

const environment = () => ({ DATA_DIR: '/nonexistent', ...settings, ...keys.both })

async function readLog() {
  const store = createPostgresEventStore({ connectionString: database.connectionString })
  const codec = createCodec(
    createPersonalKeys(database.pool, Buffer.from(productSecrets.MASTER_KEY, 'hex')),
  )
  try {
    const log = []
    for await (const page of store.readAll(null)) log.push(...(await codec.decode(page)))
    return log
  } finally {
    await store.close()
  }
}

it('EMAIL_HMAC_KEY is rotated by a killed and a second command while customers sign up through a rolling restart', async () => {
  const old = await start(keys.old)
  front.use(old)
  const dana = createClient({ url: front.url, sandboxUrl: sandbox.url })
  const email = 'dana@birchwood.example'
  await dana.signUp(email)
  const customers = await startCustomers({ url: front.url, sandboxUrl: sandbox.url }, 3)
  const moreClicks = async (count: number) => {
    const goal = customers.clicks.length + count
    await until(() => customers.clicks.length >= goal, 'no customer clicks', 60)
  }
  await moreClicks(10)

  // A rolling restart: the former key, both environments beside each other, both keys.
  const [one, two] = [await start(keys.both), await start(keys.both)]
  front.use(old, one)
  await moreClicks(10)
  const early = await runBilling(environment(), 'keys', 'rotate', '--email')
  expect(early).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^1 of 3 running processes does not have the new EMAIL_HMAC_KEY .* Nothing was changed\.\n$/,
    ) as unknown,
  })
  front.use(one, two)
  expect(await old.stop()).toBe(0)

  const moved = async () =>
    (
      await database.pool.query<{ count: number }>(
        "SELECT count(*)::int FROM log.event WHERE type = 'EmailClaimMoved'",
      )
    ).rows[0]?.count ?? 0
  const killed = startBilling(environment(), 'keys', 'rotate', '--email')
  await until(async () => (await moved()) > 1, 'the rotation does not begin', 60)
  killed.kill('SIGKILL')
  await moreClicks(10)
  const between = await runBilling(environment(), 'keys', 'status')
  const rotated = await runBilling(environment(), 'keys', 'rotate', '--email')
  expect(between.code).toBe(0)
  expect(rotated).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/EMAIL_HMAC_KEY is in use/) as unknown,
  })

  // Another rolling restart: both keys beside the new key alone, then the new key alone.
  const fresh = await start(keys.fresh)
  front.use(two, fresh)
  expect(await one.stop()).toBe(0)
  await moreClicks(10)
  front.use(fresh)
  expect(await two.stop()).toBe(0)
  await moreClicks(5)
  await customers.stop()
  expect(customers.wrong).toEqual([])
  expect((await dana.createCheckoutSession(email)).status).toBe(200)
  const back = createClient({ url: front.url, sandboxUrl: sandbox.url })
  await back.signIn(email)

  const log = await readLog()
  assertAddresses(log, (each) => [latter, former].map((key) => addressHmac(each, key)))
  const opened = log.flatMap((event) => (event.type === 'AccountOpened' ? [event.data.email] : []))
  expect(new Set(opened).size).toBe(opened.length)
  for (const click of customers.clicks)
    if (click.kind === 'entered') expect(opened).toContain(click.email)
  const refused = await start(keys.old).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(RefusedStart)
  for (const command of [
    ['events', 'verify'],
    ['projections', 'verify'],
  ])
    expect(
      await runBilling({ DATA_DIR: '/nonexistent', ...settings, ...keys.fresh }, ...command),
    ).toMatchObject({ code: 0 })
}, 300_000)
