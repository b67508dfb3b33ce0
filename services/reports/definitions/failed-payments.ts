import type { AccountingDates } from '#services/finance/accounting-date'
import {
  addOutcomeChange,
  failedPaymentMonths,
  type FailedPaymentMonths,
} from '#services/finance/failed-payments/failed-payment-months'
import {
  failedPaymentTypes,
  foldFailedPayments,
  type FailedInvoices,
  type Outcome,
  type OutcomeChange,
} from '#services/finance/failed-payments/fold-failed-payments'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { Contribution, Report, ReportParameters } from '../report.ts'
import { firstMonth, isReported, lastDay, lastMonth } from './months-of.ts'

export const failedPaymentsReport: Report = {
  name: 'failed-payments',
  handles: failedPaymentTypes,
  begin(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    const months: FailedPaymentMonths = new Map()
    return {
      add(event) {
        for (const change of changesOf(event)) addOutcomeChange(months, change)
        return []
      },
      finish: () =>
        failedPaymentMonths(months, firstMonth(parameters), lastMonth(parameters)).map((row) => ({
          month: row.month,
          currency: row.currency,
          failed: row.failed,
          failed_amount: row.failedAmount,
          recovered: row.recovered,
          recovered_amount: row.recoveredAmount,
          written_off: row.writtenOff,
          written_off_amount: row.writtenOffAmount,
          open: row.open,
          open_amount: row.openAmount,
          recovery_rate: row.recoveryRate,
          median_days_to_recovery: row.medianDays,
        })),
    }
  },
  explain(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    return (event) =>
      changesOf(event).flatMap(({ eventId, date: day, failedIn, currency, from, to }) => {
        if (!isReported(failedIn, parameters)) return []
        const row = { month: failedIn, currency }
        const counted = (
          { outcome, amount }: { readonly outcome: Outcome; readonly amount: number },
          sign: 1 | -1,
        ): readonly Contribution[] => [
          { eventId, day, row, column: columnOf(outcome), amount: sign },
          { eventId, day, row, column: `${columnOf(outcome)}_amount`, amount: sign * amount },
        ]
        return [...(from === null ? [] : counted(from, -1)), ...counted(to, 1)]
      })
  },
}

/** `failed` is the sum of the three outcomes. */
function columnOf(outcome: Outcome): string {
  return outcome.replace('-', '_')
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
