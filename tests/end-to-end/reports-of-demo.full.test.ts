import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { reportNames, type ReportName } from '#contracts/finance/report-columns'
import { reportFormats } from '#services/reports/formats/report-file'
import { compareWithSql } from '../support/data/compare-with-sql.ts'
import { defineFigures, loadExport } from '../support/data/independent-figures.ts'
import { freePort } from '../support/machine/free-port.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { runBilling } from '../support/product/run-billing.ts'
import { startProduct } from '../support/product/run-product.ts'

/** An existing demo, such as the whole year. Without it the test plays a small demo. */
const existing = process.env['DEMO_DATA_DIR']

let audit: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let settings: { readonly DATA_DIR: string; readonly [name: string]: string | undefined }

beforeAll(async () => {
  audit = await createTestDatabase()
  directory = await temporaryDirectory()
  settings = {
    DATA_DIR: existing ?? directory.path,
    EVENTSTORE_URL: undefined,
    REPORTING_TIME_ZONE: 'Europe/Berlin',
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
  }
  if (existing !== undefined) return
  const demo = ['demo', '--customers', '20', '--months', '5', '--seed', '5']
  const { code, stderr } = await runBilling(settings, ...demo)
  expect({ code, stderr }).toMatchObject({ code: 0 })
}, 900_000)
afterAll(async () => {
  await audit.drop()
  await directory.remove()
})

async function rowsOf(name: ReportName, ...options: readonly string[]) {
  const { code, stdout, stderr } = await runBilling(
    settings,
    'report',
    name,
    '--format',
    'json',
    ...options,
  )
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return JSON.parse(stdout) as {
    readonly parameters: { readonly as_of: string }
    readonly rows: readonly Record<string, string | number | null>[]
  }
}

describe('the reports of a demo', () => {
  it('have the figures of plain SQL over an export of the log', async () => {
    const file = join(directory.path, 'events.jsonl')
    const { code } = await runBilling(settings, 'events', 'export', '--out', file)
    expect(code).toBe(0)
    expect(await loadExport(audit.pool, file)).toBeGreaterThan(100)
    const { parameters } = await rowsOf('revenue')
    await defineFigures(audit.pool, 'Europe/Berlin', parameters.as_of)
    await compareWithSql(audit.pool, async (name) => (await rowsOf(name)).rows, {
      isInOrder: true,
    })
  }, 300_000)

  it('can be written in every format', async () => {
    for (const name of reportNames)
      for (const format of reportFormats) {
        const file = join(directory.path, `${name}.${format}`)
        const args = ['report', name, '--format', format, '--out', file]
        const { code, stdout, stderr } = await runBilling(settings, ...args)
        expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
        expect(stderr).toMatch(/Wrote the report .* bytes\)\.\n$/)
      }
  }, 900_000)

  it('agree with the payment provider: the reconciliation has no row', async () => {
    const product = await startProduct({ dataDir: settings.DATA_DIR })
    try {
      const { code, stdout, stderr } = await runBilling(
        { ...settings, SANDBOX_PORT: new URL(product.sandboxUrl).port },
        'report',
        'reconciliation',
        '--format',
        'json',
      )
      expect({ code, stderr }).toMatchObject({ code: 0 })
      expect(stderr).toMatch(/[1-9]\d* payments, [1-9]\d* refunds?, .*No difference\./)
      expect(JSON.parse(stdout)).toMatchObject({ rows: [] })
    } finally {
      await product.stop()
    }
  }, 300_000)
})
