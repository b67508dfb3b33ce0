import { createLedger, entriesThrough } from '#services/finance/ledger/ledger'
import type { AccountingDates } from '#services/finance/accounting-date'
import type { Entry } from '#services/finance/ledger/entry'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { lastDay } from '#services/finance/reports/months-of'

/**
 * Returns a function that takes the events of the log in position order, and returns the ledger's
 * entries of each event in the asked currency, to the last day of the report.
 */
export function entriesOfEvents(
  parameters: ReportParameters,
  dates: AccountingDates,
): (event: FinanceEvent) => readonly Entry[] {
  const ledger = createLedger(dates)
  const through = lastDay(parameters)
  const { currency } = parameters
  return (event) => {
    const entries = entriesThrough(ledger.book(event), through)
    return currency === null ? entries : entries.filter((entry) => entry.currency === currency)
  }
}
