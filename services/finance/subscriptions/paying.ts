import type { AccountingDate } from '../accounting-date.ts'
import { monthOf, type Day, type Month } from '../calendar.ts'

/** Whether a customer has MRR, in any currency, and since when. */
export interface Paying {
  isPaying: boolean
  /** The month of the first day that ended with MRR: a start and end on one day are no cohort. */
  cohort: Month | null
  /** Whether the cohort is of an earlier day than `date`: no event can take it back. */
  isSettled: boolean
  date: Day
  adjusts: Month | null
}

export interface PayingStep extends AccountingDate {
  readonly cohort: Month
  readonly paying: 1 | -1
  readonly joined: 1 | 0 | -1
}

export function notPaying({ date, adjusts }: AccountingDate): Paying {
  return { isPaying: false, cohort: null, isSettled: false, date, adjusts }
}

/**
 * Records whether the customer has MRR now. Returns null without a change.
 *
 * A cohort is the month of a customer's first MRR, and a customer who comes back stays in it.
 * Source: Stripe, "Subscriber cohorts and cohort retention in Billing"
 * (https://support.stripe.com/questions/subscriber-cohorts-and-cohort-retention-in-billing).
 *
 * The dates of a customer never go back. A subscription that becomes known late counts from the
 * customer's last change, so that no month counts a customer twice.
 */
export function setPaying(
  customer: Paying,
  isPaying: boolean,
  { date, adjusts }: AccountingDate,
): PayingStep | null {
  if (isPaying === customer.isPaying) return null
  if (date > customer.date || (date === customer.date && adjusts !== customer.adjusts)) {
    customer.isSettled = customer.cohort !== null
    customer.date = date
    customer.adjusts = adjusts
  }
  const at = { date: customer.date, adjusts }
  customer.isPaying = isPaying
  const joins = isPaying && customer.cohort === null
  const cohort = customer.cohort ?? monthOf(at.date)
  const leaves = !isPaying && !customer.isSettled
  customer.cohort = leaves ? null : cohort
  return { ...at, cohort, paying: isPaying ? 1 : -1, joined: joins ? 1 : leaves ? -1 : 0 }
}
