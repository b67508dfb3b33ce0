import type { ProviderRef } from '#contracts/events/provider-ref'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import type { UserId } from '#contracts/ids'
import { skipParked } from '#projections/engine/operate/skip-parked'
import { parkedStreams } from '#projections/engine/park/parked-streams'
import { schemaOf } from '#projections/engine/read-model'
import { purchases } from '#projections/purchases/read-model'
import { reconcileNow, runIfDue, startReconciler } from '#services/billing/reconciler/reconciler'
import {
  createReconcilerState,
  type ReconcilerState,
} from '#services/billing/reconciler/reconciler-state'
import type { JsonObject } from '#services/event-store/event-store'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { createReconcilerHealth } from '#services/health/reconciler-health'
import { tamper } from '../../support/event-store/chained-log.ts'
import { breakEvent } from '../../support/event-store/break-event.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { startBillingSide, type BillingSide } from '../../support/product/billing-side.ts'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'
import { leaseNames } from '#services/foundation/application-names'
import { takeFreeLease } from '#services/postgres/lease'
import { until } from '../../support/machine/until.ts'

/*
 * The reconciler with a sandbox that sends no webhooks: every webhook is lost. Each test has its
 * own database, sandbox and security clock.
 */

let database: TestDatabase
let sandbox: TestSandbox
let side: BillingSide
let state: ReconcilerState
let now: number
let lines: { level: number; msg: string; customerRef?: ProviderRef; key?: string }[] = []

