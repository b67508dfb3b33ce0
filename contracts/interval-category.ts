import { parseInterval } from './billing-interval.ts'

/*
 * The interval categories of the active plans. Free of zod, so that a page can use them without
 * loading a validator. Source: specification, section 3, "Interval categories".
 */

export const intervalCategories = ['monthly', 'six-month', 'annual'] as const
export type IntervalCategory = (typeof intervalCategories)[number]

export const intervalCategoryNames: Readonly<Record<IntervalCategory, string>> = {
  monthly: 'Monthly',
  'six-month': 'Six-Month',
  annual: 'Annual',
}

/**
 * The category of a subscription's interval. Null for an interval outside the three categories. An
 * interval of one month is a six-month plan if the plan's name contains '6' and 'month'.
 */
export function intervalCategory(interval: string, planName: string): IntervalCategory | null {
  const { count, unit } = parseInterval(interval)
  const name = planName.toLowerCase()
  if (unit === 'month' && count === 1)
    return name.includes('6') && name.includes('month') ? 'six-month' : 'monthly'
  if (unit === 'month' && count === 6) return 'six-month'
  if (unit === 'year' && count === 1) return 'annual'
  return null
}
