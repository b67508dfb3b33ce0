import type { BookedEntries } from './bookings.ts'

/** A part of a list. `after` is `next` of the page before; null begins the list. */
export interface Page {
  readonly after: string | null
  readonly limit: number
  /**
   * The last event that counts (`lastSeq` of `readProgress`): later pages then show the same state.
   * None: every event.
   */
  readonly lastSeq?: number
}

/** `next` is null on the last page. */
export interface PageOf<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

/** The place after which a page begins: numbers whose order is that of the list. */
function placeAfter({ after }: Page, numbers: number): readonly number[] {
  const place = (after ?? '').split('.').map(Number)
  return after !== null && place.length === numbers && place.every(Number.isSafeInteger)
    ? place
    : Array.from({ length: numbers }, () => 0)
}

const fewest = 200
const max = 4_000

/**
 * A page of what bookings contain: the items of a booking can be on two pages. `read` returns the
 * bookings from a seq on, `limit` at most.
 */
export async function pageOfBookings<Item>(
  page: Page,
  read: (fromSeq: number, limit: number) => Promise<readonly BookedEntries[]>,
  itemsOf: (booking: BookedEntries) => readonly Item[],
): Promise<PageOf<Item>> {
  const items: Item[] = []
  const [first = 0, firstIndex = 0] = placeAfter(page, 2)
  let [seq, index] = [first, firstIndex]
  for (let limit = Math.min(fewest, page.limit + 1); ; limit = Math.min(max, limit * 4)) {
    const bookings = await read(seq, limit)
    for (const booking of bookings) {
      const found = itemsOf(booking)
      const from = booking.seq === seq ? index : 0
      const room = page.limit - items.length
      items.push(...found.slice(from, from + room))
      if (found.length - from > room) return { items, next: `${booking.seq}.${from + room}` }
    }
    const last = bookings.at(-1)
    if (last === undefined || bookings.length < limit) return { items, next: null }
    seq = last.seq + 1
    index = 0
  }
}
