import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { adminSummary } from '#contracts/admin/summary'
import { adminUsersResponse } from '#contracts/admin/users'
import { paymentsResponse, subscriptionChangesResponse } from '#contracts/purchases'
import { freePort } from '../support/machine/free-port.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { createClient } from '../support/product/client.ts'
import { runBilling } from '../support/product/run-billing.ts'
import { startProduct } from '../support/product/run-product.ts'

const logInDatabase = { EVENTSTORE_URL: undefined }

/** Runs the compiled command, which starts the compiled sandbox. */
async function demo(dataDir: string, ...args: readonly string[]) {
  const ports = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) }
  return demoAt(ports, dataDir, ...args)
}

async function demoAt(
  ports: Readonly<{ PORT: string; SANDBOX_PORT: string }>,
  dataDir: string,
  ...args: readonly string[]
) {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(
    process.execPath,
    ['scripts/billing.mjs', 'demo', '--start', '2027-01-01', ...args],
    {
      env: {
        PATH,
        HOME,
        TMPDIR,
        DATA_DIR: dataDir,
        ...ports,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')))
  const closed = once(child, 'close').then(([code]) => ({ code: code as number | null, errors }))
  return { child, closed, errors: () => errors }
}

/** Everything the screens show, by customer. Ids are left out, and of times the day is kept. */
async function shownData(dataDir: string) {
  const product = await startProduct({ dataDir, env: logInDatabase })
  try {
    const admin = createClient(product)
    await admin.post('/api/admin/login', { password: product.adminPassword })
    const summary = adminSummary.parse((await admin.get('/api/admin/summary')).body)
    const { items } = adminUsersResponse.parse(
      (await admin.get('/api/admin/users?pageSize=100')).body,
    )
    const users: Record<string, unknown> = {}
    for (const user of items) {
      const email = encodeURIComponent(user.email)
      const payments = paymentsResponse.parse(
        (await admin.get(`/api/payments?email=${email}`)).body,
      )
      const { changes } = subscriptionChangesResponse.parse(
        (await admin.get(`/api/admin/subscription-changes?userId=${user.user_id}`)).body,
      )
      users[user.email] = comparable({ user, ...payments, changes })
    }
    return { totalRevenue: summary.totalRevenue, summary: comparable(summary), users }
  } finally {
    await product.stop()
  }
}

const isId = /(^|_)(id|url)$|^custom_interval$/

function comparable(value: unknown): unknown {
  if (typeof value === 'string')
    return z.iso.datetime().safeParse(value).success ? value.slice(0, 10) : value
  if (Array.isArray(value))
    return value
      .map(comparable)
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      isId.test(key) && key !== 'plan_id' ? [] : [[key, comparable(each)]],
    ),
  )
}

describe('billing demo', () => {
  it('makes the same customers, payments and changes from the same seed, and leaves nothing to reconcile', async () => {
    const directories = [await temporaryDirectory(), await temporaryDirectory()]
    try {
      const found = []
      for (const { path } of directories) {
        const { closed } = await demo(path, '--customers', '12', '--months', '3', '--seed', '3')
        const { code, errors } = await closed
        expect({ code, errors }).toEqual({ code: 0, errors })
        found.push(await shownData(path))
      }
      const [first, second] = found
      expect(Object.keys(first?.users ?? {})).toHaveLength(12)
      expect(first?.totalRevenue).toBeGreaterThan(0)
      expect(second).toEqual(first)

      const { path } = directories[0] ?? { path: '' }
      const product = await startProduct({ dataDir: path, env: logInDatabase })
      try {
        const settings = {
          DATA_DIR: path,
          PORT: new URL(product.url).port,
          SANDBOX_PORT: new URL(product.sandboxUrl).port,
        }
        const reconciled = await runBilling(settings, 'reconcile', '--all')
        expect(reconciled.stdout).toMatch(/: 0 facts recorded, 0 failures\.\n$/)
        const verified = await runBilling(settings, 'projections', 'verify')
        expect(verified).toMatchObject({ code: 0 })
        const controls = await runBilling(settings, 'controls', 'run', '--format', 'json')
        expect(JSON.parse(controls.stdout)).toMatchObject({ report: 'controls', rows: [] })
      } finally {
        await product.stop()
      }
    } finally {
      for (const directory of directories) await directory.remove()
    }
  }, 900_000)

  it('plays in a running product, which says afterwards which day its clock shows', async () => {
    const directory = await temporaryDirectory()
    try {
      const { path } = directory
      const product = await startProduct({ dataDir: path, env: logInDatabase })
      expect(product.output()).toContain('npm run billing -- demo')
      const ports = {
        PORT: new URL(product.url).port,
        SANDBOX_PORT: new URL(product.sandboxUrl).port,
      }
      const visitor = createClient(product)
      const sandboxOf = async () => (await visitor.get('/api/auth/session')).body?.['sandbox']
      const inboxUrl = `http://localhost:${ports.SANDBOX_PORT}/inbox`
      expect(await sandboxOf()).toEqual({ inboxUrl, isClockAhead: false })

      // More sign-ups from this machine than its limits allow.
      const { closed } = await demoAt(ports, path, '--customers', '25', '--months', '1')
      const { code, errors } = await closed
      expect({ code, errors }).toEqual({ code: 0, errors })
      const admin = createClient(product)
      await admin.post('/api/admin/login', { password: product.adminPassword })
      const { items } = adminUsersResponse.parse(
        (await admin.get('/api/admin/users?pageSize=100')).body,
      )
      expect(items).toHaveLength(25)
      expect(await sandboxOf()).toEqual({ inboxUrl, isClockAhead: true })

      const second = await (await demoAt(ports, path, '--customers', '1', '--months', '1')).closed
      expect(second.errors).toMatch(/ has 25 customers\. Set another DATA_DIR, or add /)
      const again = ['--add', '--start', '2027-03-01', '--customers', '25', '--months', '1']
      const sameSeed = await (await demoAt(ports, path, ...again)).closed
      expect(sameSeed.errors).toBe(
        'The customers of seed 1 are in this data. Choose another --seed.\n',
      )
      await product.stop()
      expect(product.output()).toMatch(/\nStopped\.\n$/)

      const later = await startProduct({ dataDir: path, env: logInDatabase })
      await later.stop()
      expect(later.output()).toMatch(/ {2}Sandbox clock {7}2027-01-31, \d+ days ahead\./)
      expect(later.output()).not.toContain('billing -- demo')
    } finally {
      await directory.remove()
    }
  }, 300_000)

  it('stops cleanly on Ctrl-C, and the product can start on its data', async () => {
    const directory = await temporaryDirectory()
    try {
      const { child, closed, errors } = await demo(directory.path, '--customers', '14')
      while (!/Playing: [1-9]|of \d+ days \([1-9]/.test(errors())) {
        expect(child.exitCode).toBeNull()
        await Promise.race([once(child.stderr, 'data'), closed])
      }
      child.kill('SIGINT')
      const { code, errors: text } = await closed
      expect(code).toBe(1)
      expect(text).toMatch(/The demo was stopped, and the product with it\./)
      const product = await startProduct({ dataDir: directory.path, env: logInDatabase })
      await product.stop()
    } finally {
      await directory.remove()
    }
  }, 120_000)
})
