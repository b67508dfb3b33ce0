import { ledger } from '#services/finance/ledger/book-event'
import { createRevenue } from '#services/finance/ledger/revenue'
import { revenueContributions } from '#services/finance/reports/entry-contributions'
import { isExplainedBy } from '#services/finance/reports/is-explained'
import { revenueRows } from '#services/finance/reports/ledger-rows'
import type { Report } from '../report.ts'
import { entriesOfEvents } from './entries.ts'

export const revenueReport: Report = {
  name: 'revenue',
  handles: ledger.folds,
  begin(parameters, dates) {
    const entriesOf = entriesOfEvents(parameters, dates)
    const revenue = createRevenue()
    return {
      add(event) {
        entriesOf(event).forEach(revenue.add)
        return []
      },
      finish: () => revenueRows(revenue, parameters),
    }
  },
  explain(parameters, dates) {
    const entriesOf = entriesOfEvents(parameters, dates)
    const isExplained = isExplainedBy('revenue', parameters)
    return (event) => entriesOf(event).flatMap(revenueContributions).filter(isExplained)
  },
}
