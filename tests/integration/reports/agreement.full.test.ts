import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { reports, type ReportName } from '#contracts/finance/report-columns'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { EventStore } from '#services/event-store/event-store'
import type { ReportRow } from '#services/finance/reports/report-types'
import { appendFinanceEvents, financeEvents } from '../../support/data/finance-log.ts'
import { reportsOver, type Asked, type Computed } from '../../support/data/run-reports.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

let database: TestDatabase
let store: EventStore
const log = { compute: remembered }
const events = financeEvents()

beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  await appendFinanceEvents(store, events)
}, 60_000)
afterAll(async () => {
  await store.close()
  await database.drop()
})

const known = new Map<string, Promise<Computed>>()

/** Several tests compare the same reports. */
function remembered(name: ReportName, asked: Asked = {}): Promise<Computed> {
  const key = JSON.stringify([name, asked])
  const computed = known.get(key) ?? reportsOver(store).compute(name, asked)
  known.set(key, computed)
  return computed
}

const asked: readonly Asked[] = [
  {},
  { timeZone: 'Pacific/Auckland' },
  { asOf: '2026-08-17' },
  { to: '2026-10' },
  { knownAt: '2026-09-20T12:00:00Z' },
  { currency: 'eur', asOf: '2027-02-28' },
]

const sum = (rows: readonly ReportRow[], column: string) =>
  rows.reduce((total, row) => total + Number(row[column]), 0)

/** The sums of a column by the other columns that are named. */
function sumsBy(rows: readonly ReportRow[], by: readonly string[], of: (row: ReportRow) => number) {
  const sums: Record<string, number> = {}
  for (const row of rows) {
    const key = by.map((column) => row[column] ?? '').join(' ')
    sums[key] = (sums[key] ?? 0) + of(row)
  }
  return Object.fromEntries(Object.entries(sums).filter(([, total]) => total !== 0))
}

describe('the reports of a log with every kind of event about money', () => {
  it('have figures', async () => {
    for (const name of Object.keys(reports) as ReportName[]) {
      if (name === 'adjustments') continue
      expect((await log.compute(name)).rows.length).toBeGreaterThan(3)
    }
    const [revenue, mrr] = [await log.compute('revenue'), await log.compute('mrr')]
    for (const column of ['gross', 'refunds', 'credits', 'disputes', 'tax', 'platform_fees'])
      expect(revenue.rows.filter((row) => row[column] !== 0).length).toBeGreaterThan(2)
    for (const column of ['new', 'expansion', 'contraction', 'churn', 'reactivation'])
      expect(mrr.rows.filter((row) => row[column] !== 0).length).toBeGreaterThan(2)
  })

  it.each(asked)('agree to the cent: %j', async (given) => {
    const { rows: revenue } = await log.compute('revenue', given)
    const { rows: recognized } = await log.compute('recognized', given)
    const { rows: journal } = await log.compute('journal', given)
    const { rows: balance } = await log.compute('trial-balance', given)
    expect(revenue.length).toBeGreaterThan(0)

    for (const currency of ['usd', 'eur']) {
      const of = (rows: readonly ReportRow[]) => rows.filter((row) => row['currency'] === currency)
      const deferred = Number(of(recognized).at(-1)?.['deferred_at_end'] ?? 0)
      expect(sum(of(revenue), 'net')).toBe(sum(of(recognized), 'recognized') + deferred)
      const taxes = of(balance).find(({ account }) => account === 'tax_payable')
      expect(sum(of(revenue), 'tax')).toBe(
        Number(taxes?.['credit'] ?? 0) - Number(taxes?.['debit'] ?? 0),
      )
      expect(sum(of(balance), 'debit')).toBe(sum(of(balance), 'credit'))
      expect(sum(of(journal), 'debit')).toBe(sum(of(journal), 'credit'))
    }

    const net = (row: ReportRow) => Number(row['debit']) - Number(row['credit'])
    expect(sumsBy(journal, ['account', 'currency'], net)).toEqual(
      sumsBy(balance, ['account', 'currency'], net),
    )
    expect(Object.values(sumsBy(journal, ['entry_id'], net))).toEqual([])
    const recognition = journal.filter(({ account }) =>
      ['revenue', 'refunds', 'credits', 'disputes'].includes(String(account)),
    )
    expect(
      sumsBy(
        recognition.map((row) => ({ ...row, month: String(row['date']).slice(0, 7) })),
        ['month', 'currency'],
        (row) => -net(row),
      ),
    ).toEqual(sumsBy(recognized, ['month', 'currency'], (row) => Number(row['recognized'])))
  })

  it.each(asked)('have months that continue each other: %j', async (given) => {
    const { rows } = await log.compute('mrr', given)
    const last: Record<string, number> = {}
    for (const row of rows) {
      const { currency, opening, closing } = row
      expect(opening).toBe(last[String(currency)] ?? 0)
      const moves = ['new', 'expansion', 'contraction', 'churn', 'reactivation']
      const moved = moves.reduce((total, kind) => total + Number(row[kind]), 0)
      expect(Number(opening) + moved).toBe(closing)
      last[String(currency)] = Number(closing)
    }
  })

  it('have the same rows with --from as without, from this month on', async () => {
    for (const name of ['revenue', 'mrr', 'subscriptions', 'recognized', 'refunds'] as const) {
      const { rows } = await log.compute(name)
      const later = await log.compute(name, { from: '2026-07' })
      expect(later.rows).toEqual(rows.filter(({ month }) => String(month) >= '2026-07'))
    }
  })

  it('of an earlier day have the months before it unchanged', async () => {
    for (const name of ['revenue', 'mrr', 'subscriptions', 'recognized', 'refunds'] as const) {
      const until = (rows: readonly ReportRow[]) =>
        rows.filter(({ month }) => String(month) < '2026-08')
      const { rows } = await log.compute(name, { asOf: '2026-08-17' })
      expect(until(rows)).toEqual(until((await log.compute(name)).rows))
    }
  })
})

