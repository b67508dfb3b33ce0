import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ReportName } from '#contracts/finance/report-columns'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { exportLog } from '#services/event-store/transfer/export-log'
import { compareWithSql } from '../../support/data/compare-with-sql.ts'
import { appendFinanceEvents, financeEvents } from '../../support/data/finance-log.ts'
import { defineFigures, loadExport } from '../../support/data/independent-figures.ts'
import { reportsOver } from '../../support/data/run-reports.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { writeFile } from 'node:fs/promises'

let database: TestDatabase
let store: EventStore
let directory: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  directory = await temporaryDirectory()
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
}, 60_000)
afterAll(async () => {
  await store.close()
  await database.drop()
  await directory.remove()
})

describe('the reports', () => {
  it('have the figures of plain SQL over an export of the log', async () => {
    const events = financeEvents()
    await appendFinanceEvents(store, events)
    const file = join(directory.path, 'events.jsonl')
    await writeFile(file, exportLog(store, { exportedAt: '2027-01-01T00:00:00Z', keys: null }))
    expect(await loadExport(database.pool, file)).toBe(events.length)

    const [timeZone, asOf] = ['America/New_York', '2027-01-20']
    await defineFigures(database.pool, timeZone, asOf)
    const rowsOf = async (name: ReportName) => {
      const json = await reportsOver(store).write(name, 'json', { timeZone, asOf })
      return (JSON.parse(json.toString()) as { rows: Record<string, string | number | null>[] })
        .rows
    }
    await compareWithSql(database.pool, rowsOf, { isInOrder: false })
  }, 60_000)
})
