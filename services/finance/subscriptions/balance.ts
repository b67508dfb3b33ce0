import type { AccountingDate } from '../accounting-date.ts'
import type { Day, Month } from '../calendar.ts'
import type { MovementKind } from './subscription-change.ts'

/**
 * A customer's MRR in one currency, with what the movements of its last day need. All changes of a
 * day are one movement: a subscription that replaces another one on the same day is an expansion or
 * contraction, not churn and a reactivation.
 *
 * Source: ChartMogul groups changes within 60 minutes in the same way ("Smart Activity
 * Classification", https://help.chartmogul.com/hc/en-us/articles/4416682609426). A day, because a
 * date of the books has no time.
 */
export interface Balance {
  readonly currency: string
  /** Minor units. */
  mrr: number
  /** The MRR before the last day with a change. */
  opening: number
  /** Whether an earlier day ended with MRR. */
  hadMrr: boolean
  date: Day
  adjusts: Month | null
}

export interface Movement {
  readonly kind: MovementKind
  readonly amount: number
}

export function openedBalance(currency: string, { date, adjusts }: AccountingDate): Balance {
  return { currency, mrr: 0, opening: 0, hadMrr: false, date, adjusts }
}

/**
 * Adds `change` to the balance. Returns how the movement of the day changes: if its kind changes,
 * the first movement takes the old kind back. So the movements are right after every event, and no
 * event has to wait for the end of the day.
 */
export function moveBalance(
  balance: Balance,
  change: number,
  { date, adjusts }: AccountingDate,
): readonly Movement[] {
  if (balance.date !== date || balance.adjusts !== adjusts) {
    balance.hadMrr ||= balance.mrr > 0
    balance.opening = balance.mrr
    balance.date = date
    balance.adjusts = adjusts
  }
  const before = movementOfDay(balance)
  balance.mrr += change
  const after = movementOfDay(balance)
  if (before === null) return after === null ? [] : [after]
  const takenBack = { kind: before.kind, amount: -before.amount }
  if (after === null) return [takenBack]
  return before.kind === after.kind
    ? [{ kind: after.kind, amount: after.amount - before.amount }]
    : [takenBack, after]
}

function movementOfDay({ opening, mrr, hadMrr }: Balance): Movement | null {
  const amount = mrr - opening
  if (amount === 0) return null
  return { kind: kindOf(opening, mrr, hadMrr), amount }
}

function kindOf(from: number, to: number, hadMrr: boolean): MovementKind {
  if (from <= 0 && to > 0) return hadMrr ? 'reactivation' : 'new'
  if (from > 0 && to <= 0) return 'churn'
  return to > from ? 'expansion' : 'contraction'
}