/** Columns of a stock: a contribution counts in its month and in every later one. */
const stocks: Readonly<Partial<Record<ReportName, readonly string[]>>> = {
  subscriptions: ['active', 'trialing', 'paused', 'past_due'],
  recognized: ['deferred_at_end'],
  retention: ['customers', 'retained'],
}
const flows: Readonly<Partial<Record<ReportName, readonly string[]>>> = {
  revenue: ['gross', 'refunds', 'credits', 'disputes', 'tax', 'platform_fees'],
  mrr: ['new', 'expansion', 'contraction', 'churn', 'reactivation'],
  recognized: ['recognized'],
  refunds: ['refunds', 'amount'],
  'failed-payments': [
    'failed_attempts',
    'recovered',
    'recovered_amount',
    'written_off',
    'written_off_amount',
    'open',
    'open_amount',
  ],
}
const keys = ['month', 'cohort', 'plan', 'currency', 'type', 'reason', 'account'] as const

describe('the explanation of a report', () => {
  const explained = (name: ReportName, given: Asked) =>
    log.compute(name, { ...given, explain: true })
  const figure = (row: ReportRow) => Number(row['amount'] ?? row['count'])
  const given: readonly Asked[] = [...asked, { from: '2026-07', to: '2026-11' }]

  it.each(given)('adds up to each figure of the report: %j', async (each) => {
    const names = [...Object.keys(flows), ...Object.keys(stocks)] as ReportName[]
    for (const name of new Set(names)) {
      if (each.currency !== undefined && ['subscriptions', 'retention'].includes(name)) continue
      const { rows } = await log.compute(name, each)
      const { rows: parts, position } = await explained(name, each)
      expect(position).toBe((await log.compute(name, each)).position)
      for (const column of flows[name] ?? []) {
        const ofColumn = parts.filter((row) => row['figure'] === column)
        expect({ name, column, sums: sumsBy(ofColumn, keys, figure) }).toEqual({
          name,
          column,
          sums: sumsBy(rows, keys, (row) => Number(row[column])),
        })
      }
      const isOfRow = (part: ReportRow) =>
        rows.some((row) => ['cohort', 'currency'].every((key) => part[key] === row[key]))
      expect(parts.filter((part) => !isOfRow(part))).toEqual([])
      for (const column of stocks[name] ?? [])
        for (const row of rows) {
          const through = parts.filter(
            (part) =>
              part['figure'] === column &&
              String(part['month']) <= String(row['month']) &&
              ['cohort', 'currency'].every((key) => part[key] === row[key]),
          )
          expect([
            name,
            column,
            row['month'],
            through.reduce((n, part) => n + figure(part), 0),
          ]).toEqual([name, column, row['month'], row[column]])
        }
    }
  })

  it('of the trial balance has the debits and credits of each balance', async () => {
    const { rows } = await log.compute('trial-balance')
    const { rows: parts } = await explained('trial-balance', {})
    const signed = (row: ReportRow) => (row['figure'] === 'debit' ? 1 : -1) * figure(row)
    expect(sumsBy(parts, ['account', 'currency'], signed)).toEqual(
      sumsBy(rows, ['account', 'currency'], (row) => Number(row['debit']) - Number(row['credit'])),
    )
  })

  it('of the churn rate has the subscriptions that ended', async () => {
    const { rows } = await explained('subscriptions', {})
    const ended = rows.filter((row) => row['figure'] === 'churn_rate')
    const ids = new Set(
      events.filter(({ type }) => type === 'SubscriptionEnded').map(({ id }) => id),
    )
    expect(ended.length).toBeGreaterThan(5)
    expect(ended.filter((row) => !ids.has(String(row['event_id'])))).toEqual([])
  })

  it('names events of the log only', async () => {
    const ids = new Set(events.map(({ id }) => id))
    for (const name of ['revenue', 'recognized', 'mrr', 'failed-payments'] as const) {
      const { rows } = await explained(name, {})
      expect(rows.filter((row) => !ids.has(String(row['event_id'])))).toEqual([])
    }
  })
})

describe('a report of what was known at a time', () => {
  it('before the first event has no rows and no position', async () => {
    for (const name of Object.keys(reports) as ReportName[]) {
      const report = await log.compute(name, { knownAt: '2025-01-01' })
      expect({ name, ...report }).toEqual({ name, rows: [], position: null })
    }
  })

  it('is the report of a log that ends there', async () => {
    const knownAt = '2026-09-20T12:00:00.000Z'
    const known = events.filter(({ metadata }) => metadata.recordedAt <= knownAt)
    const other = await createTestDatabase()
    const shorter = createPostgresEventStore({ connectionString: other.connectionString })
    try {
      await appendFinanceEvents(shorter, known)
      for (const name of Object.keys(reports) as ReportName[])
        expect(await log.compute(name, { knownAt })).toEqual(
          await reportsOver(shorter).compute(name),
        )
    } finally {
      await shorter.close()
      await other.drop()
    }
  })
})
