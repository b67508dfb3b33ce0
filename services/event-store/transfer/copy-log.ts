import type { ChainProblem } from '../audit/verify-chain.ts'
import type { EventLog } from '../event-log.ts'
import type { EventStore, Position } from '../event-store.ts'
import { compareLogs, nothingCompared, type Compared } from './compare-logs.ts'
import { verifyPart } from './verify-part.ts'

type Source = Pick<
  EventStore,
  'readAll' | 'readStream' | 'countAfter' | 'lastPosition' | 'comparePositions'
>
type Target = { readonly store: Source } & Pick<EventLog, 'restore'>

export interface CopyLogOptions {
  readonly from: Source
  readonly to: Target
  /** The end of an earlier comparison without a difference. This run compares later events. */
  readonly comparedBefore?: Compared | null
  /** Called before each part of the work. `total` is the approximate number of its events. */
  readonly onPart?: (part: CopyPart, total: number) => void
  readonly onEvents?: (count: number) => void
}

export type CopyPart = 'checking' | 'verifying' | 'copying' | 'comparing'

export type CopiedLog =
  /** The target has other events, and nothing was written. */
  | { readonly kind: 'refused'; readonly text: string }
  | {
      /** The next events of the source break their hash chains. None of them was written. */
      readonly kind: 'broken'
      readonly copied: number
      readonly problems: readonly ChainProblem[]
    }
  | {
      readonly kind: 'different'
      readonly copied: number
      /** The first event of the target that differs from the source. */
      readonly text: string
    }
  | {
      readonly kind: 'equal'
      /** Number of events that this run copied. */
      readonly copied: number
      /** Number of the target's events that were compared with the source. */
      readonly compared: number
      /** Number of streams that begin in the compared events. */
      readonly streams: number
      /**
       * True if the comparison began at the first event, false if it began after `comparedBefore`.
       */
      readonly isComplete: boolean
      /** The target's last event, in both logs. */
      readonly end: Compared
      /** Number of events that the source received meanwhile. Another run copies them. */
      readonly behind: number
    }

/**
 * A round that copies at most this many events is the last one. Otherwise a copy of a busy log
 * would not end.
 */
const lastRound = 1_000

/**
 * Copies the events of a log that the target does not have yet. Order, ids, streams, revisions,
 * data and metadata stay the same. A copied event cannot be removed, so the hash chains of each
 * part are verified before the part is written. After an interruption the next run resumes after
 * the target's last event. At the end the target is read again and compared with the source. Needs
 * the same memory at any number of streams: their heads are in temporary files.
 * @throws StartupError if the disk of the temporary files is full
 */
export async function copyLog({
  from,
  to,
  comparedBefore = null,
  onPart = () => undefined,
  onEvents = () => undefined,
}: CopyLogOptions): Promise<CopiedLog> {
  const start = await usableStart(comparedBefore, to.store)
  onPart('checking', await to.store.countAfter(start.inCopy))
  const before = await compareLogs(from, to.store, start, onEvents)
  if (before.difference !== null) return { kind: 'refused', text: before.difference }

  let [verifiedTo, copiedTo] = [start.inSource, before.compared.inSource]
  let [copied, streams] = [0, 0]
  for (let round = Number.POSITIVE_INFINITY; round > lastRound;) {
    // Later rounds are short. Their events count as copied only.
    const isFirst = round === Number.POSITIVE_INFINITY
    if (isFirst) onPart('verifying', await from.countAfter(verifiedTo))
    const part = await verifyPart(from, verifiedTo, isFirst ? onEvents : undefined)
    if (part.problems.length > 0) return { kind: 'broken', copied, problems: part.problems }
    if (isFirst) onPart('copying', await from.countAfter(copiedTo))
    round = part.end === null ? 0 : await copyPart(from, to, copiedTo, part.end, onEvents)
    verifiedTo = copiedTo = part.end ?? copiedTo
    copied += round
    streams += part.streams
  }

  onPart('comparing', copied)
  const { compared: end, difference } = await compareLogs(from, to.store, before.compared, onEvents)
  if (difference !== null) return { kind: 'different', copied, text: difference }
  return {
    kind: 'equal',
    copied,
    compared: end.events,
    streams,
    isComplete: start.inCopy === null,
    end,
    behind: await from.countAfter(end.inSource),
  }
}

/**
 * The end of the earlier comparison, if the target still has it: a server's backup that was
 * restored into the target takes events away.
 */
async function usableStart(comparedBefore: Compared | null, target: Source): Promise<Compared> {
  const last = await target.lastPosition()
  const { inCopy } = comparedBefore ?? nothingCompared
  const isThere = last !== null && inCopy !== null && target.comparePositions(inCopy, last) <= 0
  return isThere && comparedBefore !== null ? { ...comparedBefore, events: 0 } : nothingCompared
}

/**
 * Copies the events after `after` up to `end`. Writes each page before it reads the next. Returns
 * their number.
 */
async function copyPart(
  from: Source,
  to: Target,
  after: Position | null,
  end: Position,
  onEvents: (count: number) => void,
): Promise<number> {
  let copied = 0
  for await (const page of from.readAll(after)) {
    const part = page.filter(({ position }) => from.comparePositions(position, end) <= 0)
    if (part.length > 0) await to.restore(part)
    copied += part.length
    onEvents(part.length)
    if (part.length < page.length) break
  }
  return copied
}
