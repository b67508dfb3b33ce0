import { invoiceCauses } from '#contracts/invoice-cause'
import {
  addAttempts,
  addOutcomeSum,
  addRecoveries,
  type FailedPaymentMonths,
} from '#services/finance/failed-payments/failed-payment-months'
import type { Outcome } from '#services/finance/failed-payments/fold-failed-payments'
import { addRefundChange, type RefundMonths } from '#services/finance/refunds/refund-months'
import { refundKinds } from '#services/finance/refunds/fold-refunds'
import { outcomeColumns, recoveredAfter } from '#services/finance/reports/change-contributions'
import {
  failedPaymentRows,
  mrrRows,
  refundRows,
  retentionRows,
  subscriptionRows,
} from '#services/finance/reports/change-rows'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import { addMovement, type MrrMonths } from '#services/finance/subscriptions/mrr-months'
import { addPayingChange, type Cohorts } from '#services/finance/subscriptions/retention'
import { movementKinds } from '#services/finance/subscriptions/subscription-change'
import {
  addStatusSum,
  statuses,
  type SubscriptionMonths,
} from '#services/finance/subscriptions/subscription-months'
import type { FigureSum } from './load-sums.ts'
import { firstDayOfMonth, oneOf, optionalTextOf, storedMonth, textOf } from './stored-texts.ts'

type RowsOf = (sums: readonly FigureSum[], parameters: ReportParameters) => readonly ReportRow[]

/** The rows of the reports that read changes, from the sums of their figures. */
export const changeRows = {
  mrr(sums, parameters) {
    const months: MrrMonths = new Map()
    for (const { month, row, figure, amount } of sums)
      addMovement(months, {
        currency: textOf(row, 'currency'),
        date: firstDayOfMonth(month),
        kind: oneOf(movementKinds, figure),
        amount,
      })
    return mrrRows(months, parameters)
  },

  subscriptions(sums, parameters) {
    const months: SubscriptionMonths = new Map()
    for (const { month, figure, amount } of sums) {
      const status = figure === 'churn_rate' ? 'ended' : oneOf(statuses, figure)
      addStatusSum(months, storedMonth(month), status, amount)
    }
    return subscriptionRows(months, parameters)
  },

  retention(sums, parameters) {
    const cohorts: Cohorts = new Map()
    for (const { month, row, figure, amount } of sums) {
      const isJoined = oneOf(['customers', 'retained'], figure) === 'customers'
      addPayingChange(cohorts, {
        cohort: storedMonth(row['cohort']),
        date: firstDayOfMonth(month),
        joined: isJoined ? amount : 0,
        paying: isJoined ? 0 : amount,
      })
    }
    return retentionRows(cohorts, parameters)
  },

  'failed-payments'(sums, parameters) {
    const months: FailedPaymentMonths = new Map()
    for (const { row, figure, amount } of sums) {
      const of = {
        failedIn: storedMonth(row['month']),
        cause: oneOf(invoiceCauses, row['type']),
        currency: textOf(row, 'currency'),
      }
      if (figure === 'failed_attempts') addAttempts(months, of, amount)
      else if (figure.startsWith(recoveredAfter))
        addRecoveries(months, of, Number(figure.slice(recoveredAfter.length)), amount)
      else addOutcomeSum(months, of, ...outcomeSum(figure, amount))
    }
    return failedPaymentRows(months, parameters)
  },

  refunds(sums, parameters) {
    const months: RefundMonths = new Map()
    for (const { month, row, figure, amount } of sums) {
      const isCount = oneOf(['refunds', 'amount'], figure) === 'refunds'
      addRefundChange(months, {
        date: firstDayOfMonth(month),
        currency: textOf(row, 'currency'),
        kind: oneOf(refundKinds, row['type']),
        reason: optionalTextOf(row, 'reason'),
        refunds: isCount ? amount : 0,
        amount: isCount ? 0 : amount,
      })
    }
    return refundRows(months, parameters)
  },
} as const satisfies Readonly<Record<string, RowsOf>>

const outcomes = Object.keys(outcomeColumns) as readonly Outcome[]

function outcomeSum(
  figure: string,
  sum: number,
): readonly [Outcome, { readonly invoices: number; readonly amount: number }] {
  const isAmount = figure.endsWith('_amount')
  const column = isAmount ? figure.slice(0, -'_amount'.length) : figure
  const outcome = outcomes.find((each) => outcomeColumns[each] === column)
  return [oneOf(outcomes, outcome), { invoices: isAmount ? 0 : sum, amount: isAmount ? sum : 0 }]
}
