import type { AccountingDates } from '#services/finance/accounting-date'
import { addPayingChange, type Cohorts } from '#services/finance/subscriptions/retention'
import type { PayingChange } from '#services/finance/subscriptions/subscription-change'
import { subscriptionMeasures } from '#services/finance/subscriptions/fold-subscriptions'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { Report } from '../report.ts'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { payingContributions } from '#services/finance/reports/change-contributions'
import { retentionRows } from '#services/finance/reports/change-rows'
import { isExplainedBy } from '#services/finance/reports/is-explained'
import { subscriptionChangesOfEvents } from './subscription-changes.ts'

export const retentionReport: Report = {
  name: 'retention',
  handles: subscriptionMeasures.folds,
  begin(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    const cohorts: Cohorts = new Map()
    return {
      add(event) {
        for (const change of changesOf(event)) addPayingChange(cohorts, change)
        return []
      },
      finish: () => retentionRows(cohorts, parameters),
    }
  },
  explain(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    const isExplained = isExplainedBy('retention', parameters)
    return (event) => changesOf(event).flatMap(payingContributions).filter(isExplained)
  },
}

function changesOfEvents(parameters: ReportParameters, dates: AccountingDates) {
  const changesOf = subscriptionChangesOfEvents(parameters, dates)
  return (event: FinanceEvent): readonly PayingChange[] =>
    changesOf(event).filter((change): change is PayingChange => change.type === 'paying')
}
