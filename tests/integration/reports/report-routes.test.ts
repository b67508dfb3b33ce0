import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import {
  reportEventsResponse,
  reportResponse,
  reportsOverview,
  type ReportResponse,
} from '#contracts/admin/reports'
import { reportNames, type ReportName } from '#contracts/finance/report-columns'
import { schemaOf } from '#projections/engine/read-model'
import { reports } from '#projections/reports/read-model'
import { financeLog } from '#services/reports/finance-log'
import { proofByMac } from '#services/event-store/audit/event-proof'
import { reportRoutes } from '#services/admin/report-routes'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { EventStore } from '#services/event-store/event-store'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { HttpError } from '#services/http/http-error'
import { createReportQueries } from '#services/read-side/report-queries'
import { createLimits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { openAdminSessions } from '#services/http/sessions/session-tables'
import { createGatedReader } from '#services/reports/gated-reader'
import { createProjectionReader } from '#services/reports/projection-reader'
import { createReplayReader } from '#services/reports/replay-reader'
import { breakEvent } from '../../support/event-store/break-event.ts'
import { appendFinanceEvents, financeEvents } from '../../support/data/finance-log.ts'
import { reportsOver, type Asked } from '../../support/data/run-reports.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { foldReports } from '../../support/projections/fold-reports.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { createClient } from '../../support/product/client.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'

const timeZone = parseTimeZone('Europe/Berlin') as TimeZone
const now = new Date('2027-03-31T12:00:00.000Z')
const clock = { now: () => now }

let database: TestDatabase
let store: EventStore
let server: AreaServer
let admin: ReturnType<typeof createClient>
/** The position of the read model. */
let projectedTo: string | null
/** How often the whole log was read. */
let replays = 0
/** Whether the read model is being built. */
let isBuilding = false

const signIns: Routes = (route) => {
  signInRoute('/api/sign-in-admin', 'admin')(route)
  signInRoute('/api/sign-in-customer', 'customer')(route)
}

beforeAll(async () => {
  database = await createTestDatabase()
  const { pool, connectionString } = database
  store = createPostgresEventStore({ connectionString })
  await appendFinanceEvents(store, financeEvents())
  await foldReports(connectionString, store, timeZone)
  projectedTo = await store.lastPosition()
  const counting: Pick<EventStore, 'readAll' | 'readStream'> = {
    readStream: store.readStream,
    readAll(after) {
      replays += 1
      return store.readAll(after)
    },
  }
  const codec = createCodec(createPersonalKeys(pool, Buffer.alloc(32, 7)))
  const limits = createLimits(pool)
  const routes = reportRoutes({
    reader: createProjectionReader(
      createReportQueries(pool, async () => {
        if (isBuilding) throw new HttpError(503, 'Being built.', { retryAfterSeconds: 2 })
      }),
      createGatedReader(createReplayReader(financeLog(counting, proofByMac(macKey)), timeZone)),
      timeZone,
    ),
    timeZone,
    queries: {
      ready: async () => undefined,
      emails: async (ids) => new Map(ids.map((id) => [id, `${id}@x.example`])),
    },
    log: { store, codec, administratorNames: () => Promise.resolve(new Map()) },
    commands: createCommandHandler({ store, codec, clock, macKey }),
    limits,
    access: {
      openSessions: (handles) => openAdminSessions(pool, handles, new Date()),
      personOf: (adminId) => Promise.resolve({ adminId, name: null, role: 'owner' }),
    },
    clock,
  })
  server = await serveArea(
    (route) => [signIns, routes].forEach((area) => area(route)),
    pino({ level: 'silent' }),
    { database },
  )
  admin = createClient({ url: server.url, sandboxUrl: '' })
  await admin.post('/api/sign-in-admin')
}, 60_000)
afterAll(async () => {
  await server?.close()
  await store?.close()
  await database?.drop()
})

/** What the command writes. */
const written = async (name: ReportName, format: 'json' | 'csv', given: Asked) =>
  (await reportsOver(store).write(name, format, { ...given, timeZone })).toString()

const get = async (path: string) => {
  const { status, body } = await admin.get(`/api/admin/reports${path}`)
  return { status, body }
}
const reportAt = async (path: string): Promise<ReportResponse> =>
  reportResponse.parse((await get(path)).body)

describe('GET /api/admin/reports/:name', () => {
  it.each(
    reportNames.flatMap((name) => [
      [name, 'from the read model', {}, 0] as const,
      [name, 'as known at a day, from the log', { knownAt: '2027-01-15' }, 1] as const,
    ]),
  )('answers %s with the JSON of the command %s', async (name, _source, known, reads) => {
    const given = {
      to: '2026-11',
      asOf: '2027-02-28',
      ...known,
      ...(name !== 'trial-balance' && { from: '2026-03' }),
    }
    const before = replays
    const { status, body } = await get(`/${name}?${new URLSearchParams(given)}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...JSON.parse(await written(name, 'json', given)),
      computed_at: now.toISOString(),
    })
    if (name !== 'adjustments') expect(body?.['rows']).not.toEqual([])
    expect(replays - before).toBe(reads)
  })

  it('answers the calls of the page without a read of the whole log', async () => {
    const before = replays
    const figure = 'events?column=net&month=2026-05&currency=usd'
    for (const path of ['', '/journal?page=1', `/revenue/${figure}`, '/mrr/export?format=csv'])
      expect((await admin.get(`/api/admin/reports${path}`)).status).toBe(200)
    for (const name of reportNames) expect((await get(`/${name}`)).status).toBe(200)
    expect(replays).toBe(before)
  })

  it('answers 503 while the read model is being built', async () => {
    isBuilding = true
    try {
      for (const path of ['', '/mrr', '/journal?page=1', '/mrr/events?column=new&currency=usd'])
        expect(await admin.get(`/api/admin/reports${path}`)).toMatchObject({
          status: 503,
          body: { error: 'Being built.' },
        })
    } finally {
      isBuilding = false
    }
  })

  it('names the merchants behind the fees on payments of clients', async () => {
    const { rows } = await reportAt('/revenue')
    const fees = rows.find((row) => row['currency'] === 'usd' && Number(row['platform_fees']) > 0)
    const month = String(fees?.['month'])
    const { body } = await get(`/revenue/events?column=platform_fees&month=${month}&currency=usd`)
    const { items, sum } = reportEventsResponse.parse(body)
    expect(sum).toBe(fees?.['platform_fees'])
    expect(items.length).toBeGreaterThan(0)
    for (const { event } of items) {
      expect(event.stream).toMatch(/^client-/)
      expect(event.user_id).toMatch(/^usr_/)
    }
  })

  it('answers a page of a long report, and the number of all rows', async () => {
    const all = await reportAt('/journal?to=2026-05')
    const page = await reportAt('/journal?to=2026-05&page=2&pageSize=7')
    expect(page.rows).toEqual(all.rows.slice(7, 14))
    expect(page.total).toBe(all.rows.length)
    expect(all.total).toBeUndefined()
  })

  it.each([
    ['/profit', "There is no report 'profit'."],
    ['/mrr?from=2026-13', 'from 2026-13 is no month.'],
    ['/mrr?to=May', 'to May is no month.'],
    ['/mrr?from=2026-05&to=2026-04', 'from 2026-05 is after to 2026-04.'],
    ['/mrr?currency=zzz', 'currency zzz is no ISO 4217 currency.'],
    ['/mrr?asOf=2026-02-30', 'asOf 2026-02-30 is no day.'],
    ['/mrr?knownAt=yesterday', 'knownAt yesterday is no time.'],
    ['/trial-balance?from=2026-03', 'so it takes no from. Use to or asOf.'],
    ['/subscriptions?currency=usd', 'so it takes no currency.'],
    ['/revenue/events?column=profit', "no figure 'profit'"],
    ['/revenue/events?column=net&month=2026-05', 'currency is required'],
    ['/journal/events?column=debit&currency=usd', 'entry_id is required'],
    ['/mrr/events?column=new&currency=usd&after=x', 'Use next of the page before.'],
    ['/revenue/export?format=pdf', 'Format'],
  ])('refuses %s with a sentence that names the value', async (path, sentence) => {
    const { status, body } = await get(path)
    expect([status, body?.['error']]).toEqual([400, expect.stringContaining(sentence)])
  })
})

describe('the calls of the reports', () => {
  it.each(['', '/mrr', '/mrr/events?column=new', '/mrr/export?format=csv'])(
    'refuse visitors and customers at %j',
    async (path) => {
      const visitor = createClient({ url: server.url, sandboxUrl: '' })
      expect((await visitor.get(`/api/admin/reports${path}`)).status).toBe(401)
      await visitor.post('/api/sign-in-customer')
      expect([401, 403]).toContain((await visitor.get(`/api/admin/reports${path}`)).status)
    },
  )

  it('answer the time zone, the day, the first month and the closed months', async () => {
    const overview = reportsOverview.parse((await get('')).body)
    expect(overview).toEqual({
      time_zone: 'Europe/Berlin',
      now: now.toISOString(),
      today: '2027-03-31',
      first_month: expect.stringMatching(/^202[56]-\d\d$/),
      closed_through: null,
      position: projectedTo,
      paused_since: null,
      parked_customers: 0,
      skipped_events: 0,
    })
  })
})

describe('GET /api/admin/reports/:name/events', () => {
  it('answers the events of a figure in pages, with the sum of all', async () => {
    const { rows } = await reportAt('/recognized?from=2026-05&to=2026-08&currency=usd')
    const figure = rows.at(-1)
    const query = `column=deferred_at_end&month=${figure?.['month']}&from=2026-05&to=2026-08&currency=usd&pageSize=3`
    const page = async (after: string) =>
      reportEventsResponse.parse((await get(`/recognized/events?${query}${after}`)).body)
    const first = await page('')
    const { items } = first
    expect(first.sum).toBe(figure?.['deferred_at_end'])
    expect(first.is_sum).toBe(true)
    const all = [...items]
    for (let { next } = first; next !== null;) {
      const later = await page(`&after=${next}`)
      expect(later).toMatchObject({ sum: first.sum, total: first.total })
      all.push(...later.items)
      next = later.next
    }
    expect(all.length).toBeGreaterThan(3)
    expect(all).toHaveLength(first.total)
    const cents = all.reduce((sum, { adds }) => sum + Number(String(adds).replace('.', '')), 0)
    expect(cents).toBe(Number(String(first.sum).replace('.', '')))
    const [{ event } = { event: null }] = items
    expect(event?.user_email).toBe(`${event?.user_id}@x.example`)
    expect(event?.title).not.toBe('')
  })

  it('answers the events behind a rate, which are not its sum', async () => {
    const { rows } = await reportAt('/subscriptions')
    const row = rows.find((each) => Number(each['churn_rate'] ?? 0) > 0)
    const { body } = await get(`/subscriptions/events?column=churn_rate&month=${row?.['month']}`)
    const answer = reportEventsResponse.parse(body)
    expect(answer.is_sum).toBe(false)
    expect(answer.sum).toBe(answer.total)
    expect(answer.items.length).toBeGreaterThan(0)
  })
})

describe('GET /api/admin/reports/:name/export', () => {
  const download = (path: string) =>
    fetch(`${server.url}/api/admin/reports${path}`, { headers: { cookie: admin.cookieHeader() } })

  it('sends the CSV of the command, and records the export', async () => {
    const response = await download('/revenue/export?format=csv&from=2026-04&to=2026-06')
    expect(response.headers.get('content-disposition')).toContain('Revenue_2027-03-31_12-00-00.csv')
    expect(await response.text()).toBe(
      await written('revenue', 'csv', { from: '2026-04', to: '2026-06' }),
    )
    const last = await store.readLast('adminAccess-2027-03')
    expect(last).toMatchObject({
      type: 'DataExported',
      data: {
        adminId: 'adm_1',
        list: 'reports/revenue',
        format: 'csv',
        rows: null,
        filters: { from: '2026-04', to: '2026-06' },
      },
    })
  })

  it.each([
    [
      'a customer is parked',
      `INSERT INTO projection.parked_stream (projection, partition_key, event, reason)
       VALUES ('${schemaOf(reports)}', 'usr_1', '{"id": "id", "type": "PaymentSucceeded", "stream": "billing-usr_1", "revision": 1, "position": "1"}', 'x')`,
      'DELETE FROM projection.parked_stream',
      { parked_customers: 1, skipped_events: 0, paused_since: null },
    ],
    [
      'a skipped event is not folded',
      `INSERT INTO projection.skipped_event (name, version, event_id, type, stream, revision, position, reason, skipped_by, folded_at)
       SELECT name, ${reports.version}, id, 'MonthCutOff', 'close-2026-04', 0, '1', 'x', 'an operator', folded_at
       FROM (VALUES ('reports', 'missing', NULL), ('reports', 'folded', now()), ('users', 'of users', NULL)) AS skip (name, id, folded_at)`,
      'DELETE FROM projection.skipped_event',
      { parked_customers: 0, skipped_events: 1, paused_since: null },
    ],
    [
      'the read model is paused',
      `UPDATE projection.checkpoint SET state = 'paused', reason = 'x' WHERE name = 'reports'`,
      `UPDATE projection.checkpoint SET state = 'running', reason = NULL WHERE name = 'reports'`,
      { parked_customers: 0, skipped_events: 0, paused_since: expect.any(String) },
    ],
  ])(
    'computes the file from the log while %s: the page states what its figures lack',
    async (_fact, begin, end, overview) => {
      await database.pool.query(begin)
      try {
        expect((await get('')).body).toMatchObject(overview)
        const before = replays
        await get('/revenue?from=2026-04&to=2026-06')
        expect(replays).toBe(before)
        const response = await download('/revenue/export?format=csv&from=2026-04&to=2026-06')
        expect(await response.text()).toBe(
          await written('revenue', 'csv', { from: '2026-04', to: '2026-06' }),
        )
        expect(replays).toBe(before + 1)
      } finally {
        await database.pool.query(end)
      }
    },
  )

  it('names an event that cannot be read, if the file would need it', async () => {
    const payment = financeEvents().find(({ type }) => type === 'PaymentSucceeded')
    const { stream = '', revision = 0 } = payment ?? {}
    const mend = await breakEvent({ pool: database.pool, store }, stream, revision)
    try {
      for (const call of ['', '/export'])
        expect(await get(`/revenue${call}?knownAt=2027-03-01${call && '&format=csv'}`)).toEqual({
          status: 409,
          body: {
            error: expect.stringMatching(
              /^The report was not computed\. Event .* cannot be read: .* Run 'billing events verify', and repair the event from a backup: 'billing events repair <backup>'\./,
            ),
          },
        })
    } finally {
      await mend()
    }
  })

  it('sends an XLSX file', async () => {
    const response = await download('/mrr/export?format=xlsx')
    expect(response.headers.get('content-type')).toContain('spreadsheetml')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(String.fromCharCode(...bytes.slice(0, 2))).toBe('PK')
  })
})
