import type { Position } from '../event-store.ts'
import { comparePositions, laterOf } from './positions.ts'
import type { Page } from './reading.ts'

const firstPage = 16
const largestPage = 4_096

/**
 * The position of the last event that is ours. Not the end of the file: there the server writes its own events, which no
 * reader of ours is ever handed, so that a reader which waited for them would never have caught up. Looks from the end
 * backwards, and each time only at what is new since the last one. `isEmpty` is asked first where others may have filled the
 * server: that a log has nothing at all, only a look at everything would tell.
 */
export function createLastPosition(
  readBackwards: (before: Position | null, count: number) => Promise<Page>,
  isEmpty: () => Promise<boolean> = () => Promise.resolve(false),
): () => Promise<Position | null> {
  /** Up to `end` the log was looked through, and `own` is the last of ours in there. */
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
        // A node that lags behind the one that was asked before tells nothing new.
        if (newest !== null && laterOf(newest, known.end) === newest) known = { end: newest, own }
        return own
      }
      before = last
    }
  }
}
