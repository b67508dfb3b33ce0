import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { freePort } from '../support/machine/free-port.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { openEventLog } from '#services/start/open-event-log'
import { someEvent } from '../support/data/some-event.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { productSettings } from '../support/product/product-settings.ts'
import { spawnProduct, startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { startTestSandbox, type TestSandbox } from '../support/product/sandbox.ts'
import { until } from '../support/machine/until.ts'

/*
 * The product as containers run it: one process per role, secrets in files, one sandbox for all
 * processes.
 */

let database: TestDatabase
let sandbox: TestSandbox
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
const running: RunningProduct[] = []
let front: RunningProduct
/** Of every process, without its role and port. */
let settings: Readonly<Record<string, string>>

beforeAll(async () => {
  database = await createTestDatabase()
  directory = await temporaryDirectory()
  const backPort = await freePort()
  sandbox = await startTestSandbox({
    webhookUrl: `http://127.0.0.1:${backPort}/api/stripe/webhook`,
  })

  const { SANDBOX_URL, ...secrets } = productSettings(database, sandbox)
  const files = Object.entries(secrets).map(([name, secret]) => {
    const path = join(directory.path, name)
    writeFileSync(path, `${secret}\n`)
    return [`${name}_FILE`, path] as const
  })
  settings = { ...Object.fromEntries(files), SANDBOX_URL, TRUST_PROXY: '1' }
  const start = async (role: string, port?: number) => {
    const env = {
      ...settings,
      ROLE: role,
      ...(port === undefined ? {} : { PORT: String(port), TRUST_PROXY: '0' }),
    }
    const product = await startProduct({ env })
    running.push(product)
    return product
  }
  // At the same time: the process with the given port takes it before another test can.
  const [api] = await Promise.all([
    start('api'),
    start('api', backPort),
    start('projector'),
    start('reactor'),
  ])
  front = api
}, 120_000)

afterAll(async () => {
  await Promise.all(running.map((product) => product.stop()))
  await sandbox?.close()
  await database?.drop()
  await directory?.remove()
}, 60_000)

describe('a projector, a reactor and two API processes', () => {
  it('show a purchase at the first API process after the other one received its webhook', async () => {
    const dana = createClient({ url: front.url, sandboxUrl: sandbox.url })
    const email = 'dana@example.com'
    await dana.signUp(email)
    const { body } = await dana.createCheckoutSession(email)
    expect(await payAt(String(body?.['url']))).toMatchObject({ status: 303 })

    const payments = async () =>
      ((await dana.get(`/api/payments?email=${encodeURIComponent(email)}`)).body?.['payments'] ??
        []) as { amount_total: number }[]
    for (let attempt = 0; attempt < 100 && (await payments()).length === 0; attempt += 1)
      await sleep(100)
    expect((await payments()).map((payment) => payment.amount_total)).toEqual([39])
  })

  it('cancel the subscription of a blocked customer at the provider', async () => {
    const rosa = createClient({ url: front.url, sandboxUrl: sandbox.url })
    const email = 'rosa@example.com'
    const userId = await rosa.signUp(email)
    const { body } = await rosa.createCheckoutSession(email)
    await payAt(String(body?.['url']))
    await rosa.post('/api/billing/sync')
    const [customer] = (await sandbox.stripe.customers.list({ email })).data
    const statuses = async () =>
      (
        await sandbox.stripe.subscriptions.list({ customer: customer?.id ?? '', status: 'all' })
      ).data.map(({ status }) => status)
    expect(await statuses()).toEqual(['active'])
    const admin = createClient({ url: front.url, sandboxUrl: sandbox.url })
    await admin.post('/api/admin/login', { password: front.adminPassword })
    expect((await admin.post(`/api/admin/users/${userId}/toggle-block`)).status).toBe(200)
    await until(async () => (await statuses()).join() === 'canceled', 'it is not canceled')
  })

  it.each([
    ['refuses connections, so that the proxy takes another one', '1', 'ECONNREFUSED'],
    ['answers 503 if no proxy is in front', '0', 503],
  ])('a third one that starts %s', async (_fact, trustProxy, outcome) => {
    // The start waits for this EventStoreDB, which does not exist.
    const eventStoreUrl = `esdb://127.0.0.1:${await freePort()}?tls=false`
    const starting = await spawnProduct({
      env: { ...settings, ROLE: 'api', TRUST_PROXY: trustProxy, EVENTSTORE_URL: eventStoreUrl },
    })
    try {
      await until(
        async () => starting.output().includes('Waiting for EventStoreDB'),
        'it does not wait',
        60,
      )
      const answer = await fetch(starting.url.replace('localhost', '127.0.0.1')).then(
        ({ status }) => status,
        (error: Error) => (error.cause as NodeJS.ErrnoException).code,
      )
      expect(answer).toBe(outcome)
    } finally {
      expect(await starting.stop()).toBe(0)
    }
  })

  it('refuse commands only on a stream with an event of a newer release, and name that release at each process', async () => {
    const [dana, rosa] = [1, 2].map(() => createClient({ url: front.url, sandboxUrl: sandbox.url }))
    const userId = await dana?.signUp('dana@waits.example')
    const { eventStoreUrl = null } = front
    const { connectionString, pool } = database
    const { store } = await openEventLog({ eventStoreUrl, connectionString, pool, print: () => {} })
    try {
      const { metadata } = someEvent()
      await store.append(`billing-${userId}`, 'no-stream', [
        someEvent({ type: 'NoteAdded', data: {}, metadata: { ...metadata, release: '99.1.0' } }),
      ])
    } finally {
      await store.close()
    }
    const refused = await dana?.createCheckoutSession('dana@waits.example')
    expect(refused).toMatchObject({
      status: 503,
      body: { error: expect.stringMatching(/^A newer version of the service is being installed/) },
    })
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    await rosa?.signUp('rosa@goes-on.example')
    expect(await rosa?.createCheckoutSession('rosa@goes-on.example')).toMatchObject({ status: 200 })

    // The second process met the event in no command, and it has no projector.
    for (const { url } of running) {
      const readiness = async () => {
        const answer = await fetch(`${url}/readyz`)
        const { reasons } = (await answer.json()) as { reasons: readonly string[] }
        return `${answer.status} ${reasons.join(' ')}`
      }
      await until(
        async () => /users_v|read model users waits/.test(await readiness()),
        `${url}/readyz names no read model`,
      )
      expect(await readiness()).toMatch(/^200 .*99\.1\.0/)
    }
  })

  it('write nothing to their disks', () => {
    expect(running.flatMap(({ dataDir }) => readdirSync(dataDir))).toEqual([])
  })

  it('each stop with exit code 0', async () => {
    expect(await Promise.all(running.splice(0).map((product) => product.stop()))).toEqual([
      0, 0, 0, 0,
    ])
  })
})
