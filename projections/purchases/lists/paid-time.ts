import { moment } from '#projections/listing/moment'

/*
 * The length of the time that a payment covers, as a facet of its class. With the length, the
 * creation date of an active payment has a bound: a scan of the payments by creation date skips the
 * others.
 */

const dayMs = 86_400_000

/**
 * Days. A month has 28 to 31 days, half a year 181 to 184, a year 365 or 366. The borders around
 * them allow for a payment that succeeds after its period has begun. Months are the most frequent,
 * so each length of a month has a range: with one range for all, the first page of the expired
 * payments read those of four days before the first row.
 */
const borders = [0, 27, 28.5, 29.5, 30.5, 32, 89, 93, 180, 185, 364, 367] as const

/** The facet of a row without paid time: a refund or a credit note. */
const none = 'none'

/** The facet of a failed attempt, which is no payment. */
export const failedFacet = 'failed'

/** For example `30.5-32` for 31 days. `-0` is less than 0, and `367-` is 367 or more. */
export function lengthFacet(createdAt: Date, expiresAt: Date | null): string {
  if (expiresAt === null) return none
  const days = (expiresAt.getTime() - createdAt.getTime()) / dayMs
  const above = borders.findIndex((border) => days < border)
  const from = above === -1 ? borders.at(-1) : borders[above - 1]
  const to = above === -1 ? '' : borders[above]
  return `${from ?? ''}-${to}`
}

/** Whether the rows of the class have paid time. */
export function hasPaidTime(facet: string | undefined): boolean {
  return facet !== none && facet !== failedFacet
}

/** What the creation date of the active or expired payments of a class meets, as SQL. */
export function creationBounds(
  facet: string | undefined,
  status: 'active' | 'expired',
  now: Date,
): readonly string[] {
  const [from = '', to = ''] = (facet ?? '').split('-')
  if (status === 'active') return to === '' ? [] : [`created_at > ${daysBefore(now, to)}`]
  return from === '' ? [] : [`created_at <= ${daysBefore(now, from)}`]
}

function daysBefore(now: Date, days: string): string {
  return moment(new Date(now.getTime() - Number(days) * dayMs))
}
