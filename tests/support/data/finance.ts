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
import type { SubscriptionFact } from '#services/finance/subscriptions/subscription-facts'
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
export function subscriptionFacts(
  events: readonly RecordedEvent<BillingEvent>[],
): readonly SubscriptionFact[] {
  const state = noSubscriptions()
  return events.flatMap((event) => foldSubscriptions(state, event, utcDates()))
}

/** The facts of one type. */
export function factsOf<Type extends SubscriptionFact['type']>(
  type: Type,
  facts: readonly SubscriptionFact[],
): readonly Extract<SubscriptionFact, { type: Type }>[] {
  return facts.filter(
    (fact): fact is Extract<SubscriptionFact, { type: Type }> => fact.type === type,
  )
}

/** The reports of the facts, from the month `from` to the month `to`. */
export function reportsOf(facts: readonly SubscriptionFact[], from: string, to: string) {
  const mrr: MrrMonths = new Map()
  const subscriptions: SubscriptionMonths = new Map()
  const cohorts: Cohorts = new Map()
  for (const fact of factsOf('mrr', facts)) addMovement(mrr, fact)
  for (const fact of factsOf('status', facts)) addStatusChange(subscriptions, fact)
  for (const fact of factsOf('paying', facts)) addPayingChange(cohorts, fact)
  return {
    mrr: mrrMonths(mrr, month(from), month(to)),
    subscriptions: subscriptionMonths(subscriptions, month(from), month(to)),
    retention: retentionMonths(cohorts, month(from), month(to)),
  }
}
