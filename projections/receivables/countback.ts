import {
  addDays,
  addMonths,
  daysBetween,
  firstDayOf,
  lastDayOf,
  monthOf,
  type Day,
} from '#services/finance/calendar'

/** What was invoiced in a month, `yyyy-mm`, in minor units. */
export interface InvoicedMonth {
  readonly month: string
  readonly amount: number
}

export interface Countback {
  /** The days sales outstanding. */
  readonly days: number
  /** The first day of the earliest month that was counted. */
  readonly from: Day
}

/**
 * Days sales outstanding by the countback method, which the Institute of Credit Management calls
 * the working back method. The invoiced amount of the month of `asOf` is taken from the outstanding
 * amount, then that of each month before. A month that is taken whole counts with its days, that
 * of `asOf` with those up to `asOf`; of the last one the part counts that was left over what was
 * invoiced. An example: 212 is outstanding, and 100, 80 and 70 were invoiced in three months of 30
 * days. 30 + 30 + 32 / 70 x 30 = 73.7 days.
 *
 * 0 if nothing is outstanding. Null if all months together have less than is outstanding.
 */
export function countback(
  outstanding: number,
  months: readonly InvoicedMonth[],
  asOf: Day,
): Countback | null {
  if (outstanding <= 0) return { days: 0, from: addDays(asOf, 1) }
  const latest = monthOf(asOf)
  const amounts = new Map(months.map(({ month, amount }) => [month, amount]))
  const first = [...amounts.keys()].toSorted()[0]
  let rest = outstanding
  let days = 0
  for (let month = latest; first !== undefined && month >= first; month = addMonths(month, -1)) {
    const from = firstDayOf(month)
    const length = daysBetween(from, month === latest ? asOf : lastDayOf(month)) + 1
    const amount = amounts.get(month) ?? 0
    if (amount >= rest) return { days: days + (rest / amount) * length, from }
    rest -= amount
    days += length
  }
  return null
}
