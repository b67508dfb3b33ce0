import type { AccountTotal } from '#contracts/events/close'
import { hashOf } from '#services/event-store/audit/hash-chain'
import { createMerkleTree } from '#services/event-store/audit/merkle-tree'
import type { Position, StoredEvent } from '#services/event-store/event-store'
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
  readonly timeZone: TimeZone
}

interface Observer {
  /** Receives the month's events, in order, and waits for the result. */
  readonly onClosedEvents: (events: readonly ClosedEvent[]) => Promise<void>
  /** Receives the number of events of each page of the log. */
  readonly onEvents?: ((count: number) => void) | undefined
}

/** Reads the log once, in one or two parts: the second begins where the first ended. */
export interface MonthReader {
  /** Reads up to the end of the log. For a month that is not cut off yet. */
  readToEnd(): Promise<void>
  /**
   * Reads up to the event that cut off the month, and returns the figures. Later events do not
   * matter. Null if the log does not have this event.
   */
  readToCut(cutOffEventId: string): Promise<MonthFigures | null>
}

/** Computes the figures of a month. @throws UnreadableEvent */
export function createMonthReader(
  { store, codec }: CloseLog,
  { month, isFirst, timeZone }: MonthToRead,
  { onClosedEvents, onEvents = () => undefined }: Observer,
): MonthReader {
  const dates = createAccountingDates(timeZone)
  const books = createMonthBooks({ month, isFirst }, dates)
  const tree = createMerkleTree()
  let after: Position | null = null

  return {
    readToEnd: async () => void (await readTo(null)),
    readToCut: async (cutOffEventId) =>
      (await readTo(cutOffEventId))
        ? { events: tree.size, root: tree.root(), totals: books.totals() }
        : null,
  }

  /** Returns whether the event was found. */
  async function readTo(eventId: string | null): Promise<boolean> {
    for await (const page of store.readAll(after)) {
      const end = page.findIndex(({ id }) => id === eventId)
      // A newer release can have written the events after the cut.
      await bookPage(end === -1 ? page : page.slice(0, end))
      onEvents(page.length)
      if (end !== -1) return true
      after = page.at(-1)?.position ?? after
    }
    return false
  }

  async function bookPage(page: readonly StoredEvent[]): Promise<void> {
    const stored = page.filter(isOfFinance)
    const closed: ClosedEvent[] = []
    for (const [index, event] of (await codec.decode(stored)).entries()) {
      if (event.type === 'MonthCutOff') cutOff(dates, event.data, timeZone)
      const original = stored[index]
      if (original === undefined || !isFinanceEvent(event) || !books.book(event)) continue
      const hash = hashOf(original)
      closed.push({ index: tree.size, eventId: event.id, hash })
      tree.add(hash)
    }
    if (closed.length > 0) await onClosedEvents(closed)
  }
}
