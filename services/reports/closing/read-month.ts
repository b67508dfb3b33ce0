import type { Position } from '#services/event-store/event-store'
import type { TimeZone } from '#services/finance/time-zone'
import {
  createBooksOfMonths,
  type ClosedEvent,
  type MonthFigures,
  type MonthToBook,
} from './books-of-months.ts'
import type { CloseLog } from './closes.ts'

export interface MonthToRead extends MonthToBook {
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
  { timeZone, ...toBook }: MonthToRead,
  { onClosedEvents, onEvents = () => undefined }: Observer,
): MonthReader {
  const books = createBooksOfMonths(codec, [toBook], timeZone, (_month, events) =>
    onClosedEvents(events),
  )
  let after: Position | null = null

  return {
    readToEnd: async () => void (await readTo(null)),
    readToCut: async (cutOffEventId) =>
      (await readTo(cutOffEventId)) ? books.cut(toBook.month) : null,
  }

  /** Returns whether the event was found. */
  async function readTo(eventId: string | null): Promise<boolean> {
    for await (const page of store.readAll(after)) {
      const end = page.findIndex(({ id }) => id === eventId)
      // A newer release can have written the events after the cut.
      await books.book(end === -1 ? page : page.slice(0, end))
      onEvents(page.length)
      if (end !== -1) return true
      after = page.at(-1)?.position ?? after
    }
    return false
  }
}
