import { monthOf } from '#services/finance/calendar'
import { bookedTypes } from '#services/finance/ledger/book-event'
import { journalLines, type JournalLine } from '#services/finance/ledger/journal'
import type { Report } from '../report.ts'
import type { ReportRow } from '#services/finance/reports/report-types'
import { entriesOfEvents } from './entries.ts'
import { isReported } from '#services/finance/reports/months-of'

const none: readonly ReportRow[] = []

/**
 * A report with a row per line of the ledger, in the order of booking: the rows of an event follow
 * those of the events before it. `rowOf` returns null for a line that is not of the report.
 */
export function lineReport(
  name: Report['name'],
  rowOf: (line: JournalLine) => ReportRow | null,
): Report {
  return {
    name,
    handles: bookedTypes,
    begin(parameters, dates) {
      const entriesOf = entriesOfEvents(parameters, dates)
      return {
        add: (event) =>
          entriesOf(event)
            .filter(({ date }) => isReported(monthOf(date), parameters))
            .flatMap(journalLines)
            .map(rowOf)
            .filter((row) => row !== null),
        finish: () => none,
      }
    },
    explain: null,
  }
}

/** A line of the ledger as a row of the journal. */
export function journalRow(line: JournalLine): ReportRow {
  const { entryId, eventId, date, account, currency, debit, credit } = line
  return { entry_id: entryId, event_id: eventId, date, account, currency, debit, credit }
}
