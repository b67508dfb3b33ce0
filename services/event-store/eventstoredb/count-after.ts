import type { Position } from '../event-store.ts'
import { comparePositions, toServerPosition } from './positions.ts'
import type { Page } from './reading.ts'

/** Counts up to this number of events and estimates the rest. */
const counted = 1_500

/**
 * Estimates the number of this log's events after `after`. EventStoreDB keeps no count, but a
 * position is a byte offset in its file. The estimate is the number of remaining bytes times the
 * event density. The density is the mean of the densities right after `after` and at the end of the
 * log.
 */
export async function countAfter(
  after: Position | null,
  log: {
    readonly lastPosition: () => Promise<Position | null>
    readonly read: (after: Position | null, count: number) => Promise<Page>
    readonly readBackwards: (before: Position | null, count: number) => Promise<Page>
  },
): Promise<number> {
  const end = await log.lastPosition()
  if (end === null || (after !== null && comparePositions(after, end) >= 0)) return 0
  const next = await log.read(after, counted)
  if (next.isEnd || next.last === null || comparePositions(next.last, end) >= 0)
    return next.events.length
  const latest = await log.readBackwards(null, counted)
  const density = (densityOf(next) + densityOf(latest)) / 2
  return (
    next.events.length + Math.max(1, Math.round(Number(bytesBetween(next.last, end)) * density))
  )
}

/** In events per byte. */
function densityOf({ events, first, last }: Page): number {
  return first === null || last === null || first === last
    ? 0
    : events.length / Number(bytesBetween(first, last))
}

function bytesBetween(a: Position, b: Position): bigint {
  const distance = toServerPosition(b).commit - toServerPosition(a).commit
  return distance < 0n ? -distance : distance
}
