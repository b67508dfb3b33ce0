import type { AccountingDates } from '#services/finance/accounting-date'
import { isLive } from '#contracts/subscription-status'
import { monthOf } from '#services/finance/calendar'
import type { StatusChange } from '#services/finance/subscriptions/subscription-facts'
import {
  addStatusChange,
  subscriptionMonths,
  type SubscriptionMonths,
} from '#services/finance/subscriptions/subscription-months'
import { subscriptionTypes } from '#services/finance/subscriptions/fold-subscriptions'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { Contribution, Report, ReportParameters } from '../report.ts'
import { isReported, lastMonth } from './months-of.ts'
import { subscriptionFactsOfEvents } from './subscription-facts.ts'

export const subscriptionsReport: Report = {
  name: 'subscriptions',
  handles: subscriptionTypes,
  begin(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    const months: SubscriptionMonths = new Map()
    return {
      add(event) {
        for (const change of changesOf(event)) addStatusChange(months, change)
        return []
      },
      finish() {
        if (months.size === 0) return []
        const first = [...months.keys()].reduce((a, b) => (a < b ? a : b), lastMonth(parameters))
        return subscriptionMonths(months, parameters.from ?? first, lastMonth(parameters)).map(
          ({ month, active, trialing, paused, pastDue, churnRate }) => ({
            month,
            active,
            trialing,
            paused,
            past_due: pastDue,
            churn_rate: churnRate,
          }),
        )
      },
    }
  },
  explain(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    return (event) =>
      changesOf(event).flatMap(({ eventId, date: day, from, to }): readonly Contribution[] => {
        // What earlier months changed is part of each later month's count.
        const row = { month: monthOf(day) }
        const counted = (status: string | null, amount: number): readonly Contribution[] =>
          status !== null && isCounted(status)
            ? [{ eventId, day, row, column: status, amount }]
            : []
        const isChurn = to === null && from !== null && isLive(from)
        return [
          ...counted(from, -1),
          ...counted(to, 1),
          ...(isChurn && isReported(row.month, parameters)
            ? [{ eventId, day, row, column: 'churn_rate', amount: 1 }]
            : []),
        ]
      })
  },
}

/** The statuses that have a column of the same name. */
function isCounted(status: string): boolean {
  return ['active', 'trialing', 'paused', 'past_due'].includes(status)
}

function changesOfEvents(parameters: ReportParameters, dates: AccountingDates) {
  const factsOf = subscriptionFactsOfEvents(parameters, dates)
  return (event: FinanceEvent): readonly StatusChange[] =>
    factsOf(event).filter((fact): fact is StatusChange => fact.type === 'status')
}
