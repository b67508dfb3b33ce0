import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { readConfig } from '#services/sandbox/config'
import { startSandbox } from '#services/sandbox/start-sandbox'
import { connects } from '../../support/machine/connects.ts'
import { freePort } from '../../support/machine/free-port.ts'
import { ownAddress } from '../../support/machine/own-address.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { payAt } from '../../support/product/client.ts'
import {
  createCheckout,
  startReceiver,
  stripeAt,
  webhookSecret,
  type WebhookReceiver,
} from '../../support/product/sandbox.ts'
import { until } from '../../support/machine/until.ts'

/*
 * The sandbox as the product runs it: a separate process with its settings in the environment and
 * reports over IPC.
 */

const main = fileURLToPath(new URL('../../../services/sandbox/main.ts', import.meta.url))
type Report = { ready?: true; port?: number; smtpPort?: number; error?: string }

let database: TestDatabase
let receiver: WebhookReceiver
let children: ChildProcess[]
beforeEach(async () => {
  children = []
  database = await createTestDatabase()
  receiver = await startReceiver()
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await receiver.close()
  await database.drop()
})

async function start(
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; report: Report; ended: Promise<unknown> }> {
  const child = fork(main, {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      SANDBOX_PORT: '0',
      SANDBOX_DATABASE_URL: database.connectionString,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      WEBHOOK_URL: receiver.url,
      ...env,
    },
  })
  children.push(child)
  const ended = once(child, 'exit').then(([code]: unknown[]) => code)
  const [report] = (await once(child, 'message')) as [Report]
  return { child, report, ended }
}

// Starting a process takes seconds on a busy machine, and some tests start two.
jest.setTimeout(60_000)

