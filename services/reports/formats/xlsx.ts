import { maxWorkbookRows } from '#contracts/admin/exports'
import type { ColumnKind, ReportColumn } from '#contracts/finance/report-columns'
import { formatCount } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { text } from '#services/tables/cell'
import { createWorkbook, type Workbook } from '#services/tables/workbook'
import { cellOf } from './cell.ts'
import type { ReportFile } from './report-file.ts'

const widths: Readonly<Record<ColumnKind, number>> = {
  month: 10,
  day: 12,
  text: 22,
  id: 40,
  currency: 10,
  amount: 14,
  count: 12,
  days: 12,
  rate: 12,
}

/**
 * An XLSX file with two sheets: the rows with typed numbers and days, and 'About' with parameters,
 * time, log position and the definition of each column.
 * @throws StartupError if the report has more rows than an XLSX file of the product can have
 */
export async function* xlsxReport(
  report: ReportFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const workbook = createWorkbook(signal)
  try {
    await addRows(workbook, report)
    await addAbout(workbook, report)
    yield await workbook.finish()
  } finally {
    await workbook.close()
  }
}

async function addRows(workbook: Workbook, { title, columns, rows }: ReportFile): Promise<void> {
  await workbook.addSheet({
    // A sheet's name has 31 characters at most.
    name: title.slice(0, 31),
    columns: columns.map(({ name, kind }) => ({ header: name, width: widthOf({ name, kind }) })),
  })
  let total = 0
  for await (const batch of rows()) {
    total += batch.length
    if (total > maxWorkbookRows)
      throw new StartupError(
        `An XLSX file has ${formatCount(maxWorkbookRows)} rows at most, and this report has more. Use --format csv, or narrow it with --from and --to.`,
      )
    if (batch.length > 0)
      await workbook.add(batch.map((row) => columns.map((column) => cellOf(row, column))))
  }
}

async function addAbout(
  workbook: Workbook,
  { name, columns, parameters, computedAt, position }: ReportFile,
): Promise<void> {
  await workbook.addSheet({
    name: 'About',
    columns: [
      { header: 'What', width: 24 },
      { header: 'Value or definition', width: 100 },
    ],
  })
  const rows: readonly (readonly [string, string | null])[] = [
    ['report', name],
    ...Object.entries(parameters),
    ['computed at', computedAt],
    ['log position', position()],
    ...columns.map((column): [string, string] => [column.name, column.definition]),
  ]
  await workbook.add(rows.map(([what, value]) => [text(what), text(value)]))
}

function widthOf({ name, kind }: Pick<ReportColumn, 'name' | 'kind'>): number {
  return Math.max(widths[kind], name.length + 2)
}
