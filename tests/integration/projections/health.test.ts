import { beforeEach, describe, expect, it } from '@jest/globals'
import express from 'express'
import { parseUserId } from '#contracts/ids'
import { projectionsOverview } from '#projections/engine/operate/overview'
import { schemaOf } from '#projections/engine/read-model'
import { purchases } from '#projections/purchases/read-model'
import { readModels } from '#projections/read-models'
import { reports } from '#projections/reports/read-model'
import { users } from '#projections/users/read-model'
import { countFirings } from '#services/controls/firings'
import { countParkedCustomers } from '#services/controls/parked-customers'
import { EventStoreUnavailable } from '#services/event-store/errors'
import type { EventStore } from '#services/event-store/event-store'
import { createLogger } from '#services/foundation/logger'
import { healthRoutes } from '#services/http/health'
import { listen, type HttpServer } from '#services/http/listen'
import { createMetrics } from '#services/http/metrics/metrics'
import { outboxStatus } from '#services/reactors/outbox'
import { createOutboxReader } from '#services/health/outbox-reader'
import { createReadSide, type ReadSide } from '#services/read-side/read-side'
import { createReadiness, type ReadinessChecks } from '#services/health/readiness'
import { paymentSucceeded } from '../../support/data/events.ts'
import { refuseWrites } from '../../support/postgres/refuse-writes.ts'
import { customers } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { zone } from '../../support/data/finance-values.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()
let server: HttpServer
let readSide: ReadSide
let readiness: ReadinessChecks
let isLogAway: boolean

beforeEach(async () => {
  const log = createLogger('silent')
  const { db, engine } = fixture
  isLogAway = false
  const store: EventStore = {
    ...fixture.store,
    countAfter: (position) =>
      isLogAway
        ? Promise.reject(new EventStoreUnavailable(new Error('unavailable in this test')))
        : fixture.store.countAfter(position),
  }
  readiness = createReadiness({
    connectionString: db.connectionString,
    store,
    isLogInDatabase: true,
    dataDir: null,
    log,
    everyMs: 0,
  })
  const metrics = createMetrics({
    overview: () => projectionsOverview(db.pool, store),
    isReady: async () => (await readiness.check()).isReady,
    isWritable: () => readiness.isWritable(),
    reconciler: async () => null,
    outbox: () => outboxStatus(db.pool),
    controls: async () => ({
      firings: await countFirings(db.pool),
      parkedCustomers: await countParkedCustomers(db.pool),
    }),
    integrity: () => Promise.resolve({ works: [], uncleaned: { count: 0, ageSeconds: 0 } }),
    log,
    // A busy machine reads slowly.
    measuring: { waitMs: 10_000 },
  })
  // A projector only decodes.
  const nothing = () => Promise.reject(new Error('Nothing is encoded here.'))
  const codec = { ...engine.codec, encode: nothing, decodeStream: nothing }
  readSide = createReadSide({
    connectionString: db.connectionString,
    pool: db.pool,
    store,
    codec,
    log,
    shards: 1,
    timeZone: zone('UTC'),
    onProjected: metrics.projected,
  })
  server = await listen(0, '127.0.0.1')
  await server.serve(
    express().use(
      metrics.timeRequests,
      healthRoutes(() => readiness.check()).router,
      metrics.routes,
    ),
  )
  fixture.beforeEnd(async () => {
    await server.close(0)
    await readiness.close()
  })
})

const startProjectors = () => fixture.beforeEnd(readSide.startProjectors())

const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
const readyz = async () =>
  (await get('/readyz')).json() as Promise<{ status: string; reasons: string[] }>
const isReady = async () => (await readyz()).status === 'ready'

