import { monthOf, type Day, type Month } from '#services/finance/calendar'
import { compareTexts } from '#services/finance/compare-texts'
import type { Entry } from '#services/finance/ledger/entry'
import { revenueOf } from '#services/finance/ledger/revenue'

/**
 * A total of the room: period, currency, account or plan, measure, amount in minor units. The
 * period is a month, `before` the first month, or the last day.
 */
export type RoomTotal = readonly [
  period: string,
  currency: string,
  of: string | null,
  measure: string,
  amount: number,
]

export interface RoomTotals {
  add(entry: Entry): void
  rows(): readonly RoomTotal[]
}

/**
 * By month: the debits and credits of each account, and gross, refunds, credits, disputes and net
 * of each plan. At the last day: the balance of each account, its debits less its credits. A total
 * that nothing moved has no row.
 */
export function createRoomTotals(from: Month, through: Day): RoomTotals {
  const totals = new Map<string, RoomTotal>()

  function add(period: string, currency: string, of: string | null, measure: string, more: number) {
    if (more === 0) return
    const key = JSON.stringify([period, currency, of, measure])
    const amount = (totals.get(key)?.[4] ?? 0) + more
    totals.set(key, [period, currency, of, measure, amount])
  }

  return {
    add(entry) {
      const { date, currency, planName, lines } = entry
      const month = monthOf(date)
      const period = month < from ? 'before' : month
      for (const { account, amount } of lines) {
        add(period, currency, account, amount > 0 ? 'debit' : 'credit', Math.abs(amount))
        add(through, currency, account, 'balance', amount)
      }
      const { tax: _tax, platform_fees: _fees, ...measures } = revenueOf(entry)
      for (const [measure, amount] of Object.entries(measures))
        add(period, currency, planName, measure, amount)
    },
    rows: () => [...totals].toSorted(([a], [b]) => compareTexts(a, b)).map(([, total]) => total),
  }
}
