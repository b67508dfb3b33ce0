import { monthOf, type Month } from '../calendar.ts'
import { compareTexts } from '../compare-texts.ts'
import type { RefundChange, RefundKind } from './fold-refunds.ts'

/**
 * The refunds of a month in one currency, of one kind, for one reason. A refund that fails after it
 * succeeded is subtracted in the month in which it fails. `amount` is in minor units.
 */
export interface RefundMonth {
  readonly month: Month
  readonly currency: string
  readonly kind: RefundKind
  readonly reason: string | null
  readonly refunds: number
  readonly amount: number
}

/** The sums by month, currency, kind and reason. */
export type RefundMonths = Map<string, RefundMonth>

/** Adds a change, or a sum of changes of a month. */
export function addRefundChange(
  months: RefundMonths,
  change: Pick<RefundChange, 'date' | 'currency' | 'kind' | 'reason' | 'amount'> & {
    readonly refunds: number
  },
): void {
  const { date, currency, kind, reason } = change
  const month = monthOf(date)
  const key = JSON.stringify([month, currency, kind, reason ?? ''])
  const { refunds, amount } = months.get(key) ?? { refunds: 0, amount: 0 }
  months.set(key, {
    month,
    currency,
    kind,
    reason,
    refunds: refunds + change.refunds,
    amount: amount + change.amount,
  })
}

/** The months from `from` to `to` with a refund, by month, currency, kind and reason. */
export function refundMonths(months: RefundMonths, from: Month, to: Month): readonly RefundMonth[] {
  return [...months]
    .filter(([, { month }]) => month >= from && month <= to)
    .sort(([a], [b]) => compareTexts(a, b))
    .map(([, row]) => row)
}
