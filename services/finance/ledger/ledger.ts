import type { FinanceEvent } from '../finance-event.ts'
import type { AccountingDates } from '../accounting-date.ts'
import type { Day } from '../calendar.ts'
import { bookEvent } from './book-event.ts'
import { emptyBooks, type Booking, type CustomerBooks } from './books.ts'
import type { Entry } from './entry.ts'
import { recognitionEntries } from './recognition.ts'

/** The books of all customers while a log is read in the order of positions. */
export interface Ledger {
  book(event: FinanceEvent): Booking
}

/** Memory grows with the payments of the log, not with its events. */
export function createLedger(dates: AccountingDates): Ledger {
  const byStream = new Map<string, CustomerBooks>()
  return {
    book(event) {
      const before = byStream.get(event.stream) ?? emptyBooks
      const { books, booking } = bookEvent(before, event, {
        dayOf: dates.dayOf,
        closedThrough: dates.closedThrough(),
      })
      if (books !== before) byStream.set(event.stream, books)
      return booking
    },
  }
}

/**
 * The entries of a booking that are dated on `through` or before. The recognition of that day's
 * month counts up to the day.
 */
export function entriesThrough({ entries, schedule }: Booking, through: Day): readonly Entry[] {
  const dated = entries.filter(({ date }) => date <= through)
  return schedule === null ? dated : [...dated, ...recognitionEntries(schedule, through)]
}
