import {
  failedPaymentMonths,
  type FailedPaymentMonths,
} from '../failed-payments/failed-payment-months.ts'
import { refundMonths, type RefundMonths } from '../refunds/refund-months.ts'
import { mrrMonths, type MrrMonths } from '../subscriptions/mrr-months.ts'
import { retentionMonths, type Cohorts } from '../subscriptions/retention.ts'
import {
  subscriptionMonths,
  type SubscriptionMonths,
} from '../subscriptions/subscription-months.ts'
import { firstMonth, lastMonth } from './months-of.ts'
import type { ReportParameters, ReportRow } from './report-types.ts'

/* The rows of the reports that read changes. The sums are those up to the last day. */

export function mrrRows(months: MrrMonths, parameters: ReportParameters): readonly ReportRow[] {
  return mrrMonths(months, firstMonth(parameters), lastMonth(parameters))
}

export function subscriptionRows(
  months: SubscriptionMonths,
  parameters: ReportParameters,
): readonly ReportRow[] {
  if (months.size === 0) return []
  const last = lastMonth(parameters)
  const first = [...months.keys()].reduce((a, b) => (a < b ? a : b), last)
  return subscriptionMonths(months, parameters.from ?? first, last).map(
    ({ month, active, trialing, paused, pastDue, churnRate }) => ({
      month,
      active,
      trialing,
      paused,
      past_due: pastDue,
      churn_rate: churnRate,
    }),
  )
}

/** `from` and `to` are months of cohorts and of their later months. */
export function retentionRows(
  cohorts: Cohorts,
  parameters: ReportParameters,
): readonly ReportRow[] {
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
}

export function failedPaymentRows(
  months: FailedPaymentMonths,
  parameters: ReportParameters,
): readonly ReportRow[] {
  return failedPaymentMonths(months, firstMonth(parameters), lastMonth(parameters)).map((row) => ({
    month: row.month,
    type: row.cause,
    currency: row.currency,
    failed: row.failed,
    failed_attempts: row.attempts,
    failed_amount: row.failedAmount,
    recovered: row.recovered,
    recovered_amount: row.recoveredAmount,
    written_off: row.writtenOff,
    written_off_amount: row.writtenOffAmount,
    open: row.open,
    open_amount: row.openAmount,
    recovery_rate: row.recoveryRate,
    median_days_to_recovery: row.medianDays,
  }))
}

export function refundRows(
  months: RefundMonths,
  parameters: ReportParameters,
): readonly ReportRow[] {
  return refundMonths(months, firstMonth(parameters), lastMonth(parameters)).map(
    ({ kind, ...row }) => ({ ...row, type: kind }),
  )
}
