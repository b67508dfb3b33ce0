import { monthOf, monthsBetween, type Month } from '../calendar.ts'
import { ratioText } from '../ratio.ts'
import type { PayingChange } from './subscription-change.ts'

interface Cohort {
  size: number
  /** How many customers of the cohort begin (positive) or end to have MRR, by month. */
  readonly changes: Map<Month, number>
}

/** Customers by the month of their first MRR. */
export type Cohorts = Map<Month, Cohort>

/** Adds a change, or a sum of changes of a month. */
export function addPayingChange(
  cohorts: Cohorts,
  change: Pick<PayingChange, 'cohort' | 'date'> & {
    readonly joined: number
    readonly paying: number
  },
): void {
  const known = cohorts.get(change.cohort) ?? { size: 0, changes: new Map<Month, number>() }
  cohorts.set(change.cohort, known)
  known.size += change.joined
  const month = monthOf(change.date)
  known.changes.set(month, (known.changes.get(month) ?? 0) + change.paying)
}

/** The customers of a cohort who have MRR at the end of a month. */
export interface RetentionMonth {
  readonly cohort: Month
  /** The month is this many months after the cohort's month. */
  readonly age: number
  readonly month: Month
  /** The customers of the cohort. */
  readonly customers: number
  readonly retained: number
  /** `retained` divided by `customers`: a decimal text with 4 places. */
  readonly retention: string | null
}

/**
 * Customer retention of the cohorts from `from` to `to`, at the ends of all months up to `to`.
 * Source: Stripe, "Subscriber cohorts and cohort retention in Billing"
 * (https://support.stripe.com/questions/subscriber-cohorts-and-cohort-retention-in-billing).
 */
export function retentionMonths(
  cohorts: Cohorts,
  from: Month,
  to: Month,
): readonly RetentionMonth[] {
  return monthsBetween(from, to).flatMap((cohort) => {
    const { size: customers, changes } = cohorts.get(cohort) ?? { size: 0, changes: new Map() }
    if (customers === 0) return []
    let retained = 0
    return monthsBetween(cohort, to).map((month, age) => {
      retained += changes.get(month) ?? 0
      return { cohort, age, month, customers, retained, retention: ratioText(retained, customers) }
    })
  })
}
