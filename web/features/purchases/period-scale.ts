import type { Instant } from '#contracts/instant'
import {
  calendarDaysBetween,
  countDays,
  daysLeft,
  formatDay,
  monthlyDayNumbers,
} from '../../lib/dates.ts'

interface Tick {
  /** Days since the period began. */
  readonly day: number
  readonly long: boolean
  readonly passed: boolean
}

export interface PeriodScale {
  readonly days: number
  /** The needle's position, in days since the period began; limited to the scale. */
  readonly today: number
  readonly ticks: readonly Tick[]
  readonly words: string
}

const longestDailyScale = 62

/**
 * A billing period drawn to scale: a tick per day and a long tick per week. Longer periods have a
 * tick per week and a long tick per month, because the daily ticks of half a year would merge.
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
