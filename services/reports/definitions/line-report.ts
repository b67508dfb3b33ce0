import { ledger } from '#services/finance/ledger/book-event'
import { lineRows, type LineReport } from '#services/finance/reports/lines'
import type { ReportRow } from '#services/finance/reports/report-types'
import type { Report } from '../report.ts'
import { entriesOfEvents } from './entries.ts'

const none: readonly ReportRow[] = []

/**
 * A report with a row per line of the ledger, in the order of booking: the rows of an event follow
 * those of the events before it.
 */
export function lineReport(name: LineReport): Report {
  return {
    name,
    handles: ledger.folds,
    begin(parameters, dates) {
      const entriesOf = entriesOfEvents(parameters, dates)
      return {
        add: (event) => entriesOf(event).flatMap((entry) => lineRows(name, entry, parameters)),
        finish: () => none,
      }
    },
    explain: null,
  }
}
