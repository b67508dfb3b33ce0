import type { AccountingDates } from '#services/finance/accounting-date'
import {
  foldRefunds,
  refundMeasures,
  type RefundChange,
  type Refunds,
} from '#services/finance/refunds/fold-refunds'
import { addRefundChange, type RefundMonths } from '#services/finance/refunds/refund-months'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { Report } from '../report.ts'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { refundContributions } from '#services/finance/reports/change-contributions'
import { refundRows } from '#services/finance/reports/change-rows'
import { isExplainedBy } from '#services/finance/reports/is-explained'
import { lastDay } from '#services/finance/reports/months-of'

export const refundsReport: Report = {
  name: 'refunds',
  handles: refundMeasures.folds,
  begin(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    const months: RefundMonths = new Map()
    return {
      add(event) {
        for (const change of changesOf(event)) addRefundChange(months, change)
        return []
      },
      finish: () => refundRows(months, parameters),
    }
  },
  explain(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    const isExplained = isExplainedBy('refunds', parameters)
    return (event) => changesOf(event).flatMap(refundContributions).filter(isExplained)
  },
}

function changesOfEvents(parameters: ReportParameters, dates: AccountingDates) {
  const refunds: Refunds = new Map()
  const through = lastDay(parameters)
  const { currency } = parameters
  return (event: FinanceEvent): readonly RefundChange[] => {
    const change = foldRefunds(refunds, event, dates.dateOf)
    return change !== null &&
      change.date <= through &&
      (currency === null || change.currency === currency)
      ? [change]
      : []
  }
}
