import type { AccountingDates } from '#services/finance/accounting-date'
import { monthOf } from '#services/finance/calendar'
import {
  foldRefunds,
  refundTypes,
  type RefundChange,
  type Refunds,
} from '#services/finance/refunds/fold-refunds'
import {
  addRefundChange,
  refundMonths,
  type RefundMonths,
} from '#services/finance/refunds/refund-months'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { Report, ReportParameters } from '../report.ts'
import { firstMonth, isReported, lastDay, lastMonth } from './months-of.ts'

export const refundsReport: Report = {
  name: 'refunds',
  handles: refundTypes,
  begin(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    const months: RefundMonths = new Map()
    return {
      add(event) {
        for (const change of changesOf(event)) addRefundChange(months, change)
        return []
      },
      finish: () =>
        refundMonths(months, firstMonth(parameters), lastMonth(parameters)).map(
          ({ kind, ...row }) => ({ ...row, type: kind }),
        ),
    }
  },
  explain(parameters, dates) {
    const changesOf = changesOfEvents(parameters, dates)
    return (event) =>
      changesOf(event).flatMap((change) => {
        const { eventId, date: day, kind: type, reason, currency, refunds, amount } = change
        const month = monthOf(day)
        if (!isReported(month, parameters)) return []
        const row = { month, type, reason, currency }
        return [
          { eventId, day, row, column: 'refunds', amount: refunds },
          { eventId, day, row, column: 'amount', amount },
        ]
      })
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
