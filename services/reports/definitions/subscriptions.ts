import type { AccountingDates } from '#services/finance/accounting-date'
import type { StatusChange } from '#services/finance/subscriptions/subscription-change'
import {
  addStatusChange,
  type SubscriptionMonths,
} from '#services/finance/subscriptions/subscription-months'
import { subscriptionMeasures } from '#services/finance/subscriptions/fold-subscriptions'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { Report } from '../report.ts'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { statusContributions } from '#services/finance/reports/change-contributions'
import { subscriptionRows } from '#services/finance/reports/change-rows'
import { isExplainedBy } from '#services/finance/reports/is-explained'
import { subscriptionChangesOfEvents } from './subscription-changes.ts'

export const subscriptionsReport: Report = {
  name: 'subscriptions',
  handles: subscriptionMeasures.folds,
  begin(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    const months: SubscriptionMonths = new Map()
    return {
      add(event) {
        for (const change of changesOf(event)) addStatusChange(months, change)
        return []
      },
      finish: () => subscriptionRows(months, parameters),
    }
  },
  explain(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    const isExplained = isExplainedBy('subscriptions', parameters)
    return (event) => changesOf(event).flatMap(statusContributions).filter(isExplained)
  },
}

function changesOfEvents(parameters: ReportParameters, dates: AccountingDates) {
  const changesOf = subscriptionChangesOfEvents(parameters, dates)
  return (event: FinanceEvent): readonly StatusChange[] =>
    changesOf(event).filter((change): change is StatusChange => change.type === 'status')
}
