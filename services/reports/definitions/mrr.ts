import type { AccountingDates } from '#services/finance/accounting-date'
import { addMovement, type MrrMonths } from '#services/finance/subscriptions/mrr-months'
import type { MrrMovement } from '#services/finance/subscriptions/subscription-change'
import { subscriptionMeasures } from '#services/finance/subscriptions/fold-subscriptions'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { Report } from '../report.ts'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { mrrContributions } from '#services/finance/reports/change-contributions'
import { mrrRows } from '#services/finance/reports/change-rows'
import { isExplainedBy } from '#services/finance/reports/is-explained'
import { subscriptionChangesOfEvents } from './subscription-changes.ts'

export const mrrReport: Report = {
  name: 'mrr',
  handles: subscriptionMeasures.folds,
  begin(parameters, dates) {
    const movementsOf = movementsOfEvents(parameters, dates)
    const months: MrrMonths = new Map()
    return {
      add(event) {
        for (const movement of movementsOf(event)) addMovement(months, movement)
        return []
      },
      finish: () => mrrRows(months, parameters),
    }
  },
  explain(parameters, dates) {
    const movementsOf = movementsOfEvents(parameters, dates)
    const isExplained = isExplainedBy('mrr', parameters)
    return (event) => movementsOf(event).flatMap(mrrContributions).filter(isExplained)
  },
}

function movementsOfEvents(parameters: ReportParameters, dates: AccountingDates) {
  const changesOf = subscriptionChangesOfEvents(parameters, dates)
  const { currency } = parameters
  return (event: FinanceEvent): readonly MrrMovement[] =>
    changesOf(event).filter(
      (change): change is MrrMovement =>
        change.type === 'mrr' && (currency === null || change.currency === currency),
    )
}
