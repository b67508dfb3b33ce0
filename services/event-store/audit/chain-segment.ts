import type { Combine } from '#services/foundation/spool/merge-sorted'
import type { StreamEvent } from '../event-store.ts'
import { linkOf } from './hash-chain.ts'
import type { Head } from './seal.ts'

/**
 * Consecutive events of a stream, as far as their links show it. Two neighboring segments become
 * one, so a stream needs the same memory at any length.
 */
export interface Segment extends Head {
  /** The number of seals that do not cover the events: the segment's seal is the next one. */
  readonly epoch: number
  /** The revision of the first event, and its `previousHash`. */
  readonly firstRevision: number
  readonly link: unknown
  /** Whether an event does not continue its predecessor within the segment. */
  readonly isBroken: boolean
  /** Whether an event has no genuine MAC. */
  readonly isForged: boolean
}

/** A head that a seal found changed, as the database has it. */
export interface SealedHeadRecord extends Head {
  readonly sequence: number
}

/** What the spool keeps of a stream. */
export type StreamRecord = Segment | SealedHeadRecord

export function segmentOf(
  event: StreamEvent,
  { hash, epoch, isForged }: Pick<Segment, 'hash' | 'epoch' | 'isForged'>,
): Segment {
  const { revision } = event
  return {
    epoch,
    firstRevision: revision,
    link: linkOf(event) ?? null,
    revision,
    hash,
    isBroken: false,
    isForged,
  }
}

export function isSegment(record: StreamRecord): record is Segment {
  return 'epoch' in record
}

export function isSealedHead(record: StreamRecord): record is SealedHeadRecord {
  return !isSegment(record)
}

/** Joins two segments of a stream that the same seal covers. */
export const joinSegments: Combine<StreamRecord> = (earlier, later) => {
  if (!isSegment(earlier) || !isSegment(later) || earlier.epoch !== later.epoch) return null
  const head = later.revision > earlier.revision ? later : earlier
  return {
    epoch: earlier.epoch,
    firstRevision: earlier.firstRevision,
    link: earlier.link,
    revision: head.revision,
    hash: head.hash,
    isBroken: earlier.isBroken || later.isBroken || !continues(earlier, later),
    isForged: earlier.isForged || later.isForged,
  }
}

type Link = Pick<Head, 'revision' | 'hash'>

/**
 * Whether the segments of a stream are one chain that continues the event `previous`. Null: the
 * chain begins at revision 0.
 */
export function isWhole(segments: readonly Segment[], previous: Link | null = null): boolean {
  let before = previous
  for (const segment of segments) {
    if (segment.isBroken || !continues(before, segment)) return false
    before = segment
  }
  return true
}

function continues(before: Link | null, next: Segment): boolean {
  return (
    next.firstRevision === (before === null ? 0 : before.revision + 1) &&
    next.link === (before?.hash ?? null)
  )
}
