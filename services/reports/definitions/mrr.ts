import type { AccountingDates } from '#services/finance/accounting-date'
import { monthOf } from '#services/finance/calendar'
import { addMovement, mrrMonths, type MrrMonths } from '#services/finance/subscriptions/mrr-months'
import type { MrrMovement } from '#services/finance/subscriptions/subscription-facts'
import { subscriptionTypes } from '#services/finance/subscriptions/fold-subscriptions'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { Report, ReportParameters } from '../report.ts'
import { firstMonth, isReported, lastMonth } from './months-of.ts'
import { subscriptionFactsOfEvents } from './subscription-facts.ts'

export const mrrReport: Report = {
  name: 'mrr',
  handles: subscriptionTypes,
  begin(parameters, dates) {
    const movementsOf = movementsOfEvents(parameters, dates)
    const months: MrrMonths = new Map()
    return {
      add(event) {
        for (const movement of movementsOf(event)) addMovement(months, movement)
        return []
      },
      finish: () => mrrMonths(months, firstMonth(parameters), lastMonth(parameters)),
    }
  },
  explain(parameters, dates) {
    const movementsOf = movementsOfEvents(parameters, dates)
    return (event) =>
      movementsOf(event).flatMap(({ eventId, date: day, currency, kind: column, amount }) => {
        const month = monthOf(day)
        return isReported(month, parameters)
          ? [{ eventId, day, row: { month, currency }, column, amount }]
          : []
      })
  },
}

function movementsOfEvents(parameters: ReportParameters, dates: AccountingDates) {
  const factsOf = subscriptionFactsOfEvents(parameters, dates)
  const { currency } = parameters
  return (event: FinanceEvent): readonly MrrMovement[] =>
    factsOf(event).filter(
      (fact): fact is MrrMovement =>
        fact.type === 'mrr' && (currency === null || fact.currency === currency),
    )
}
