import type { Instant } from '#contracts/instant'
import {
  calendarDaysBetween,
  countDays,
  daysLeft,
  formatDay,
  monthlyDayNumbers,
} from '../../lib/dates.ts'

export interface Tick {
  /** Days since the period began. */
  readonly day: number
  readonly long: boolean
  readonly passed: boolean
}

export interface PeriodScale {
  readonly days: number
  /** Where the needle stands, in days since the period began; inside the scale even when today is not. */
  readonly today: number
  readonly ticks: readonly Tick[]
  readonly words: string
}

const longestDailyScale = 62

/**
 * A billing period drawn to scale: a tick a day and a long one a week. Half a year of such ticks
 * would be a grey bar, so longer periods have a tick a week and a long one a month.
 */
export function periodScale(start: Instant, end: Instant, now: Instant): PeriodScale {
  const days = Math.max(1, calendarDaysBetween(start, end))
  const today = Math.min(days, Math.max(0, calendarDaysBetween(start, now)))
  const tick =
    (long: boolean) =>
    (day: number): Tick => ({ day, long, passed: day <= today })
  const every = (step: number) =>
    Array.from({ length: Math.floor(days / step) + 1 }, (_, index) => index * step)
  const ticks =
    days <= longestDailyScale
      ? every(1).map((day) => tick(day % 7 === 0 || day === days)(day))
      : [...every(7).map(tick(false)), ...[0, ...monthlyDayNumbers(start, days)].map(tick(true))]
  const words = `Day ${today} of a ${days} day period, ${formatDay(start)} to ${formatDay(end)}. ${countDays(daysLeft(now, end))} left.`
  return { days, today, ticks, words }
}
