import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as xlsx from 'xlsx'
import { reports, type ReportName } from '#contracts/finance/report-columns'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { appendFinanceEvents, financeEvents } from '../../support/data/finance-log.ts'
import { reportsOver } from '../../support/data/run-reports.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

let database: TestDatabase
let store: EventStore
let log: ReturnType<typeof reportsOver>

beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  await appendFinanceEvents(store, financeEvents())
  log = reportsOver(store)
}, 60_000)
afterAll(async () => {
  await store.close()
  await database.drop()
})

/** The sheets of a report's file, as a spreadsheet program reads them. */
async function sheetsOf(name: ReportName) {
  const { Sheets, SheetNames } = xlsx.read(await log.write(name, 'xlsx', { asOf: '2027-01-31' }), {
    cellDates: true,
  })
  const sheet = (place: number) =>
    xlsx.utils.sheet_to_json<readonly unknown[]>(Sheets[SheetNames[place] ?? ''] ?? {}, {
      header: 1,
      defval: null,
    })
  return { names: SheetNames, rows: sheet(0), about: new Map(sheet(1) as [string, string][]) }
}

async function jsonOf(name: ReportName) {
  const json = await log.write(name, 'json', { asOf: '2027-01-31' })
  return JSON.parse(json.toString()) as { rows: Record<string, string>[]; position: string }
}

describe('a report as an XLSX file', () => {
  it('has numbers for amounts, and the parameters and definitions on a second sheet', async () => {
    const { names, rows, about } = await sheetsOf('revenue')
    const { rows: expected, position } = await jsonOf('revenue')
    expect(names).toEqual(['Revenue', 'About'])
    const [header, ...cells] = rows
    const { columns } = reports.revenue
    expect(header).toEqual(columns.map(({ name }) => name))
    expect(cells).toEqual(
      expected.map((row) =>
        columns.map(({ name, kind }) => (kind === 'amount' ? Number(row[name]) : row[name])),
      ),
    )
    expect(Object.fromEntries(about)).toMatchObject({
      report: 'revenue',
      as_of: '2027-01-31',
      known_at: null,
      time_zone: 'UTC',
      'computed at': '2032-01-01T00:00:00.000Z',
      'log position': position,
    })
    for (const { name, definition } of columns) expect(about.get(name)).toBe(definition)
  }, 60_000)

  it('has days that are days, without a shift by the time zone', async () => {
    const { rows } = await sheetsOf('journal')
    const { rows: expected } = await jsonOf('journal')
    const days = rows.slice(1).map((row) => row[2])
    expect(days.every((day) => day instanceof Date)).toBe(true)
    expect(days.map((day) => (day as Date).toISOString().slice(0, 10))).toEqual(
      expected.map((row) => row['date']),
    )
  }, 60_000)

  it('has counts and rates as numbers, and an empty cell for none', async () => {
    const { rows } = await sheetsOf('failed-payments')
    const { rows: expected } = await jsonOf('failed-payments')
    const column = (name: string) => rows[0]?.indexOf(name) ?? -1
    for (const name of ['failed', 'recovery_rate', 'median_days_to_recovery'])
      expect(rows.slice(1).map((row) => row[column(name)])).toEqual(
        expected.map((row) => (row[name] == null ? null : Number(row[name]))),
      )
  }, 60_000)
})
