/*
 * The texts of a billing interval in events' rows, API answers and the provider's metadata. Free of
 * zod, so that a page can use them without loading a validator.
 */

export interface BillingInterval {
  readonly count: number
  /** `day`, `week`, `month`, `year`, or another value of the record. */
  readonly unit: string
}

/** 'month' or 'year' for a count of 1, else for example '6_month'. `parseInterval` reads it. */
export function intervalText({ count, unit }: BillingInterval): string {
  return count === 1 ? unit : `${count}_${unit}`
}

/**
 * Reads `intervalText`, and the provider's other spellings, such as 'semi_annual' and '6 months'.
 */
export function parseInterval(interval: string): BillingInterval {
  const text = interval.toLowerCase()
  const [, count, unit] = /^(\d+)[\s_-]?(day|week|month|year)s?$/.exec(text) ?? []
  if (count && unit) return { count: Number(count), unit }
  switch (text) {
    case 'monthly':
      return { count: 1, unit: 'month' }
    case 'semi_annual':
    case 'semiannual':
    case 'six-month':
      return { count: 6, unit: 'month' }
    case 'yearly':
    case 'annual':
    case 'annually':
      return { count: 1, unit: 'year' }
    default:
      return { count: 1, unit: text }
  }
}
