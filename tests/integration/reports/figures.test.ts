import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { reportNames, reports, type ReportName } from '#contracts/finance/report-columns'
import { createKeylessCodec } from '#services/event-store/encryption/codec'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { EventStore } from '#services/event-store/event-store'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import { figureParts } from '#services/reports/figure'
import { parseParameters, type GivenParameters } from '#services/reports/parse-parameters'
import { createReplayReader } from '#services/reports/replay-reader'
import type { ReportReader } from '#services/reports/report-reader'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import { appendFinanceEvents, financeEvents } from '../../support/data/finance-log.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

/* The events behind a figure add up to the figure, for every report. */

let database: TestDatabase
let store: EventStore
let reader: ReportReader
const timeZone = parseTimeZone('Europe/Berlin') as TimeZone
const now = '2027-03-31T12:00:00.000Z'

beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  await appendFinanceEvents(store, financeEvents())
  reader = createReplayReader({ store, codec: createKeylessCodec() }, timeZone)
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
  for await (const batch of reader.report(name, parameters, now).rows()) rows.push(...batch)
  return rows
}

/** The texts of the columns that identify the row. The currency is a parameter. */
const keyOf = (name: ReportName, row: ReportRow) =>
  Object.fromEntries(
    reports[name].columns
      .filter(({ kind }) => kind === 'month' || kind === 'text')
      .map((column) => [column.name, String(row[column.name] ?? '')]),
  )

/** The figures that are sums of events. */
const summed: readonly (readonly [ReportName, readonly string[]])[] = [
  ['revenue', ['gross', 'refunds', 'credits', 'disputes', 'tax', 'net']],
  ['mrr', ['opening', 'new', 'expansion', 'contraction', 'churn', 'reactivation', 'closing']],
  ['subscriptions', ['active', 'trialing', 'paused', 'past_due']],
  ['retention', ['customers', 'retained']],
  ['recognized', ['recognized', 'deferred_at_end']],
  [
    'failed-payments',
    ['failed', 'failed_amount', 'recovered', 'recovered_amount', 'open', 'open_amount'],
  ],
  ['refunds', ['refunds', 'amount']],
  ['trial-balance', ['debit', 'credit']],
]

describe('the events behind a figure', () => {
  it.each(summed)('of the report %s add up to it', async (name, columns) => {
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
      const parts = figureParts(figure, parameters)
      if (typeof parts === 'string') throw new Error(parts)
      const { events } = await reader.explain(figure, parts, parameters)
      expect([column, figure.key, events.reduce((sum, { adds }) => sum + adds, 0)]).toEqual([
        column,
        figure.key,
        Number(row[column]),
      ])
      expect(parts.isSum).toBe(true)
    }
  })

  it('of a row without a plan are those of all plans', async () => {
    const parameters = parametersOf({ from: '2026-04', to: '2026-09', currency: 'eur' })
    const rows = await rowsOf('revenue', parameters)
    const figure = { report: 'revenue', column: 'net', key: {} } as const
    const parts = figureParts(figure, parameters)
    if (typeof parts === 'string') throw new Error(parts)
    const { events, position } = await reader.explain(figure, parts, parameters)
    const net = rows.reduce((sum, row) => sum + Number(row['net']), 0)
    expect(net).not.toBe(0)
    expect(events.reduce((sum, { adds }) => sum + adds, 0)).toBe(net)
    expect(new Set(events.map(({ stream, revision }) => `${stream}@${revision}`)).size).toBe(
      events.length,
    )
    expect(position).toBe(await store.lastPosition())
  })

  it('of a line of the journal is its event', async () => {
    const parameters = parametersOf({ to: '2026-05', currency: 'usd' })
    const [line] = (await rowsOf('journal', parameters)).filter((row) => row['debit'] !== 0)
    const { entry_id, account, debit, event_id } = line ?? {}
    const key = { entry_id: String(entry_id), account: String(account) }
    const figure = { report: 'journal', column: 'debit', key } as const
    const parts = figureParts(figure, parameters)
    if (typeof parts === 'string') throw new Error(parts)
    const [found, ...others] = (await reader.explain(figure, parts, parameters)).events
    expect(others).toEqual([])
    expect(found?.adds).toBe(debit)
    const [stored] = await store.readStream(String(found?.stream), found?.revision ?? 0, 1)
    expect(stored?.id).toBe(event_id)
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
    ['a stock of all months', { report: 'mrr', column: 'closing', key: {} }, /month is required/],
    [
      'a rate of all months',
      { report: 'subscriptions', column: 'churn_rate', key: {} },
      /month is/,
    ],
  ] as const)('is refused for %s', (_what, figure, sentence) => {
    expect(figureParts(figure, parameters())).toMatch(sentence)
  })

  it('is refused for an amount of two currencies', () => {
    const figure = { report: 'revenue', column: 'net', key: {} } as const
    expect(figureParts(figure, parametersOf({}))).toMatch(/^currency is required/)
  })

  it('is no figure column of any report', () => {
    for (const report of reportNames)
      for (const { name, kind } of reports[report].columns) {
        const isFigure = ['amount', 'count', 'rate', 'days'].includes(kind) && name !== 'months'
        const key = { month: '2026-05' }
        const hasMonth = reports[report].columns.some((column) => column.name === 'month')
        const parts = figureParts({ report, column: name, key: hasMonth ? key : {} }, parameters())
        expect([report, name, typeof parts === 'object']).toEqual([report, name, isFigure])
      }
  })
})
