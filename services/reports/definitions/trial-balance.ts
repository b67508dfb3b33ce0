import { bookedTypes } from '#services/finance/ledger/book-event'
import { journalLines } from '#services/finance/ledger/journal'
import { createTrialBalance } from '#services/finance/ledger/trial-balance'
import type { Report } from '../report.ts'
import { entriesOfEvents } from './entries.ts'

export const trialBalanceReport: Report = {
  name: 'trial-balance',
  handles: bookedTypes,
  begin(parameters, dates) {
    const entriesOf = entriesOfEvents(parameters, dates)
    const balance = createTrialBalance()
    return {
      add(event) {
        entriesOf(event).forEach(balance.add)
        return []
      },
      finish: () => balance.rows().map((row) => ({ ...row })),
    }
  },
  explain(parameters, dates) {
    const entriesOf = entriesOfEvents(parameters, dates)
    return (event) =>
      entriesOf(event)
        .flatMap(journalLines)
        .map(({ eventId, date: day, account, currency, debit, credit }) => ({
          eventId,
          day,
          row: { account, currency },
          ...(debit > 0
            ? { column: 'debit', amount: debit }
            : { column: 'credit', amount: credit }),
        }))
  },
}
