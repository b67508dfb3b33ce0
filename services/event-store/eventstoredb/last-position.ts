import type { Position } from '../event-store.ts'
import { comparePositions, laterOf } from './positions.ts'
import type { Page } from './reading.ts'

const firstPage = 16
const largestPage = 4_096

/**
 * Returns a function that reads the position of this log's last event. This position is before the
 * end of the server's file, where the server writes system events. Readers skip these, so a reader
 * that waited for them would never catch up. The function reads backwards from the end, each time
 * only the part that is new since the last call. On a shared server it calls `isEmpty` first:
 * without it, an empty log would need a backward read of the whole file.
 */
export function createLastPosition(
  readBackwards: (before: Position | null, count: number) => Promise<Page>,
  isEmpty: () => Promise<boolean> = () => Promise.resolve(false),
): () => Promise<Position | null> {
  /**
   * The log was searched up to `end`, and `own` is the position of this log's last event in that
   * part.
   */
  let known: { readonly end: Position | null; readonly own: Position | null } = {
    end: null,
    own: null,
  }

  return async function lastPosition() {
    if (known.end === null) {
      const { first: end } = await readBackwards(null, 1)
      if (end !== null && (await isEmpty())) known = { end, own: null }
    }
    let newest: Position | null = null
    let before: Position | null = null
    for (let count = firstPage; ; count = Math.min(largestPage, count * 4)) {
      const { events, first, last, isEnd }: Page = await readBackwards(before, count)
      newest ??= first
      const isKnown = known.end !== null && last !== null && comparePositions(last, known.end) <= 0
      const own: Position | null = laterOf(events[0]?.position ?? null, isKnown ? known.own : null)
      if (own !== null || isKnown || isEnd) {
        // Another node may lag behind the node of the previous call. Its older result is not kept.
        if (newest !== null && laterOf(newest, known.end) === newest) known = { end: newest, own }
        return own
      }
      before = last
    }
  }
}