/** The value of one series. Undefined if the series does not exist. */
async function metric(series: string): Promise<number | undefined> {
  const line = (await (await get('/metrics')).text())
    .split('\n')
    .find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describe('status, readiness and metrics', () => {
  it('show the progress of the first catch-up, and then that the process is ready', async () => {
    await fixture.append(...customers(1, 3))
    const { status, reasons } = await readyz()
    expect({ status, reasons }).toEqual({
      status: 'not ready',
      reasons: readModels.map(
        ({ name }) => `The read model ${name} is being built: 0 of 12 events so far.`,
      ),
    })
    const newSession = {
      customer: { position: null, userId: null },
      admin: { position: null },
      setHeader: () => undefined,
    }
    await expect(readSide.reports.ready()).rejects.toMatchObject({
      status: 503,
      retryAfterSeconds: 2,
    })
    await expect(readSide.admin.ready(newSession)).rejects.toMatchObject({
      status: 503,
      message:
        'This page is being prepared: its data (users) is still being built, 0 of 12 events so far. Please try again in a moment.',
    })
    startProjectors()
    await until(isReady)
    expect(await metric('projection_events_behind{projection="users_v7"}')).toBe(0)
    expect(await metric('projection_built{projection="users_v7"}')).toBe(1)
    expect(await metric('projection_has_projector{projection="users_v7"}')).toBe(1)
    expect(await metric('projection_events_total{projection="users_v7"}')).toBe(12)
    await fixture.db.pool.query(
      `INSERT INTO app.reactor_checkpoint (reactor, log_id, position, updated_at) VALUES ('mails', 'log', '1', now() - interval '1 minute')`,
    )
    expect(await metric('reactor_outbox_waiting{reactor="mails"}')).toBe(0)
    expect(await metric('reactor_unattended_seconds{reactor="mails"}')).toBeGreaterThan(59)
    await fixture.db.pool.query(
      `INSERT INTO app.outbox (reactor, event_id, event_type, stream, revision, attempts, created_at)
       VALUES ('mails', gen_random_uuid(), 'SignedIn', 'account-usr_1', 1, 5, now() - interval '1 hour')`,
    )
    expect(await metric('reactor_outbox_waiting{reactor="mails"}')).toBe(1)
    expect(await metric('reactor_outbox_failing{reactor="mails"}')).toBe(1)
    expect(await metric('reactor_outbox_oldest_age_seconds{reactor="mails"}')).toBeGreaterThan(
      3_599,
    )
    expect(await metric('reactor_outbox_dead{reactor="mails"}')).toBe(0)
    await fixture.db.pool.query('UPDATE app.outbox SET dead_at = now()')
    expect(await metric('reactor_outbox_waiting{reactor="mails"}')).toBe(0)
    expect(await metric('reactor_outbox_dead{reactor="mails"}')).toBe(1)
    const readOutbox = createOutboxReader(fixture.db.pool, createLogger('silent'))
    expect(await readOutbox()).toMatchObject({ waiting: 0, dead: 1 })
    const firings = 'billing_control_firings_total{control="period-paid-twice"}'
    expect(await metric(firings)).toBe(0)
    await fixture.db.pool.query(
      `INSERT INTO app.control_firing (event_id, control, title, user_id, recorded_at, sentence)
       VALUES (gen_random_uuid(), 'period-paid-twice', 'Period paid twice', 'usr_1', now(), 'It was paid.')`,
    )
    expect(await metric(firings)).toBe(1)
    expect(await metric(firings)).toBe(1)
  })

  it('show a parked stream with its reason while the process stays ready, and later the skipped event', async () => {
    const orphan = paymentSucceeded('usr_404', { paymentId: 'payment_404', subscriptionId: null })
    startProjectors()
    await until(isReady)
    await fixture.append(...customers(1, 2), orphan)
    const last = await fixture.append(...customers(3, 3))
    expect(await fixture.projected([users, purchases], last)).toBe(true)

    expect(await readyz()).toEqual({
      status: 'ready',
      reasons: [
        expect.stringMatching(
          /^The stream billing-usr_404 is parked in the read model users: .*usr_404 has no AccountOpened/,
        ),
        expect.stringMatching(
          /^The stream billing-usr_404 is parked in the read model purchases: .*usr_404 has no AccountOpened/,
        ),
      ],
    })
    expect((await get('/readyz')).status).toBe(200)
    expect(await metric('projection_paused{projection="users_v7"}')).toBe(0)
    expect(await metric('projection_events_behind{projection="users_v7"}')).toBe(0)
    expect(await metric('projection_parked_streams{projection="users_v7"}')).toBe(1)
    expect(await metric('projection_parked_events{projection="users_v7"}')).toBe(1)
    expect(await metric('projection_parked_streams{projection="purchases_v12"}')).toBe(1)

    // The customer's pages say that they are behind. They do not wait for it.
    const ownWritesOf = async (userId: string) => {
      const headers: string[] = []
      await readSide.profile.ready({
        customer: { position: last, userId: parseUserId(userId) },
        admin: { position: null },
        setHeader: (...header) => void headers.push(header.join(': ')),
      })
      return headers
    }
    expect(await ownWritesOf('usr_404')).toEqual(['X-Own-Writes: parked'])
    expect(await ownWritesOf('usr_1')).toEqual([])
    expect(await readSide.admin.summary(new Date(), new AbortController().signal)).toMatchObject({
      poisonEventCount: 1,
      poisonEvents: [
        {
          places: ['users', 'purchases'],
          waits: 'stream',
          stream: 'billing-usr_404',
          reason: expect.stringContaining('has no AccountOpened'),
          retries: [
            'billing projections retry users billing-usr_404',
            'billing projections retry purchases billing-usr_404',
          ],
        },
      ],
    })

    for (const model of [users, purchases])
      expect(await fixture.skipParked(model, orphan.stream, orphan.id)).toBeNull()
    expect(await readyz()).toEqual({ status: 'ready', reasons: [] })
    expect(await metric('projection_parked_streams{projection="users_v7"}')).toBe(0)
    expect(await metric('projection_skipped_events{projection="users_v7"}')).toBe(1)
  })

  it('show the customers that the controls have parked while the process stays ready', async () => {
    startProjectors()
    await until(isReady)
    const series = 'billing_control_parked_customers'
    expect(await metric(series)).toBe(0)
    await fixture.db.pool.query(
      `INSERT INTO app.reactor_checkpoint (reactor, log_id, position) VALUES ('controls', 'log', '9');
       INSERT INTO app.control_progress (log_id, version) VALUES ('log', 1), ('former log', 1), ('log', 2);
       INSERT INTO app.control_parked (log_id, version, user_id, reason, parked_at)
       SELECT log_id, version, 'usr_' || n, 'It has no amount.', to_timestamp(n)
       FROM generate_series(1, 6) AS n, app.control_progress;
       INSERT INTO app.control_waiting (log_id, version, user_id, event_id, type, stream, revision, position)
       SELECT log_id, version, user_id, gen_random_uuid(), 'PaymentSucceeded', 'billing-' || user_id, 3, '7'
       FROM app.control_parked`,
    )
    expect(await readyz()).toEqual({
      status: 'ready',
      reasons: [
        ...[1, 2, 3, 4, 5].map(
          (n) => `The stream billing-usr_${n} is parked in the controls: It has no amount.`,
        ),
        '1 more streams are parked in the controls.',
      ],
    })
    expect(await metric(series)).toBe(6)
    const { poisonEvents, poisonEventCount } = await readSide.admin.summary(
      new Date(),
      new AbortController().signal,
    )
    expect(poisonEventCount).toBe(6)
    expect(poisonEvents[0]).toEqual({
      places: ['controls'],
      waits: 'stream',
      stream: 'billing-usr_1',
      eventType: 'PaymentSucceeded',
      reason: 'It has no amount.',
      since: '1970-01-01T00:00:01.000Z',
      retries: ['billing controls retry usr_1'],
    })
  })

  it.each([
    ['users', 'users_v7', 'not ready', 503],
    ['reports, which no page of a customer needs,', schemaOf(reports), 'ready', 200],
  ])('show a paused projection of %s with its reason', async (_fact, schema, status, code) => {
    startProjectors()
    await until(isReady)
    const [name] = schema.split('_')
    await fixture.db.pool.query(
      `UPDATE projection.checkpoint SET state = 'paused', reason = 'No such plan.' WHERE name = $1`,
      [name],
    )
    expect(await readyz()).toEqual({
      status,
      reasons: [`The projection ${name} is paused: No such plan.`],
    })
    expect((await get('/readyz')).status).toBe(code)
    expect(await metric(`projection_paused{projection="${schema}"}`)).toBe(1)
  })

  it.each([
    ['users', 'not ready', 503],
    ['reports', 'ready', 200],
  ])(
    'show that %s is paused while it is being built; its pages say that an operator must act',
    async (name, status, code) => {
      const position = await fixture.append(...customers(1, 3))
      startProjectors()
      await until(isReady)
      expect(await fixture.projected([users, reports], position)).toBe(true)
      await fixture.db.pool.query(
        `UPDATE projection.checkpoint SET state = 'paused', reason = 'No such plan.', caught_up_at = NULL WHERE name = $1`,
        [name],
      )
      expect(await readyz()).toEqual({
        status,
        reasons: [`The projection ${name} is paused: No such plan.`],
      })
      expect((await get('/readyz')).status).toBe(code)
      const session = {
        customer: { position: null, userId: null },
        admin: { position: null },
        setHeader: () => undefined,
      }
      const call = name === 'users' ? readSide.admin.ready(session) : readSide.reports.ready()
      await expect(call).rejects.toMatchObject({
        status: 503,
        retryAfterSeconds: 60,
        message: `This page cannot be shown: the build of its data (${name}) is paused at an event that cannot be folded, 12 of 12 events so far. An operator must act: 'billing projections status' names the event and the commands.`,
      })
    },
  )

  it('show process figures, and requests by route', async () => {
    await get('/healthz')
    await get('/somewhere/dana@example.com')
    expect(
      await metric(
        'http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}',
      ),
    ).toBe(1)
    expect(
      await metric('http_request_duration_seconds_count{method="GET",route="page",status="404"}'),
    ).toBe(1)
    expect(await metric('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  })

  it('show all figures of the database while the event store is unavailable', async () => {
    await fixture.append(...customers(1, 1))
    isLogAway = true
    expect(await readyz()).toMatchObject({
      status: 'not ready',
      reasons: readModels.map(
        ({ name }) => `The read model ${name} is being built: 0 events so far.`,
      ),
    })
    const orphan = paymentSucceeded('usr_404', { paymentId: 'payment_404', subscriptionId: null })
    startProjectors()
    await until(isReady)
    await fixture.append(orphan)
    await until(async () => (await fixture.parked(users)).length === 1)
    expect(await metric('projection_parked_streams{projection="users_v7"}')).toBe(1)
    expect(await metric('projection_has_projector{projection="purchases_v12"}')).toBe(1)
    expect(await metric('projections_readable')).toBe(1)
    expect(await metric('projection_events_behind{projection="users_v7"}')).toBeUndefined()
  })

  it('report that the database does not answer', async () => {
    expect(await metric('projections_readable')).toBe(1)
    await fixture.db.pool.query('ALTER TABLE projection.checkpoint RENAME TO elsewhere')
    expect(await metric('projections_readable')).toBe(0)
    expect(await metric('metrics_age_seconds{part="projections"}')).toBeGreaterThan(0)
    expect(await metric('metrics_age_seconds{part="outbox"}')).toBe(0)
  })

  it('report whether the database accepts writes', async () => {
    expect(await metric('database_writable')).toBe(1)
    const accept = await refuseWrites(fixture.db.pool, 'INSERT', 'app.write_probe')
    expect(await metric('database_writable')).toBe(0)
    await accept()
    expect(await metric('database_writable')).toBe(1)
  })
})