const log = pino(
  { level: 'warn' },
  { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
)
const clock = { now: () => new Date(now) }
const never = new AbortController().signal
const minute = 60_000

beforeEach(async () => {
  lines = []
  now = Date.now()
  database = await createTestDatabase()
  sandbox = await startTestSandbox()
  side = await startBillingSide({ database, sandbox }, log)
  state = createReconcilerState(database.pool, clock)
  await state.begin()
}, 60_000)
afterEach(async () => {
  await side?.close()
  await sandbox?.close()
  await database?.drop()
})

const parts = (of: BillingSide = side) => ({
  ...of.events,
  billing: of.billing,
  state,
  clock,
  log,
  firstPauseMs: 1,
})
const options = (of: BillingSide = side) => ({
  ...parts(of),
  takeLease: () => takeFreeLease(database.connectionString, leaseNames.reconciling),
})
const run = (isFull = false) => reconcileNow(parts(), { isFull, signal: never })
const runOverAll = () => reconcileNow(parts(), { isFull: true, skipsEvents: true, signal: never })
const linkTable = `${schemaOf(purchases)}.provider_customer`
const cursor = async () => (await state.read())?.cursor
const newestEvent = async () => (await sandbox.stripe.events.list({ limit: 1 })).data[0]
const overloaded = () =>
  Response.json({ error: { type: 'api_error', message: 'Overloaded.' } }, { status: 503 })

describe('the reconciler', () => {
  it('records what lost webhooks would have reported, and moves its cursor to the newest event', async () => {
    const [lost, reported] = [await side.buy(), await side.buy()]
    for (const { customer } of [lost, reported]) {
      const [subscription] = (await sandbox.stripe.subscriptions.list({ customer })).data
      await sandbox.stripe.subscriptions.cancel(subscription?.id ?? '')
    }
    const all = await side.events.feed.since(null)
    for (const providerEvent of all)
      if ((await side.events.owner.customerOf(providerEvent)) === refOf(reported.customer))
        await side.events.handle(providerEvent, 'webhook')

    const result = await run()
    expect(result).toEqual({ customers: 1, facts: 4, failures: 0 })
    expect(await side.typesOf(lost.userId)).toEqual(await side.typesOf(reported.userId))
    expect(await side.typesOf(lost.userId)).toEqual(
      expect.arrayContaining(['PaymentSucceeded', 'SubscriptionEnded']),
    )
    expect(await cursor()).toBe(all.at(-1)?.created)
    expect((await state.read())?.completedAt).toBe(new Date(now).toISOString())
  })

  it('reads no customer again whose webhooks were handled', async () => {
    const { userId } = await side.buy()
    expect(await run()).toMatchObject({ customers: 1 })
    side.calls.length = 0
    expect(await run()).toEqual({ customers: 0, facts: 0, failures: 0 })
    expect(side.calls.every((call) => call.startsWith('GET /v1/events'))).toBe(true)
    expect(await side.typesOf(userId)).toContain('PaymentSucceeded')
  })

  it('over all customers without the events needs no list of them, and continues after the newest event', async () => {
    const { userId } = await side.buy()
    const newest = await side.events.feed.newest()
    side.intercept = async (call) =>
      call.startsWith('GET /v1/events') && call.includes('types') ? overloaded() : null
    const result = await reconcileNow(parts(), {
      isFull: true,
      skipsEvents: true,
      signal: never,
    })
    expect(result).toMatchObject({ customers: 1, failures: 0 })
    expect(await side.typesOf(userId)).toContain('PaymentSucceeded')
    expect(newest).not.toBeNull()
    expect(await cursor()).toBe(newest)
  })

  it('records the end of a customer that was deleted at the provider', async () => {
    const { userId, customer } = await side.buy()
    await run()
    await sandbox.stripe.customers.del(customer)
    await run()
    expect(await side.typesOf(userId)).toContain('SubscriptionEnded')
  })

  it('that crashes between a synchronization and the cursor records no fact twice', async () => {
    const { userId } = await side.buy()
    const crash = new Error('kill -9')
    const crashing = { ...parts(), state: { ...state, moveCursor: () => Promise.reject(crash) } }
    await expect(reconcileNow(crashing, { isFull: false, signal: never })).rejects.toBe(crash)
    const types = await side.typesOf(userId)
    expect(types).toContain('PaymentSucceeded')
    expect(await cursor()).toBeNull()
    await database.pool.query('DELETE FROM app.webhook')

    expect(await run()).toEqual({ customers: 1, facts: 0, failures: 0 })
    expect(await side.typesOf(userId)).toEqual(types)
    expect(await cursor()).not.toBeNull()
  })

  it('synchronizes the other customers if one fails, and retries the failed one with backoff', async () => {
    const [good, failing, alsoGood] = [await side.buy(), await side.buy(), await side.buy()]
    side.intercept = async (call) =>
      call.startsWith('GET /v1/invoices?') && call.includes(failing.customer) ? overloaded() : null
    expect(await run()).toMatchObject({ customers: 2, failures: 1 })
    for (const { userId } of [good, alsoGood])
      expect(await side.typesOf(userId)).toContain('PaymentSucceeded')
    expect(await side.typesOf(failing.userId)).not.toContain('PaymentSucceeded')
    expect(await cursor()).toBe(
      new Date(((await newestEvent())?.created ?? 0) * 1000).toISOString(),
    )
    expect(await state.failures()).toMatchObject([
      { key: refOf(failing.customer), attempts: 1, reason: expect.stringContaining('Overloaded.') },
    ])
    expect(lines.filter(({ key }) => key === `stripe:${failing.customer}`)).toMatchObject([
      { level: 50 },
    ])

    // Not due yet.
    side.calls.length = 0
    expect(await run()).toEqual({ customers: 0, facts: 0, failures: 0 })
    now += 5 * minute
    expect(await run()).toMatchObject({ customers: 0, failures: 1 })
    expect(await state.failures()).toMatchObject([{ attempts: 2 }])
    now += 5 * minute
    expect(await run()).toMatchObject({ failures: 0 })

    now += 5 * minute
    side.intercept = async () => null
    expect(await run()).toMatchObject({ customers: 1, failures: 0 })
    expect(await side.typesOf(failing.userId)).toContain('PaymentSucceeded')
    expect(await state.failures()).toEqual([])
  })

  it('leaves a customer with an event of a newer release due at once, with one warning per run', async () => {
    const [good, waiting, alsoWaiting] = [await side.buy(), await side.buy(), await side.buy()]
    const knownAgain = [await makeNewer(waiting.userId), await makeNewer(alsoWaiting.userId)]
    for (let runs = 1; runs <= 2; runs += 1) {
      expect(await run()).toMatchObject({ failures: 2 })
      expect(await state.failures()).toMatchObject(
        [1, 2].map(() => ({
          attempts: 0,
          nextAttemptAt: new Date(now).toISOString(),
          reason: expect.stringContaining('run release 99.1.0 or a newer one.'),
        })),
      )
      expect(lines).toHaveLength(runs)
      now += 1
    }
    expect(lines).toMatchObject([1, 2].map(() => ({ level: 40, needs: '99.1.0' })))
    expect(JSON.stringify(lines)).not.toContain('stack')
    expect(await side.typesOf(good.userId)).toContain('PaymentSucceeded')
    expect(await cursor()).not.toBeNull()

    // The newer release starts.
    for (const known of knownAgain) await known()
    expect(await run()).toMatchObject({ customers: 2, failures: 0 })
    for (const { userId } of [waiting, alsoWaiting])
      expect(await side.typesOf(userId)).toContain('PaymentSucceeded')
    expect(await state.failures()).toEqual([])
  })

  it('repeats a call that the provider refuses because of its rate limit', async () => {
    const { userId } = await side.buy()
    let refusals = 0
    side.intercept = async (call) => {
      if (!call.startsWith('GET /v1/invoices?') || refusals > 0) return null
      refusals += 1
      return Response.json(
        { error: { type: 'rate_limit_error', message: 'Too many requests.' } },
        { status: 429 },
      )
    }
    expect(await run()).toMatchObject({ customers: 1, failures: 0 })
    expect(refusals).toBe(1)
    expect(await side.typesOf(userId)).toContain('PaymentSucceeded')
  })

  it('reads at most four customers at once', async () => {
    for (let buyer = 0; buyer < 6; buyer += 1) await side.buy()
    let [reading, max] = [0, 0]
    const [held, release] = gate()
    side.intercept = async (call) => {
      if (!call.startsWith('GET /v1/invoices?')) return null
      reading += 1
      max = Math.max(max, reading)
      if (reading === 4) release()
      await held
      reading -= 1
      return null
    }
    expect(await run()).toMatchObject({ customers: 6 })
    expect(max).toBe(4)
  })

  it('keeps its cursor if the events cannot be listed, and reports the failure', async () => {
    await side.buy()
    await run()
    const before = await cursor()
    side.intercept = async (call) => (call.startsWith('GET /v1/events') ? overloaded() : null)
    await expect(run()).rejects.toThrow('The payment provider failed while listing events')
    expect(await state.read()).toMatchObject({
      cursor: before,
      failure: expect.stringContaining('Overloaded.'),
    })
  })
})

/** As if release 99.1.0 had written the customer's first billing event. Returns the way back. */
async function makeNewer(userId: UserId): Promise<() => Promise<void>> {
  const [event] = await side.store.readStream(`billing-${userId}`, 0, 1)
  if (event === undefined) throw new Error(`${userId} has no billing event.`)
  const write = (metadata: JsonObject) =>
    tamper(database.pool, 'UPDATE log.event SET metadata = $2 WHERE id = $1', [
      event.id,
      JSON.stringify(metadata),
    ])
  await write({ ...event.metadata, schemaVersion: 99, release: '99.1.0' })
  return () => write(event.metadata)
}

function gate(): [Promise<void>, () => void] {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return [opened, () => open()]
}

/** A new account that has paid, while the read model refuses its link. */
async function buyParked() {
  await database.pool.query(`ALTER TABLE ${linkTable} ADD CHECK (false)`)
  const bought = await side.buy()
  await until(async () => (await parkedStreams(database.pool)).length === 1, 'no parked stream')
  return bought
}

describe('a run over everything', () => {
  it('synchronizes linked customers whose events the provider no longer has', async () => {
    const { userId } = await side.buy()
    await until(async () => (await side.events.links.users(null, 1)).length === 1, 'no link')
    await sandbox.database.pool.query("DELETE FROM sandbox.object WHERE id LIKE 'evt_%'")
    expect(await run()).toMatchObject({ customers: 0 })
    expect(await run(true)).toEqual({ customers: 1, facts: 3, failures: 0 })
    expect(await side.typesOf(userId)).toContain('PaymentSucceeded')
  })

  it('reports each object of a customer that belongs to no account', async () => {
    const { customer } = await side.buy()
    await until(async () => (await side.events.links.userOf(refOf(customer))) !== null, 'no link')
    const { id: foreign } = await sandbox.stripe.customers.create({
      email: 'other@example.com',
      metadata: { userId: 'usr_of_no_account' },
    })
    await sandbox.database.pool.query(
      `UPDATE sandbox.object SET data = jsonb_set(data, '{customer}', to_jsonb($2::text))
       WHERE data->>'object' IN ('subscription', 'invoice') AND data->>'customer' = $1`,
      [customer, foreign],
    )
    await run(true)
    const reported = lines.filter(
      (line) => line.customerRef === refOf(foreign) && line.level === 50,
    )
    expect(reported).toMatchObject([{ kind: 'subscription' }, { kind: 'invoice' }])
    expect((await state.read())?.unlinked).toBe(2)
  })

  it('notes one failure for a customer whose link cannot be read, and completes', async () => {
    const [broken, whole] = [await side.buy(), await side.buy()]
    const { links } = side.events
    await until(async () => (await links.users(null, 2)).length === 2, 'no link')
    // A read model that parked the stream has no link of its customer.
    const withoutBroken = {
      ...links,
      users: async (after: UserId | null) => (after === null ? [whole.userId] : []),
      linkedAmong: async () => new Set([refOf(whole.customer)]),
    }
    const correct = await breakEvent(
      { pool: database.pool, store: side.store },
      `billing-${broken.userId}`,
      0,
    )
    const result = await reconcileNow(
      { ...parts(), links: withoutBroken },
      { isFull: true, skipsEvents: true, signal: never },
    )
    expect(result).toEqual({ customers: 1, facts: 3, failures: 1 })
    expect(await side.typesOf(whole.userId)).toContain('PaymentSucceeded')
    expect(await state.read()).toMatchObject({
      fullStartedAt: expect.any(String),
      failure: null,
      unlinked: 0,
    })
    expect(await state.failures()).toMatchObject([
      {
        key: refOf(broken.customer),
        attempts: 1,
        reason: expect.stringContaining('cannot be read'),
      },
    ])
    expect(lines.filter(({ level }) => level === 50)).toMatchObject([
      { key: refOf(broken.customer) },
    ])

    await correct()
    now += 5 * minute
    expect(await run()).toMatchObject({ failures: 0 })
    expect(await side.typesOf(broken.userId)).toContain('PaymentSucceeded')
    expect(await state.failures()).toEqual([])
  })

  it('removes the failure of a synchronized account that a run over the events noted', async () => {
    const { userId, customer } = await side.buy()
    await until(async () => (await side.events.links.users(null, 1)).length === 1, 'no link')
    side.intercept = async (call) => (call.startsWith('GET /v1/invoices?') ? overloaded() : null)
    await run()
    expect(await state.failures()).toMatchObject([{ key: refOf(customer), userId: null }])
    side.intercept = async () => null
    expect(await runOverAll()).toMatchObject({ customers: 1, failures: 0 })
    expect(await side.typesOf(userId)).toContain('PaymentSucceeded')
    expect(await state.failures()).toEqual([])
  })

  it('reports a failure to the caller instead of the log', async () => {
    const { userId, customer } = await side.buy()
    await until(async () => (await side.events.links.users(null, 1)).length === 1, 'no link')
    side.intercept = async (call) => (call.includes(customer) ? overloaded() : null)
    const failed: string[] = []
    await reconcileNow(parts(), {
      isFull: true,
      skipsEvents: true,
      signal: never,
      onFailure: ({ key }) => void failed.push(key),
    })
    expect(failed).toContain(userId)
    expect(lines.filter(({ level }) => level === 50)).toEqual([])
  })

  it('synchronizes a customer whose link is parked in the read model', async () => {
    const { userId } = await buyParked()
    expect(await runOverAll()).toEqual({ customers: 1, facts: 3, failures: 0 })
    expect(await side.typesOf(userId)).toContain('PaymentSucceeded')
    expect((await state.read())?.unlinked).toBe(0)
  })

  it('synchronizes a customer whose link an operator has skipped in the read model', async () => {
    const { userId } = await buyParked()
    const parts = { connection: database.pool, store: side.store }
    await skipParked(parts, purchases, `billing-${userId}`, undefined, 'test')
    await until(async () => (await parkedStreams(database.pool)).length === 0, 'still parked')
    expect(await side.events.links.users(null, 1)).toEqual([])
    expect(await runOverAll()).toMatchObject({ customers: 1, failures: 0 })
    expect(await side.typesOf(userId)).toContain('PaymentSucceeded')
  })

  it('synchronizes a customer whose link the read model has not reached yet', async () => {
    const blocking = await database.pool.connect()
    try {
      await blocking.query(`BEGIN; LOCK TABLE ${linkTable} IN EXCLUSIVE MODE`)
      const { userId } = await side.buy()
      expect(await side.events.links.users(null, 1)).toEqual([])
      expect(await runOverAll()).toMatchObject({ customers: 1, failures: 0 })
      expect(await side.typesOf(userId)).toContain('PaymentSucceeded')
    } finally {
      await blocking.query('ROLLBACK')
      blocking.release()
    }
  })

  it('notes one failure for a parked customer whose stream cannot be read, and retries it', async () => {
    const { userId } = await buyParked()
    const broken = { pool: database.pool, store: side.store }
    const correct = await breakEvent(broken, `billing-${userId}`, 0)
    expect(await runOverAll()).toEqual({ customers: 0, facts: 0, failures: 1 })
    expect(await state.failures()).toMatchObject([{ key: userId, userId, attempts: 1 }])
    expect((await state.read())?.unlinked).toBe(0)

    await correct()
    now += 5 * minute
    expect(await run()).toMatchObject({ failures: 0 })
    expect(await side.typesOf(userId)).toContain('PaymentSucceeded')
    expect(await state.failures()).toEqual([])
  })
})

describe('while the read model with the links is built', () => {
  it('no run begins', async () => {
    await side.buy()
    side.calls.length = 0
    const links = { ...side.events.links, isReady: async () => false }
    expect(await runIfDue({ ...options(), links }, never)).toBeNull()
    expect(side.calls).toEqual([])
    expect(await runIfDue(options(), never)).toMatchObject({ customers: 1 })
  })
})

describe('two processes', () => {
  it('run one reconciler: the second waits five minutes', async () => {
    await side.buy()
    const second = await startBillingSide({ database, sandbox }, log)
    try {
      const [held, release] = gate()
      const [reached, reach] = gate()
      side.intercept = async (call) => {
        if (!call.startsWith('GET /v1/invoices?')) return null
        reach()
        await held
        return null
      }
      const first = runIfDue(options(), never)
      await reached
      expect(await runIfDue(options(second), never)).toBeNull()
      release()
      expect(await first).toMatchObject({ customers: 1, failures: 0 })
      expect(await runIfDue(options(second), never)).toBeNull()
      expect(second.calls).toEqual([])
      now += 5 * minute
      expect(await runIfDue(options(second), never)).toEqual({
        customers: 0,
        facts: 0,
        failures: 0,
      })
      expect(second.calls).not.toEqual([])
    } finally {
      await second.close()
    }
  })
})

describe('the state of the reconciler at /readyz', () => {
  it('is named as a reason after 15 minutes without a complete run, and the process stays ready', async () => {
    const health = createReconcilerHealth({ state, clock, log })
    const ready = { isReady: true, reasons: [] }
    await run()
    expect(await health.addTo(Promise.resolve(ready))).toEqual({
      ...ready,
      reconciler: { ageSeconds: 0, failures: 0, unlinked: 0 },
    })
    now += 16 * minute
    expect(await health.addTo(Promise.resolve(ready))).toEqual({
      isReady: true,
      reasons: [expect.stringContaining('The reconciler has completed no run for 16 min')],
      reconciler: { ageSeconds: 960, failures: 0, unlinked: 0 },
    })
  })

  it('is read during the checks, so that a frozen database takes the time of one of them', async () => {
    let reads = 0
    const read = () => {
      reads += 1
      return state.read()
    }
    const health = createReconcilerHealth({ state: { ...state, read }, clock, log })
    const found = health.addTo(
      (async () => {
        await until(() => reads === 1, 'the state is not read during the checks')
        return { isReady: true, reasons: [] }
      })(),
    )
    expect((await found).isReady).toBe(true)
  })
})

describe('a stop request', () => {
  it('ends the reconciler after the synchronization in progress', async () => {
    for (let buyer = 0; buyer < 6; buyer += 1) await side.buy()
    const [held, release] = gate()
    let reading = 0
    side.intercept = async (call) => {
      if (!call.startsWith('GET /v1/invoices?')) return null
      reading += 1
      await held
      return null
    }
    const stop = startReconciler(options())
    await until(() => reading === 4, 'four customers are not read')
    const stopped = stop()
    release()
    await stopped
    expect(reading).toBe(4)
    expect(await state.read()).toMatchObject({ cursor: null, completedAt: null, failure: null })
    const lease = await takeFreeLease(database.connectionString, leaseNames.reconciling)
    expect(lease).not.toBeNull()
    await lease?.release()
  })
})
