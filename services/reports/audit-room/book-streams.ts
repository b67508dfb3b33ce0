import type { EventCodec } from '#services/event-store/encryption/codec'
import { isFinanceEvent } from '#services/finance/finance-event'
import type { Day } from '#services/finance/calendar'
import { bookEvent } from '#services/finance/ledger/book-event'
import { emptyBooks } from '#services/finance/ledger/books'
import type { Entry } from '#services/finance/ledger/entry'
import { entriesThrough } from '#services/finance/ledger/ledger'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import { isOfFinance } from '../finance-events.ts'
import type { Cut, MoneyEvent, RoomStream } from './sealed-log.ts'

interface BookedEvent extends MoneyEvent {
  readonly entries: readonly Entry[]
}

/** Returns the events of a stream with the entries that are dated on `through` or before. */
export type BookStream = (stream: RoomStream) => Promise<readonly BookedEvent[]>

/**
 * Books stream by stream: the books of a customer depend on the customer's events and on the months
 * that were closed before each event.
 */
export function bookStreams(
  codec: Pick<EventCodec, 'decode'>,
  {
    timeZone,
    through,
    cuts,
  }: { readonly timeZone: TimeZone; readonly through: Day; readonly cuts: readonly Cut[] },
): BookStream {
  const dayOf = daysIn(timeZone)
  return async ({ money }) => {
    const read = money.filter(({ event }) => isOfFinance(event))
    const decoded = await codec.decode(read.map(({ event }) => event))
    const events = new Map(decoded.map((event) => [event.id, event]))
    let books = emptyBooks
    return money.map((record) => {
      const event = events.get(record.event.id)
      if (event === undefined || !isFinanceEvent(event)) return { ...record, entries: [] }
      // Months close in order.
      const closedThrough = cuts.findLast(({ n }) => n < record.n)?.month ?? null
      const booked = bookEvent(books, event, { dayOf, closedThrough })
      books = booked.books
      return { ...record, entries: entriesThrough(booked.booking, through) }
    })
  }
}