describe('the sandbox as a process', () => {
  it('keeps every answered change after kill -9, and delivers its pending webhooks after the next start', async () => {
    receiver.answer(503)
    const first = await start()
    const stripe = stripeAt(first.report.port ?? 0)
    const customer = await stripe.customers.create(
      { email: 'dana@example.com' },
      { idempotencyKey: 'the-customer' },
    )
    const { url, id } = await createCheckout(stripe, customer.id)
    expect((await payAt(url ?? '')).status).toBe(303)
    const clock = await advanceAMonth(first.report)
    first.child.kill('SIGKILL')
    await first.ended

    receiver.answer(200)
    const second = await start()
    const again = stripeAt(second.report.port ?? 0)
    expect(
      (
        await again.customers.create(
          { email: 'dana@example.com' },
          { idempotencyKey: 'the-customer' },
        )
      ).id,
    ).toBe(customer.id)
    expect(await again.checkout.sessions.retrieve(id)).toMatchObject({
      status: 'complete',
      customer: customer.id,
    })
    expect(
      (await again.invoices.list({ customer: customer.id })).data.map(({ status }) => status),
    ).toEqual(['paid', 'paid'])
    expect(Date.parse(await clockOf(second.report))).toBeGreaterThanOrEqual(Date.parse(clock))
    await until(
      () => receiver.events.some(({ type }) => type === 'checkout.session.completed'),
      'the webhook has not come',
    )
  })

  it('continues from its last applied change after kill -9 during a clock advance of a year', async () => {
    const first = await start()
    const stripe = stripeAt(first.report.port ?? 0)
    const { id: customer } = await stripe.customers.create()
    await payAt((await createCheckout(stripe, customer)).url ?? '')
    const advancing = fetch(
      `http://127.0.0.1:${first.report.port}/clock/advance`,
      post({ by: 'P1Y' }),
    ).catch(() => 'cut off')
    await until(
      async () => (await stripe.invoices.list({ customer, limit: 100 })).data.length >= 3,
      'no time has passed',
    )
    first.child.kill('SIGKILL')
    await advancing

    const second = await start()
    const again = stripeAt(second.report.port ?? 0)
    const invoices = (await again.invoices.list({ customer, limit: 100 })).data
    const [latest] = invoices
    const clock = Date.parse(await clockOf(second.report)) / 1000
    const period = (await again.subscriptions.list({ customer })).data[0]?.items.data[0]
    expect(invoices.every(({ status }) => status === 'paid')).toBe(true)
    expect(latest?.lines.data[0]?.period).toEqual({
      start: period?.current_period_start,
      end: period?.current_period_end,
    })
    expect([
      clock >= (period?.current_period_start ?? 0),
      clock < (period?.current_period_end ?? 0),
    ]).toEqual([true, true])
  })

  it('ends when the process that started it has ended', async () => {
    const { child, ended } = await start()
    child.disconnect()
    expect(await ended).toBe(0)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ignores %s while the product is connected',
    async (signal) => {
      const { child, report, ended } = await start()
      child.kill(signal)
      expect(await clockOf(report)).toMatch(/Z$/)
      child.disconnect()
      expect(await ended).toBe(0)
    },
  )

  it('takes over the database from a sandbox that is being killed', async () => {
    const first = await start()
    first.child.kill('SIGKILL')
    expect((await start()).report.ready).toBe(true)
  })

  it('names every invalid setting', async () => {
    const { report, ended } = await start({
      SANDBOX_DATABASE_URL: 'mysql://x',
      SANDBOX_PORT: 'many',
    })
    expect(report.error).toBe(
      'SANDBOX_PORT is "many" and must be a whole number from 0 to 65535; ' +
        'SANDBOX_DATABASE_URL must look like postgres://user:password@host:5432/database. Correct them and start the sandbox again.',
    )
    expect(await ended).toBe(1)
  })
})

const itWithOwnAddress =
  ownAddress === null
    ? (name: string) =>
        it.skip(`${name} [only on a machine with an address beside loopback]`, () => undefined)
    : it

describe('the address that the sandbox listens on', () => {
  /** Whether the HTTP server and the mail server accept connections at this host. */
  const reachedAt = async (host: string, { port = 0, smtpPort = 0 }: Report) => [
    await connects(host, port),
    await connects(host, smtpPort),
  ]

  itWithOwnAddress('is loopback alone, whatever HOST is', async () => {
    const { report } = await start({ HOST: '0.0.0.0' })
    expect(await reachedAt('127.0.0.1', report)).toEqual([true, true])
    expect(await reachedAt(ownAddress ?? '', report)).toEqual([false, false])
  })

  itWithOwnAddress('is SANDBOX_HOST if it is set', async () => {
    const { report } = await start({ SANDBOX_HOST: '0.0.0.0' })
    expect(await reachedAt(ownAddress ?? '', report)).toEqual([true, true])
  })

  it('must be an address of this machine', async () => {
    // 203.0.113.0/24 is reserved for documentation.
    const { report, ended } = await start({ SANDBOX_HOST: '203.0.113.254' })
    expect(report.error).toBe(
      'The sandbox cannot listen on 203.0.113.254: it is no address of this machine. Check SANDBOX_HOST.',
    )
    expect(await ended).toBe(1)
  })
})

describe('the start of the sandbox is refused with one sentence', () => {
  const config = () =>
    readConfig({ SANDBOX_PORT: '0', SANDBOX_DATABASE_URL: database.connectionString })

  it.each([
    ['port', 'SANDBOX_PORT'],
    ['smtpPort', 'SANDBOX_SMTP_PORT'],
  ])('if its %s is in use', async (key, setting) => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as { port: number }
    try {
      await expect(startSandbox({ ...config(), [key]: port })).rejects.toThrow(
        new RegExp(
          `^Port ${port}, .* is in use\\. Stop the process that uses it, or set ${setting} to another port`,
        ),
      )
    } finally {
      blocker.close()
    }
  })

  it('if its database cannot be reached', async () => {
    const nowhere = `postgres://nobody@127.0.0.1:${await freePort()}/none`
    await expect(startSandbox({ ...config(), databaseUrl: nowhere })).rejects.toThrow(
      /^The sandbox cannot reach its database \(.+\)\. Check SANDBOX_DATABASE_URL\.$/,
    )
  })

  it('if another sandbox runs on its database', async () => {
    const running = await startSandbox(config())
    try {
      await expect(startSandbox(config(), { timeoutMs: 200 })).rejects.toThrow(
        /^Another sandbox is running on this database\./,
      )
    } finally {
      await running.close()
    }
  })
})

const post = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

async function advanceAMonth({ port }: Report): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/clock/advance`, post({ by: 'P1M' }))
  return ((await response.json()) as { now: string }).now
}

async function clockOf({ port }: Report): Promise<string> {
  return ((await (await fetch(`http://127.0.0.1:${port}/clock`)).json()) as { now: string }).now
}
