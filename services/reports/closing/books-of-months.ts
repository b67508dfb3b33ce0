import type { AccountTotal } from '#contracts/events/close'
import { hashOf } from '#services/event-store/audit/hash-chain'
import { createMerkleTree } from '#services/event-store/audit/merkle-tree'
import type { StoredEvent } from '#services/event-store/event-store'
import { isFinanceEvent } from '#services/finance/finance-event'
import { createAccountingDates } from '#services/finance/accounting-date'
import type { Month } from '#services/finance/calendar'
import { createMonthBooks } from '#services/finance/closing/month-books'
import { createLedger } from '#services/finance/ledger/ledger'
import type { TimeZone } from '#services/finance/time-zone'
import { isOfFinance } from '../finance-events.ts'
import type { CloseLog } from './closes.ts'
import { cutOff } from './cut-off.ts'

/** An event that is booked in a closed month. `index` counts from 0 in position order. */
export interface ClosedEvent {
  readonly index: number
  readonly eventId: string
  /** SHA-256 of the stored event, in lower-case hex. */
  readonly hash: string
}

/** What a log has for a month. */
export interface MonthFigures {
  readonly events: number
  readonly root: string
  readonly totals: readonly AccountTotal[]
}

export interface MonthToBook {
  readonly month: Month
  /** Whether no earlier month is closed. */
  readonly isFirst: boolean
}

/** The books of several months in one ledger, so that one reading of the log computes them all. */
interface BooksOfMonths {
  /** Books the next events of the log. @throws UnreadableEvent */
  book(events: readonly StoredEvent[]): Promise<void>
  /** Ends the books of a month and returns its figures. Call it at the event that cut it off. */
  cut(month: Month): MonthFigures
}

export function createBooksOfMonths(
  codec: CloseLog['codec'],
  months: readonly MonthToBook[],
  timeZone: TimeZone,
  /** Receives the events of each month, in order, and is waited for. */
  onClosedEvents: (month: Month, events: readonly ClosedEvent[]) => Promise<void>,
): BooksOfMonths {
  const dates = createAccountingDates(timeZone)
  const ledger = createLedger(dates)
  const open = new Map(
    months.map((each) => [
      each.month,
      { books: createMonthBooks(each, dates), tree: createMerkleTree() },
    ]),
  )

  return {
    async book(events) {
      const stored = events.filter(isOfFinance)
      const closed = new Map<Month, ClosedEvent[]>()
      for (const [index, event] of (await codec.decode(stored)).entries()) {
        if (event.type === 'MonthCutOff') cutOff(dates, event.data, timeZone)
        const original = stored[index]
        if (original === undefined || !isFinanceEvent(event)) continue
        const booking = ledger.book(event)
        let hash: string | null = null
        for (const [month, { books, tree }] of open) {
          if (!books.book(event, booking)) continue
          hash ??= hashOf(original)
          const ofMonth = closed.get(month) ?? []
          ofMonth.push({ index: tree.size, eventId: event.id, hash })
          closed.set(month, ofMonth)
          tree.add(hash)
        }
      }
      for (const [month, ofMonth] of closed) await onClosedEvents(month, ofMonth)
    },

    cut(month) {
      const ended = open.get(month)
      if (ended === undefined) throw new Error(`The books of ${month} are not open.`)
      open.delete(month)
      const { books, tree } = ended
      return { events: tree.size, root: tree.root(), totals: books.totals() }
    },
  }
}
