import { monthOf } from '../calendar.ts'
import type { Entry } from '../ledger/entry.ts'
import { journalLines, type JournalLine } from '../ledger/journal.ts'
import { isReported } from './months-of.ts'
import type { Contribution, ReportParameters, ReportRow } from './report-types.ts'

/** A report with a row per line of the ledger. */
export type LineReport = 'journal' | 'adjustments'

/** The rows of an entry. The months of both reports are those in which the entry is booked. */
export function lineRows(
  name: LineReport,
  entry: Entry,
  parameters: ReportParameters,
): readonly ReportRow[] {
  const { adjusts } = entry
  if (!isReported(monthOf(entry.date), parameters)) return []
  if (name === 'journal') return journalLines(entry).map(journalRow)
  return adjusts === null
    ? []
    : journalLines(entry).map((line) => ({ closed_month: adjusts, ...journalRow(line) }))
}

/** What the lines of an entry add. Each line is a row with both figures. */
export function lineContributions(
  name: LineReport,
  entry: Entry,
  parameters: ReportParameters,
): readonly Contribution[] {
  const { eventId, date: day } = entry
  return lineRows(name, entry, parameters).flatMap((row) =>
    lineFigures.map((column) => ({
      eventId,
      day,
      row,
      column,
      amount: Number(row[column]),
    })),
  )
}

const lineFigures = ['debit', 'credit'] as const

function journalRow(line: JournalLine): ReportRow {
  const { entryId, eventId, date, account, currency, debit, credit } = line
  return { entry_id: entryId, event_id: eventId, date, account, currency, debit, credit }
}
