import { ledger } from '#services/finance/ledger/book-event'
import { createTrialBalance } from '#services/finance/ledger/trial-balance'
import { balanceContributions } from '#services/finance/reports/entry-contributions'
import { balanceRows } from '#services/finance/reports/ledger-rows'
import type { Report } from '../report.ts'
import { entriesOfEvents } from './entries.ts'

export const trialBalanceReport: Report = {
  name: 'trial-balance',
  handles: ledger.folds,
  begin(parameters, dates) {
    const entriesOf = entriesOfEvents(parameters, dates)
    const balance = createTrialBalance()
    return {
      add(event) {
        entriesOf(event).forEach(balance.add)
        return []
      },
      finish: () => balanceRows(balance),
    }
  },
  explain(parameters, dates) {
    const entriesOf = entriesOfEvents(parameters, dates)
    return (event) => entriesOf(event).flatMap(balanceContributions)
  },
}
