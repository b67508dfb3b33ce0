import type { AccountTotal } from '#contracts/events/close'
import type { FinanceEvent } from '../finance-event.ts'
import type { AccountingDates } from '../accounting-date.ts'
import { lastDayOf, monthOf, type Month } from '../calendar.ts'
import { createAccountTotals } from '../ledger/account-totals.ts'
import type { Booking } from '../ledger/books.ts'
import { entriesThrough } from '../ledger/ledger.ts'

/** The books of one month while the log is read up to the cut of the month. */
export interface MonthBooks {
  /**
   * Books the next event of the log, with its booking in the ledger, which the books of several
   * months share. Returns whether the event is booked in the month.
   */
  book(event: FinanceEvent, booking: Booking): boolean
  /** By currency, in the order of the chart. Accounts that did not move have no total. */
  totals(): readonly AccountTotal[]
}

/**
 * The event is booked in the month of its accounting date, also if it moves no money. The first
 * close has the events of all months before it, too, so that each event belongs to one close.
 */
export function createMonthBooks(
  { month, isFirst }: { readonly month: Month; readonly isFirst: boolean },
  dates: AccountingDates,
): MonthBooks {
  const through = lastDayOf(month)
  const { add, totals } = createAccountTotals()

  return {
    book(event, booking) {
      const booked = monthOf(dates.dateOf(event.metadata.occurredAt).date)
      for (const entry of entriesThrough(booking, through))
        if (monthOf(entry.date) === month) add(entry)
      return booked === month || (isFirst && booked < month)
    },
    totals,
  }
}
