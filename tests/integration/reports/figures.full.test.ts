import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isFigure, reportNames, reports, type ReportName } from '#contracts/finance/report-columns'
import { macKey } from '../../support/event-store/mac-key.ts'
import { financeLog } from '#services/reports/finance-log'
import { proofByMac } from '#services/event-store/audit/event-proof'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { EventStore } from '#services/event-store/event-store'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import type { Figure } from '#services/finance/reports/figure'
import type { FigureEvent } from '#services/finance/reports/figure-event'
import { summaryNames, type SummaryName } from '#projections/reports/queries/read-report'
import { createReportQueries } from '#services/read-side/report-queries'
import { kindOfFigure } from '#services/reports/figure-kind'
import { parseParameters, type GivenParameters } from '#services/reports/parse-parameters'
import { createProjectionReader } from '#services/reports/projection-reader'
import { createReplayReader } from '#services/reports/replay-reader'
import type { ReportReader } from '#services/reports/report-reader'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import { appendFinanceEvents, financeEvents } from '../../support/data/finance-log.ts'
import { foldReports } from '../../support/projections/fold-reports.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

/* The events behind a figure add up to the figure, for every report. */

let database: TestDatabase
let store: EventStore
let replay: ReportReader
let projection: ReportReader
const timeZone = parseTimeZone('Europe/Berlin') as TimeZone
const { signal } = new AbortController()
const now = '2027-03-31T12:00:00.000Z'

const refused = () => {
  throw new Error('the read model does not serve this')
}
const noReplay: ReportReader = { report: refused, explain: refused, state: refused }

/** From the read model, and as the replay has it. */
async function explain(figure: Figure, parameters: ReportParameters) {
  const first = { after: null, limit: 1_000 }
  const explained = await projection.explain(figure, parameters, first, signal)
  expect(explained).toEqual(await replay.explain(figure, parameters, first, signal))
  expect(explained.next).toBeNull()
  return explained
}

/** The events of all pages. Each page has the number and the sum of all. */
async function pagesOf(figure: Figure, parameters: ReportParameters, limit: number) {
  const events: FigureEvent[] = []
  const of = new Set<string>()
  let page
  for (let after: number | null = null; ; after = page.next) {
    page = await projection.explain(figure, parameters, { after, limit }, signal)
    events.push(...page.events)
    of.add(JSON.stringify([page.total, page.sum]))
    if (page.next === null) break
  }
  expect(of.size).toBe(1)
  return { events, total: page.total, sum: page.sum }
}

beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  await appendFinanceEvents(store, financeEvents())
  replay = createReplayReader(financeLog(store, proofByMac(macKey)), timeZone)
  await foldReports(database.connectionString, store, timeZone)
  const queries = createReportQueries(database.pool, async () => undefined)
  projection = createProjectionReader(queries, noReplay, timeZone)
}, 60_000)
afterAll(async () => {
  await store.close()
  await database.drop()
})

function parametersOf(given: GivenParameters): ReportParameters {
  const parsed = parseParameters(given, timeZone, now)
  if (parsed.kind === 'refused') throw new Error(parsed.problem)
  return parsed.parameters
}

async function rowsOf(name: ReportName, parameters: ReportParameters) {
  const rows: ReportRow[] = []
  for await (const batch of replay.report(name, parameters, { computedAt: now, signal }).rows())
    rows.push(...batch)
  return rows
}

/**
 * The texts of the columns that identify the row. The currency is a parameter. A row without a
 * column is a total.
 */
const keyOf = (name: ReportName, row: ReportRow) =>
  Object.fromEntries(
    reports[name].columns
      .filter((column) => column.name in row && (column.kind === 'month' || column.kind === 'text'))
      .map((column) => [column.name, String(row[column.name] ?? '')]),
  )

/** A row of no month and group: its figures are those of all rows of the last row's currency. */
function totalOf(rows: readonly ReportRow[]): ReportRow {
  const currency = rows.at(-1)?.['currency']
  return currency === undefined ? {} : { currency }
}

