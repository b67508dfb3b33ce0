import { currencyExponent } from '#contracts/currency'
import type { Instant } from '#contracts/instant'
import { rowClass } from '#projections/listing/row-class'
import { searchText } from '#projections/listing/search-text'
import { homeCurrency } from '#projections/shared/home-currency'
import { expiryOf } from './plans.ts'
import type { Plan, User } from './user.ts'

export interface ComputedColumns {
  readonly expirations: readonly Instant[]
  readonly latest_expiration: Instant | null
  readonly second_expiration: Instant | null
  readonly spent_currency: string
  readonly spent_minor: number
  readonly spent_thousandths: number
  readonly class: string
  readonly search_text: string
}

/** The columns that lists sort and search by, computed from the folded user. */
export function computedColumns(user: User): ComputedColumns {
  const { currency, minor } = totalSpent(user.spending)
  const expirations = expirationsOf(user)
  const [latest = null, second = null] = expirations
  return {
    expirations,
    latest_expiration: latest,
    second_expiration: second,
    spent_currency: currency,
    spent_minor: minor,
    spent_thousandths: minor * 10 ** (3 - currencyExponent(currency)),
    class: computedClass(user),
    // The id of a subscription stands for a plan outside the catalogue, and few rows share it.
    search_text: searchText([
      user.email,
      user.secondary_email,
      ...user.plans.filter((plan) => !isInCatalogue(plan)).map(({ id }) => id),
    ]),
  }
}

/** The class by the filters of the list: the user type, `blocked` or `active`. Words: the plans. */
export function computedClass({ user_type, blocked, plans }: User): string {
  const words = plans.flatMap((plan) => [...(isInCatalogue(plan) ? [plan.id] : []), plan.name])
  return rowClass([String(user_type), blocked ? 'blocked' : 'active'], words.sort())
}

function isInCatalogue({ id, key }: Plan): boolean {
  return id !== key
}

/** The expirations of all paid plans, latest first. */
export function expirationsOf({ plans }: User): readonly Instant[] {
  return plans
    .map(expiryOf)
    .filter((expiry) => expiry !== null)
    .sort((a, b) => Date.parse(b) - Date.parse(a))
}

/**
 * The total in one currency: the home currency, or the first by name if the user never paid in the
 * home currency.
 */
function totalSpent(spending: User['spending']): { currency: string; minor: number } {
  const currency =
    homeCurrency in spending ? homeCurrency : (Object.keys(spending).sort()[0] ?? homeCurrency)
  const { paid, refunded } = spending[currency] ?? { paid: 0, refunded: 0 }
  return { currency, minor: paid - refunded }
}
