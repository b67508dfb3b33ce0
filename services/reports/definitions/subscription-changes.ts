import type { AccountingDates } from '#services/finance/accounting-date'
import {
  foldSubscriptions,
  noSubscriptions,
} from '#services/finance/subscriptions/fold-subscriptions'
import type { SubscriptionChange } from '#services/finance/subscriptions/subscription-change'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { lastDay } from '#services/finance/reports/months-of'

/**
 * Returns a function that takes the events of the log in position order, and returns what each
 * event changes in the measures of subscriptions, to the last day of the report.
 */
export function subscriptionChangesOfEvents(
  parameters: ReportParameters,
  dates: AccountingDates,
): (event: FinanceEvent) => readonly SubscriptionChange[] {
  const state = noSubscriptions()
  const through = lastDay(parameters)
  return (event) =>
    foldSubscriptions(state, event, dates.dateOf).filter(({ date }) => date <= through)
}
