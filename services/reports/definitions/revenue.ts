import { monthOf } from '#services/finance/calendar'
import { bookedTypes } from '#services/finance/ledger/book-event'
import { createRevenue, revenueOf } from '#services/finance/ledger/revenue'
import type { Report } from '../report.ts'
import { entriesOfEvents } from './entries.ts'
import { isReported } from './months-of.ts'

/** `net` is computed from these. */
const explained = ['gross', 'refunds', 'credits', 'disputes', 'tax'] as const

export const revenueReport: Report = {
  name: 'revenue',
  handles: bookedTypes,
  begin(parameters, dates) {
    const entriesOf = entriesOfEvents(parameters, dates)
    const revenue = createRevenue()
    return {
      add(event) {
        entriesOf(event).forEach(revenue.add)
        return []
      },
      finish: () =>
        revenue
          .rows()
          .filter(({ month }) => isReported(month, parameters))
          .map(({ planName, ...row }) => ({ ...row, plan: planName })),
    }
  },
  explain(parameters, dates) {
    const entriesOf = entriesOfEvents(parameters, dates)
    return (event) =>
      entriesOf(event).flatMap((entry) => {
        const { eventId, date, planName: plan, currency } = entry
        const month = monthOf(date)
        if (!isReported(month, parameters)) return []
        const measures = revenueOf(entry)
        return explained.flatMap((column) =>
          measures[column] === 0
            ? []
            : {
                eventId,
                day: date,
                row: { month, plan, currency },
                column,
                amount: measures[column],
              },
        )
      })
  },
}
