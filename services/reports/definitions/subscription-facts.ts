import type { AccountingDates } from '#services/finance/accounting-date'
import {
  foldSubscriptions,
  noSubscriptions,
} from '#services/finance/subscriptions/fold-subscriptions'
import type { SubscriptionFact } from '#services/finance/subscriptions/subscription-facts'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { ReportParameters } from '#services/finance/reports/report-types'
import { lastDay } from '#services/finance/reports/months-of'

/**
 * Returns a function that takes the events of the log in position order, and returns what each
 * event changes in the measures of subscriptions, to the last day of the report.
 */
export function subscriptionFactsOfEvents(
  parameters: ReportParameters,
  dates: AccountingDates,
): (event: FinanceEvent) => readonly SubscriptionFact[] {
  const state = noSubscriptions()
  const through = lastDay(parameters)
  return (event) =>
    foldSubscriptions(state, event, dates.dateOf).filter(({ date }) => date <= through)
}