/** The figures that are sums of events. */
const summed: Readonly<Record<SummaryName, readonly string[]>> = {
  revenue: ['gross', 'refunds', 'credits', 'disputes', 'tax', 'net', 'platform_fees'],
  mrr: ['opening', 'new', 'expansion', 'contraction', 'churn', 'reactivation', 'closing'],
  subscriptions: ['active', 'trialing', 'paused', 'past_due'],
  retention: ['customers', 'retained'],
  recognized: ['recognized', 'deferred_at_end'],
  'failed-payments': [
    'failed',
    'failed_attempts',
    'failed_amount',
    'recovered',
    'recovered_amount',
    'open',
    'open_amount',
  ],
  refunds: ['refunds', 'amount'],
  'trial-balance': ['debit', 'credit'],
}

describe('the events behind a figure', () => {
  it.each(summaryNames)('of the report %s add up to it', async (name) => {
    const columns = summed[name]
    const given = {
      ...(name !== 'trial-balance' && { from: '2026-04' }),
      to: '2026-09',
    }
    const rows = await rowsOf(name, parametersOf(given))
    expect(rows.length).toBeGreaterThan(1)
    // One row with each figure: the last one that has it.
    for (const column of columns) {
      const row = rows.findLast((each) => Number(each[column] ?? 0) !== 0) ?? rows.at(-1)
      if (row === undefined) continue
      const currency = row['currency']
      const parameters = parametersOf({
        ...given,
        ...(typeof currency === 'string' && { currency }),
      })
      const figure = { report: name, column, key: keyOf(name, row) }
      const kind = kindOfFigure(figure, parameters)
      if (typeof kind === 'string') throw new Error(kind)
      const { events } = await explain(figure, parameters)
      expect([column, figure.key, events.reduce((sum, { adds }) => sum + adds, 0)]).toEqual([
        column,
        figure.key,
        Number(row[column]),
      ])
      expect(kind.isSum).toBe(true)
    }
  })

  it.each(summaryNames)(
    'of every row of %s, and of all rows, are those of a replay on all pages',
    async (name) => {
      const given = { to: '2026-11', asOf: '2026-11-17' }
      const rows = await rowsOf(name, parametersOf(given))
      const columns = reports[name].columns.filter(isFigure).map((column) => column.name)
      let found = 0
      for (const row of [...rows, totalOf(rows)])
        for (const column of columns) {
          const { currency } = row
          const parameters = parametersOf({
            ...given,
            ...(typeof currency === 'string' && { currency }),
          })
          const figure = { report: name, column, key: keyOf(name, row) }
          if (typeof kindOfFigure(figure, parameters) === 'string') continue
          const whole = await replay.explain(
            figure,
            parameters,
            { after: null, limit: 1_000 },
            signal,
          )
          const { events, total, sum } = await pagesOf(figure, parameters, 7)
          expect({ figure, events, total, sum }).toEqual({
            figure,
            events: whole.events,
            total: whole.events.length,
            sum: whole.events.reduce((all, { adds }) => all + adds, 0),
          })
          found += total
        }
      expect(found).toBeGreaterThan(20)
    },
    600_000,
  )

  it('of a row without a plan are those of all plans', async () => {
    const parameters = parametersOf({ from: '2026-04', to: '2026-09', currency: 'eur' })
    const rows = await rowsOf('revenue', parameters)
    const figure = { report: 'revenue', column: 'net', key: {} } as const
    const kind = kindOfFigure(figure, parameters)
    if (typeof kind === 'string') throw new Error(kind)
    const { events, position } = await explain(figure, parameters)
    const net = rows.reduce((sum, row) => sum + Number(row['net']), 0)
    expect(net).not.toBe(0)
    expect(events.reduce((sum, { adds }) => sum + adds, 0)).toBe(net)
    expect(new Set(events.map(({ stream, revision }) => `${stream}@${revision}`)).size).toBe(
      events.length,
    )
    expect(position).toBe(await store.lastPosition())
  })

  it.each([
    ['recognized', 'recognized', {}],
    ['mrr', 'new', {}],
    ['mrr', 'closing', { month: '2026-08' }],
    ['failed-payments', 'failed', {}],
    ['refunds', 'amount', { month: '2026-06' }],
    ['retention', 'retained', { month: '2026-09' }],
    ['trial-balance', 'debit', { account: 'cash' }],
  ] as const)('of %s %s are those of the rows with %j', async (report, column, key) => {
    const given = report === 'trial-balance' ? {} : { from: '2026-04' }
    let found = 0
    for (const currency of ['eur', 'usd', 'jpy']) {
      const parameters = parametersOf({ ...given, to: '2026-09', currency })
      found += (await explain({ report, column, key }, parameters)).events.length
    }
    expect(found).toBeGreaterThan(0)
  })

  it('of a month that the report does not have are none', async () => {
    const figure = { report: 'mrr', column: 'closing', key: { month: '2026-10' } } as const
    const parameters = parametersOf({ to: '2026-09', currency: 'eur' })
    expect((await explain(figure, parameters)).events).toEqual([])
  })

  it('of a line of the journal is its event', async () => {
    const parameters = parametersOf({ to: '2026-05', currency: 'usd' })
    const [line] = (await rowsOf('journal', parameters)).filter((row) => row['debit'] !== 0)
    const { entry_id, account, debit, event_id } = line ?? {}
    const key = { entry_id: String(entry_id), account: String(account) }
    const figure = { report: 'journal', column: 'debit', key } as const
    const kind = kindOfFigure(figure, parameters)
    if (typeof kind === 'string') throw new Error(kind)
    const [found, ...others] = (await explain(figure, parameters)).events
    expect(others).toEqual([])
    expect(found?.adds).toBe(debit)
    const [stored] = await store.readStream(String(found?.stream), found?.revision ?? 0, 1)
    expect(stored?.id).toBe(event_id)
  })
})

