import type { AccountingDates } from '#services/finance/accounting-date'
import {
  addPayingChange,
  retentionMonths,
  type Cohorts,
} from '#services/finance/subscriptions/retention'
import type { PayingChange } from '#services/finance/subscriptions/subscription-facts'
import { subscriptionTypes } from '#services/finance/subscriptions/fold-subscriptions'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { Contribution, Report, ReportParameters } from '../report.ts'
import { firstMonth, lastMonth } from './months-of.ts'
import { subscriptionFactsOfEvents } from './subscription-facts.ts'
import { monthOf } from '#services/finance/calendar'

/** `from` and `to` are months of cohorts and of their later months. */
export const retentionReport: Report = {
  name: 'retention',
  handles: subscriptionTypes,
  begin(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    const cohorts: Cohorts = new Map()
    return {
      add(event) {
        for (const change of changesOf(event)) addPayingChange(cohorts, change)
        return []
      },
      finish() {
        const last = lastMonth(parameters)
        const first = [...cohorts.keys()].reduce((a, b) => (a < b ? a : b), last)
        return retentionMonths(cohorts, parameters.from ?? first, last).map(
          ({ cohort, month, age, customers, retained, retention }) => ({
            cohort,
            month,
            months: age,
            customers,
            retained,
            rate: retention,
          }),
        )
      },
    }
  },
  explain(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    return (event) =>
      changesOf(event).flatMap(({ eventId, date: day, cohort, paying, joined }) => {
        if (cohort < firstMonth(parameters)) return []
        const row = { cohort, month: monthOf(day) }
        const both: readonly Contribution[] = [
          { eventId, day, row, column: 'customers', amount: joined },
          { eventId, day, row, column: 'retained', amount: paying },
        ]
        return both.filter(({ amount }) => amount !== 0)
      })
  },
}

function changesOfEvents(parameters: ReportParameters, dates: AccountingDates) {
  const factsOf = subscriptionFactsOfEvents(parameters, dates)
  return (event: FinanceEvent): readonly PayingChange[] =>
    factsOf(event).filter((fact): fact is PayingChange => fact.type === 'paying')
}
