import type { AccountingDates } from '#services/finance/accounting-date'
import {
  addOutcomeChange,
  type FailedPaymentMonths,
} from '#services/finance/failed-payments/failed-payment-months'
import {
  failedPayments,
  foldFailedPayments,
  type FailedInvoices,
  type OutcomeChange,
} from '#services/finance/failed-payments/fold-failed-payments'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { Report } from '../report.ts'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { outcomeContributions } from '#services/finance/reports/change-contributions'
import { failedPaymentRows } from '#services/finance/reports/change-rows'
import { isExplainedBy } from '#services/finance/reports/is-explained'
import { lastDay } from '#services/finance/reports/months-of'

export const failedPaymentsReport: Report = {
  name: 'failed-payments',
  handles: failedPayments.folds,
  begin(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    const months: FailedPaymentMonths = new Map()
    return {
      add(event) {
        for (const change of changesOf(event)) addOutcomeChange(months, change)
        return []
      },
      finish: () => failedPaymentRows(months, parameters),
    }
  },
  explain(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    const isExplained = isExplainedBy('failed-payments', parameters)
    return (event) => changesOf(event).flatMap(outcomeContributions).filter(isExplained)
  },
}

function changesOfEvents(parameters: ReportParameters, dates: AccountingDates) {
  const invoices: FailedInvoices = new Map()
  const through = lastDay(parameters)
  const { currency } = parameters
  return (event: FinanceEvent): readonly OutcomeChange[] => {
    const change = foldFailedPayments(invoices, event, dates.dateOf)
    return change !== null &&
      change.date <= through &&
      (currency === null || change.currency === currency)
      ? [change]
      : []
  }
}
