import { z } from 'zod'
import { instant, type Instant } from '#contracts/instant'

/*
 * The rule of the paid time, for all lists. Only a paid invoice gives paid time, also one of $0 and
 * one that a credit paid. A renewal and a plan change give none: their invoices can stay unpaid.
 * The end of the subscription ends the paid time, and a plan change to a shorter interval shortens
 * it. A refund, a pause, a failed payment and a written-off invoice change nothing.
 */

/** The period that a paid invoice covers, as far as no plan change shortened it. */
const paidPeriod = z.object({ from: instant, until: instant })
export type PaidPeriod = Readonly<z.infer<typeof paidPeriod>>

/** The first period of another plan or quantity, which took effect `at` a time. */
export const planPeriod = z.object({ at: instant, until: instant })
export type PlanPeriod = Readonly<z.infer<typeof planPeriod>>

/** Of one plan. Both lists have only the entries that can still decide. */
export const paidTime = z.object({
  periods: z.array(paidPeriod).readonly(),
  planPeriods: z.array(planPeriod).readonly(),
})
export type PaidTime = Readonly<z.infer<typeof paidTime>>

export const noPaidTime: PaidTime = { periods: [], planPeriods: [] }

export function withPayment(time: PaidTime, paid: PaidPeriod): PaidTime {
  return withPeriods(time, [...time.periods, paidPeriodOf(paid, time.planPeriods)])
}

export function withPlanPeriod(time: PaidTime, change: PlanPeriod): PaidTime {
  const periods = time.periods.map((period) => shortenedBy(period, change))
  return withPeriods({ ...time, planPeriods: addPlanPeriod(time.planPeriods, change) }, periods)
}

/** The end of the paid time, which may be past. Null before the first payment. */
export function paidUntil({ periods }: PaidTime, endedAt: Instant | null): Instant | null {
  const ends = periods.map(({ until }) => until)
  if (ends.length === 0) return null
  const end = ends.reduce(later)
  return endedAt === null ? end : earlier(end, endedAt)
}

/** A payment that is recorded after plan changes: those that began later shorten its period. */
export function paidPeriodOf(paid: PaidPeriod, planPeriods: readonly PlanPeriod[]): PaidPeriod {
  return planPeriods
    .filter(({ at }) => isBefore(paid.from, at))
    .reduce((period, change) => shortenedBy(period, change), paid)
}

/** The provider credits what a payment of the former plan covers after the new plan's period. */
export function shortenedBy(period: PaidPeriod, { at, until }: PlanPeriod): PaidPeriod {
  const isOfNewPlan = isBefore(at, period.from)
  return isOfNewPlan ? period : { ...period, until: earlier(period.until, until) }
}

/** Without changes that shorten no payment which another change does not shorten as much. */
export function addPlanPeriod(
  all: readonly PlanPeriod[],
  change: PlanPeriod,
): readonly PlanPeriod[] {
  return addDeciding(
    all,
    change,
    (one, other) => !isBefore(one.at, other.at) && !isBefore(other.until, one.until),
  )
}

/** Without periods that end before another one which later plan changes shorten no more. */
function withPeriods(time: PaidTime, periods: readonly PaidPeriod[]): PaidTime {
  const deciding = periods.reduce<readonly PaidPeriod[]>(
    (all, period) =>
      addDeciding(
        all,
        period,
        (one, other) => !isBefore(one.from, other.from) && !isBefore(one.until, other.until),
      ),
    [],
  )
  return { ...time, periods: deciding }
}

/** The entries with `added`, of which each decides something that no other one decides. */
function addDeciding<Entry>(
  all: readonly Entry[],
  added: Entry,
  isEnough: (one: Entry, insteadOf: Entry) => boolean,
): readonly Entry[] {
  if (all.some((one) => isEnough(one, added))) return all
  return [...all.filter((one) => !isEnough(added, one)), added]
}

function earlier(one: Instant, other: Instant): Instant {
  return isBefore(other, one) ? other : one
}

function later(one: Instant, other: Instant): Instant {
  return isBefore(one, other) ? other : one
}

function isBefore(one: Instant, other: Instant): boolean {
  return Date.parse(one) < Date.parse(other)
}
