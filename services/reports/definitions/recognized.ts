import { monthOf } from '#services/finance/calendar'
import { bookedTypes } from '#services/finance/ledger/book-event'
import { createRecognized, recognizedOf } from '#services/finance/ledger/recognized'
import type { Report } from '../report.ts'
import { entriesOfEvents } from './entries.ts'
import { isReported, lastMonth } from './months-of.ts'

export const recognizedReport: Report = {
  name: 'recognized',
  handles: bookedTypes,
  begin(parameters, dates) {
    const entriesOf = entriesOfEvents(parameters, dates)
    const recognized = createRecognized()
    return {
      add(event) {
        entriesOf(event).forEach(recognized.add)
        return []
      },
      finish: () =>
        recognized
          .rows(lastMonth(parameters))
          .filter(({ month }) => isReported(month, parameters))
          .map(({ deferredAtEnd, ...row }) => ({ ...row, deferred_at_end: deferredAtEnd })),
    }
  },
  explain(parameters, dates) {
    const entriesOf = entriesOfEvents(parameters, dates)
    return (event) =>
      entriesOf(event).flatMap((entry) => {
        const { eventId, date: day, currency } = entry
        const row = { month: monthOf(day), currency }
        const { recognized, deferred } = recognizedOf(entry)
        // What earlier months deferred is part of each later month's balance.
        const both = [
          { eventId, day, row, column: 'deferred_at_end', amount: deferred },
          ...(isReported(row.month, parameters)
            ? [{ eventId, day, row, column: 'recognized', amount: recognized }]
            : []),
        ]
        return both.filter(({ amount }) => amount !== 0)
      })
  },
}
