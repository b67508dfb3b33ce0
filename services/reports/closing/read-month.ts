import type { AccountTotal } from '#contracts/events/close'
import { hashOf } from '#services/event-store/audit/hash-chain'
import { createMerkleTree } from '#services/event-store/audit/merkle-tree'
import { createAccountingDates } from '#services/finance/accounting-date'
import type { Month } from '#services/finance/calendar'
import { createMonthBooks } from '#services/finance/closing/month-books'
import type { TimeZone } from '#services/finance/time-zone'
import { isFinanceEvent, isOfFinance } from '../finance-events.ts'
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

export interface MonthToRead {
  readonly month: Month
  /** Whether no earlier month is closed. */
  readonly isFirst: boolean
  readonly cutOffEventId: string
  readonly timeZone: TimeZone
}

interface Observer {
  /** Receives the month's events, in order, and waits for the result. */
  readonly onClosedEvents: (events: readonly ClosedEvent[]) => Promise<void>
  /** Receives the number of events of each page of the log. */
  readonly onEvents?: ((count: number) => void) | undefined
}

/**
 * Computes the figures of a month from the log up to the event that cut it off. Later events do not
 * matter. Null if the log does not have this event.
 */
export async function readMonth(
  { store, codec }: CloseLog,
  { month, isFirst, cutOffEventId, timeZone }: MonthToRead,
  { onClosedEvents, onEvents = () => undefined }: Observer,
): Promise<MonthFigures | null> {
  const dates = createAccountingDates(timeZone)
  const books = createMonthBooks({ month, isFirst }, dates)
  const tree = createMerkleTree()
  for await (const page of store.readAll(null)) {
    const stored = page.filter(isOfFinance)
    const events = await codec.decode(stored)
    const closed: ClosedEvent[] = []
    let isCutOff = false
    for (const [index, event] of events.entries()) {
      isCutOff = event.id === cutOffEventId
      if (isCutOff) break
      if (event.type === 'MonthCutOff') cutOff(dates, event.data, timeZone)
      const original = stored[index]
      if (original === undefined || !isFinanceEvent(event) || !books.book(event)) continue
      const hash = hashOf(original)
      closed.push({ index: tree.size, eventId: event.id, hash })
      tree.add(hash)
    }
    if (closed.length > 0) await onClosedEvents(closed)
    onEvents(page.length)
    if (isCutOff) return { events: tree.size, root: tree.root(), totals: books.totals() }
  }
  return null
}
