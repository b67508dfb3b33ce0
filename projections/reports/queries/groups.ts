import { z } from 'zod'
import { reports, type ReportName } from '#contracts/finance/report-columns'
import type { ReportRow } from '#services/finance/reports/report-types'
import { groupColumns, groupOf } from '../group-of.ts'

const values = z.array(z.union([z.string(), z.null()]))

/** The row of a group without its month. */
export function rowOfGroup(report: ReportName, group: string): ReportRow {
  const texts = values.parse(JSON.parse(group))
  return Object.fromEntries(
    columnsOfGroups(report).map((column, index) => [column, texts[index] ?? null]),
  )
}

/** The groups that a key can mean, if it has each column. Null: it leaves some out. */
export function groupsOfKey(
  report: ReportName,
  key: Readonly<Record<string, string>>,
): readonly string[] | null {
  let rows: readonly ReportRow[] = [{}]
  for (const column of columnsOfGroups(report)) {
    const text = key[column]
    if (text === undefined) return null
    // An empty text is an empty cell, or an empty name.
    const cells = text === '' ? [null, ''] : [text]
    rows = rows.flatMap((row) => cells.map((cell) => ({ ...row, [column]: cell })))
  }
  return rows.map(groupOf)
}

function columnsOfGroups(report: ReportName): readonly string[] {
  return groupColumns.filter((each) => reports[report].columns.some(({ name }) => name === each))
}
