import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { strFromU8, unzipSync } from 'fflate'
import { parse } from 'csv-parse/sync'
import { reports } from '#contracts/finance/report-columns'
import { contentOf } from '#services/reports/formats/content-of'
import { decimalAmount } from '#services/reports/formats/decimal-amount'
import type { ReportFile, ReportFormat } from '#services/reports/formats/report-file'
import type { ReportRow } from '#services/finance/reports/report-types'

const rows: readonly ReportRow[] = [
  revenueRow({ plan: 'Monthly Plan', currency: 'usd', gross: 1_234_550, net: 1_234_550 }),
  revenueRow({ plan: '=1+1', currency: 'jpy', gross: 500, refunds: 700, net: -200 }),
]

function revenueRow(row: ReportRow): ReportRow {
  const none = { gross: 0, refunds: 0, credits: 0, disputes: 0, tax: 0, net: 0, platform_fees: 0 }
  return { month: '2026-03', ...none, ...row }
}

function revenue(given: readonly ReportRow[] = rows): ReportFile {
  return {
    name: 'revenue',
    title: reports.revenue.title,
    columns: reports.revenue.columns,
    parameters: { from: '2026-03', to: null, time_zone: 'UTC' },
    computedAt: '2026-04-02T08:00:00.000Z',
    rows: async function* () {
      for (const row of given) yield [row]
    },
    position: () => '000042',
  }
}

const never = new AbortController().signal

async function written(format: ReportFormat, report = revenue()): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of contentOf(report, format, never)) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

describe('an amount as a decimal text', () => {
  it.each([
    [-3905, 'usd', '-39.05'],
    [5, 'usd', '0.05'],
    [0, 'usd', '0.00'],
    [500, 'jpy', '500'],
    [-1, 'kwd', '-0.001'],
    [Number.MAX_SAFE_INTEGER, 'usd', '90071992547409.91'],
  ])('writes %i minor units of %s as %s', (minor, currency, text) => {
    expect(decimalAmount(minor, currency)).toBe(text)
  })

  it('keeps every digit of every amount', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom('usd', 'jpy', 'kwd'), (minor, currency) => {
        const digits = decimalAmount(minor, currency).replace('.', '')
        expect(BigInt(digits)).toBe(BigInt(minor))
      }),
    )
  })
})

describe('a report in a file', () => {
  it('is one object in JSON, with amounts as decimal texts', async () => {
    expect(JSON.parse((await written('json')).toString())).toEqual({
      report: 'revenue',
      parameters: { from: '2026-03', to: null, time_zone: 'UTC' },
      position: '000042',
      rows: [
        expect.objectContaining({ month: '2026-03', gross: '12345.50', refunds: '0.00' }),
        expect.objectContaining({ currency: 'jpy', gross: '500', net: '-200' }),
      ],
    })
  })

  it('is valid JSON without rows', async () => {
    expect(JSON.parse((await written('json', revenue([]))).toString())).toMatchObject({ rows: [] })
  })

  it('has the names of the columns in the first line of CSV, without a byte order mark', async () => {
    const text = (await written('csv')).toString()
    expect(text.split('\r\n')[0]).toBe(
      'month,plan,currency,gross,refunds,credits,disputes,tax,net,platform_fees',
    )
    const parsed = parse(text, { columns: true }) as readonly Record<string, string>[]
    expect(parsed[0]).toMatchObject({ plan: 'Monthly Plan', gross: '12345.50' })
    // No spreadsheet runs the plan's name as a formula.
    expect(parsed[1]).toMatchObject({ plan: "'=1+1", net: '-200' })
  })

  it('has typed numbers in XLSX, and a second sheet with parameters and definitions', async () => {
    const parts = unzipSync(new Uint8Array(await written('xlsx')))
    const part = (path: string) => strFromU8(parts[path] ?? new Uint8Array())
    expect(part('xl/workbook.xml')).toMatch(/<sheet name="Revenue".*<sheet name="About"/)
    const sheet = part('xl/worksheets/sheet1.xml')
    expect(sheet).toMatch(/<c r="D2" s="\d"><v>12345.5<\/v><\/c>/)
    expect(sheet).toMatch(/<c r="I3" s="\d"><v>-200<\/v><\/c>/)
    const texts = part('xl/sharedStrings.xml')
    for (const text of ['000042', '2026-04-02T08:00:00.000Z', 'Totals of paid invoices'])
      expect(texts).toContain(text)
  }, 60_000)

  it('has right-aligned amounts with groups of digits on a terminal', async () => {
    const text = (await written('table')).toString()
    expect(text).toContain('from 2026-03, time_zone UTC, position 000042')
    const [header = '', first = ''] = text.split('\n').slice(3)
    expect(first).toContain('12,345.50')
    expect(header.indexOf('gross') + 'gross'.length).toBe(
      first.indexOf('12,345.50') + '12,345.50'.length,
    )
  })

  it('says on a terminal that it has no rows', async () => {
    expect((await written('table', revenue([]))).toString()).toMatch(/No rows\.\n$/)
  })
})
