import { ledger } from '#services/finance/ledger/book-event'
import { createRecognized } from '#services/finance/ledger/recognized'
import { recognizedContributions } from '#services/finance/reports/entry-contributions'
import { isExplainedBy } from '#services/finance/reports/is-explained'
import { recognizedRows } from '#services/finance/reports/ledger-rows'
import type { Report } from '../report.ts'
import { entriesOfEvents } from './entries.ts'

export const recognizedReport: Report = {
  name: 'recognized',
  handles: ledger.folds,
  begin(parameters, dates) {
    const entriesOf = entriesOfEvents(parameters, dates)
    const recognized = createRecognized()
    return {
      add(event) {
        entriesOf(event).forEach(recognized.add)
        return []
      },
      finish: () => recognizedRows(recognized, parameters),
    }
  },
  explain(parameters, dates) {
    const entriesOf = entriesOfEvents(parameters, dates)
    const isExplained = isExplainedBy('recognized', parameters)
    return (event) => entriesOf(event).flatMap(recognizedContributions).filter(isExplained)
  },
}
