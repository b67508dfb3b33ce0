import { isLive, type StartedStatus } from '#contracts/subscription-status'
import { monthOf, monthsBetween, type Month } from '../calendar.ts'
import { ratioText } from '../ratio.ts'
import type { StatusChange } from './subscription-change.ts'

/** What changes in a month: subscriptions by status, and the live subscriptions that ended. */
type Changes = Record<StartedStatus | 'ended', number>

export type SubscriptionMonths = Map<Month, Changes>

export function addStatusChange(months: SubscriptionMonths, change: StatusChange): void {
  const { date, from, to } = change
  const month = monthOf(date)
  if (from !== null) addStatusSum(months, month, from, -1)
  if (to !== null) addStatusSum(months, month, to, 1)
  if (to === null && from !== null && isLive(from)) addStatusSum(months, month, 'ended', 1)
}

/** Adds a sum of changes of a month. */
export function addStatusSum(
  months: SubscriptionMonths,
  month: Month,
  status: keyof Changes,
  count: number,
): void {
  const changes = months.get(month) ?? noChanges()
  months.set(month, changes)
  changes[status] += count
}

/** The subscriptions at the end of a month by status, and how many ended in the month. */
export interface SubscriptionMonth {
  readonly month: Month
  readonly active: number
  readonly trialing: number
  readonly paused: number
  readonly pastDue: number
  readonly unpaid: number
  /** Live subscriptions (`isLive`) when the month began. */
  readonly liveAtStart: number
  /** Subscriptions that were live and ended in the month, also if they began in the month. */
  readonly ended: number
  /**
   * `ended` divided by `liveAtStart`: a decimal text with 4 places, null if no subscription was
   * live. It exceeds 1 if more subscriptions began and ended in the month than lived before.
   *
   * Source of the denominator: ChartMogul, "Churn rate formulas", standard formula
   * (https://help.chartmogul.com/hc/en-us/articles/207340419). Unlike that formula, `ended` counts
   * a subscription that began in the month, as Stripe's subscriber churn rate does.
   */
  readonly churnRate: string | null
}

/** The months from `from` to `to`, also those without a subscription. */
export function subscriptionMonths(
  months: SubscriptionMonths,
  from: Month,
  to: Month,
): readonly SubscriptionMonth[] {
  const first = [...months.keys()].reduce((a, b) => (a < b ? a : b), from)
  const rows: SubscriptionMonth[] = []
  const counts = noChanges()
  for (const month of monthsBetween(first, to)) {
    const liveAtStart = liveOf(counts)
    const changes = months.get(month) ?? noChanges()
    for (const status of statuses) counts[status] += changes[status]
    const { active, trialing, paused, past_due: pastDue, unpaid } = counts
    const { ended } = changes
    const churnRate = ratioText(ended, liveAtStart)
    rows.push({ month, active, trialing, paused, pastDue, unpaid, liveAtStart, ended, churnRate })
  }
  return rows.filter(({ month }) => month >= from)
}

const noChanges = (): Changes => ({
  incomplete: 0,
  trialing: 0,
  active: 0,
  past_due: 0,
  unpaid: 0,
  paused: 0,
  ended: 0,
})

export const statuses = [
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
] as const satisfies readonly StartedStatus[]

function liveOf(counts: Changes): number {
  return statuses.filter(isLive).reduce((sum, status) => sum + counts[status], 0)
}
