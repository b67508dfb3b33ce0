import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { accountingDate, type DateOf } from '#services/finance/accounting-date'
import type { Month } from '#services/finance/calendar'
import {
  foldSubscriptions,
  noSubscriptions,
} from '#services/finance/subscriptions/fold-subscriptions'
import { addMovement, mrrMonths, type MrrMonths } from '#services/finance/subscriptions/mrr-months'
import {
  addPayingChange,
  retentionMonths,
  type Cohorts,
} from '#services/finance/subscriptions/retention'
import type { SubscriptionChange } from '#services/finance/subscriptions/subscription-change'
import {
  addStatusChange,
  subscriptionMonths,
  type SubscriptionMonths,
} from '#services/finance/subscriptions/subscription-months'
import { daysIn } from '#services/finance/time-zone'
import { month, zone } from './finance-values.ts'

const utcDay = daysIn(zone('UTC'))

/** Accounting dates in UTC. `closedThrough` is the last closed month. */
export function utcDates(closedThrough: Month | null = null): DateOf {
  return (at) => accountingDate(utcDay(at), closedThrough)
}

/** What the events change in the measures of subscriptions, in UTC and without a closed month. */
export function subscriptionChanges(
  events: readonly RecordedEvent<BillingEvent>[],
): readonly SubscriptionChange[] {
  const state = noSubscriptions()
  return events.flatMap((event) => foldSubscriptions(state, event, utcDates()))
}

/** The changes of one type. */
export function changesOf<Type extends SubscriptionChange['type']>(
  type: Type,
  changes: readonly SubscriptionChange[],
): readonly Extract<SubscriptionChange, { type: Type }>[] {
  return changes.filter(
    (change): change is Extract<SubscriptionChange, { type: Type }> => change.type === type,
  )
}

/** The reports of the changes, from the month `from` to the month `to`. */
export function reportsOf(changes: readonly SubscriptionChange[], from: string, to: string) {
  const mrr: MrrMonths = new Map()
  const subscriptions: SubscriptionMonths = new Map()
  const cohorts: Cohorts = new Map()
  for (const change of changesOf('mrr', changes)) addMovement(mrr, change)
  for (const change of changesOf('status', changes)) addStatusChange(subscriptions, change)
  for (const change of changesOf('paying', changes)) addPayingChange(cohorts, change)
  return {
    mrr: mrrMonths(mrr, month(from), month(to)),
    subscriptions: subscriptionMonths(subscriptions, month(from), month(to)),
    retention: retentionMonths(cohorts, month(from), month(to)),
  }
}
