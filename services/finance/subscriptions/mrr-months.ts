import { addMonths, monthOf, monthsBetween, type Month } from '../calendar.ts'
import { compareTexts } from '../compare-texts.ts'
import { movementKinds, type MovementKind, type MrrMovement } from './subscription-change.ts'

type Sums = Record<MovementKind, number>

/** The sums of the movements by currency and month. Minor units. */
export type MrrMonths = Map<string, Map<Month, Sums>>

/** Adds a movement, or a sum of movements of a month. */
export function addMovement(
  months: MrrMonths,
  movement: Pick<MrrMovement, 'currency' | 'date' | 'kind' | 'amount'>,
): void {
  const { currency, date, kind, amount } = movement
  const ofCurrency = months.get(currency) ?? new Map<Month, Sums>()
  months.set(currency, ofCurrency)
  const month = monthOf(date)
  const sums = ofCurrency.get(month) ?? noMovement()
  ofCurrency.set(month, sums)
  sums[kind] += amount
}

/**
 * The MRR of a month in one currency. Minor units. `contraction` and `churn` are zero or negative,
 * so that `closing` is `opening` plus the five movements.
 *
 * Source of the equation: Stripe, "Billing metric definitions", MRR growth
 * (https://docs.stripe.com/billing/subscriptions/analytics/glossary).
 */
export type MrrMonth = Readonly<
  Record<MovementKind | 'opening' | 'closing', number> & { month: Month; currency: string }
>

/**
 * The months from `from` to `to` by month, then currency. A currency begins with the month of its
 * first movement.
 */
export function mrrMonths(months: MrrMonths, from: Month, to: Month): readonly MrrMonth[] {
  return [...months]
    .flatMap(([currency, ofCurrency]) => monthsOfCurrency(currency, ofCurrency, to))
    .filter(({ month }) => month >= from)
    .sort((a, b) => compareTexts(`${a.month} ${a.currency}`, `${b.month} ${b.currency}`))
}

function monthsOfCurrency(
  currency: string,
  ofCurrency: ReadonlyMap<Month, Sums>,
  to: Month,
): readonly MrrMonth[] {
  const rows: MrrMonth[] = []
  const first = [...ofCurrency.keys()].reduce((a, b) => (a < b ? a : b), addMonths(to, 1))
  let opening = 0
  for (const month of monthsBetween(first, to)) {
    const sums = ofCurrency.get(month) ?? noMovement()
    const closing = movementKinds.reduce((sum, kind) => sum + sums[kind], opening)
    rows.push({ month, currency, opening, ...sums, closing })
    opening = closing
  }
  return rows
}

function noMovement(): Sums {
  return { new: 0, expansion: 0, contraction: 0, churn: 0, reactivation: 0 }
}