describe('the state of the reports', () => {
  it('is that of the replay', async () => {
    const state = await projection.state(signal)
    expect(state).toEqual(await replay.state(signal))
    expect(state.firstMonth).not.toBeNull()
  })
})

describe('a figure that does not exist', () => {
  const parameters = () => parametersOf({ currency: 'usd' })
  it.each([
    ['an unknown column', { report: 'mrr', column: 'profit', key: {} }, /no figure 'profit'/],
    ['a column of another report', { report: 'mrr', column: 'new', key: { plan: 'x' } }, /'plan'/],
    [
      'no month',
      { report: 'mrr', column: 'new', key: { month: '2026-13' } },
      /2026-13 is no month/,
    ],
    ['a line without its entry', { report: 'journal', column: 'debit', key: {} }, /entry_id is/],
    ['a stock of all months', { report: 'mrr', column: 'closing', key: {} }, /month is required/],
    [
      'a rate of all months',
      { report: 'subscriptions', column: 'churn_rate', key: {} },
      /month is/,
    ],
  ] as const)('is refused for %s', (_what, figure, sentence) => {
    expect(kindOfFigure(figure, parameters())).toMatch(sentence)
  })

  it('is refused for an amount of two currencies', () => {
    const figure = { report: 'revenue', column: 'net', key: {} } as const
    expect(kindOfFigure(figure, parametersOf({}))).toMatch(/^currency is required/)
  })

  it('is no figure column of any report', () => {
    for (const report of reportNames)
      for (const { name, kind } of reports[report].columns) {
        const isFigure = ['amount', 'count', 'rate', 'days'].includes(kind) && name !== 'months'
        const has = (key: string) => reports[report].columns.some((column) => column.name === key)
        const key = {
          ...(has('month') && { month: '2026-05' }),
          ...(has('entry_id') && { entry_id: 'event_1/sale' }),
        }
        const found = kindOfFigure({ report, column: name, key }, parameters())
        expect([report, name, typeof found === 'object']).toEqual([report, name, isFigure])
      }
  })
})
