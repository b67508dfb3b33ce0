import { createSortedSpool, type SortedSpool } from '#services/foundation/spool/sorted-spool'
import {
  isSegment,
  isWhole,
  joinSegments,
  segmentOf,
  type StreamRecord,
} from '../audit/chain-segment.ts'
import { hashOf } from '../audit/hash-chain.ts'
import { explainBreak, type ChainProblem } from '../audit/verify-chain.ts'
import type { EventLog } from '../event-log.ts'
import type { EventStore, StoredEvent } from '../event-store.ts'
import { compareLogs, nothingCompared, type Compared } from './compare-logs.ts'

type Source = Pick<EventStore, 'readAll' | 'readBackwards' | 'readStream' | 'countAfter'>
type Target = { readonly store: Source } & Pick<EventLog, 'restore'>

export interface CopyLogOptions {
  readonly from: Source
  readonly to: Target
  /**
   * Compares only the events that this run copies. The run that copied the earlier events compared
   * them, if it finished.
   */
  readonly isQuick?: boolean
  /** Called before each part of the work. `total` is the approximate number of its events. */
  readonly onPart?: (part: 'checking' | 'copying' | 'comparing', total: number) => void
  readonly onEvents?: (count: number) => void
}

export type CopiedLog =
  /** The target has other events, and nothing was written. */
  | { readonly kind: 'refused'; readonly text: string }
  | {
      readonly kind: 'equal' | 'different'
      /** Number of events that this run copied. */
      readonly copied: number
      /** Number of the target's events that were compared with the source. */
      readonly compared: number
      readonly streams: number
      /**
       * True if the comparison began at the first event, false if it covers only this run's events.
       */
      readonly isComplete: boolean
      /** The target's last event, in both logs. */
      readonly end: Compared
      /** Differences from the source, and broken hash chains. */
      readonly problems: readonly (string | ChainProblem)[]
      /** Number of events that the source received meanwhile. Another run copies them. */
      readonly behind: number
    }

/** The number of broken chains that are explained. */
const mostProblems = 1_000

/**
 * A round that copies at most this many events is the last one. Otherwise a copy of a busy log
 * would not end.
 */
const lastRound = 1_000

/**
 * Copies the events of a log that the target does not have yet. Order, ids, streams, revisions,
 * data and metadata stay the same. After an interruption the next run resumes after the target's
 * last event. At the end the target is read again and compared with the source. Needs the same
 * memory at any number of streams: their heads are in temporary files.
 * @throws StartupError if the disk of the temporary files is full
 */
export async function copyLog(options: CopyLogOptions): Promise<CopiedLog> {
  const chains = createSortedSpool<StreamRecord>({ combine: joinSegments })
  try {
    return await copyWith(chains, options)
  } finally {
    await chains.remove()
  }
}

async function copyWith(
  chains: SortedSpool<StreamRecord>,
  {
    from,
    to,
    isQuick = false,
    onPart = () => undefined,
    onEvents = () => undefined,
  }: CopyLogOptions,
): Promise<CopiedLog> {
  const known = isQuick ? await commonEnd(from, to.store) : null
  const start = known ?? nothingCompared
  const isComplete = start.inCopy === null
  if (known === null) onPart('checking', await to.store.countAfter(null))
  const onEqual = async (events: readonly StoredEvent[]) => {
    for (const event of events)
      chains.add(event.stream, segmentOf(event, { hash: hashOf(event), epoch: 0, isForged: false }))
    await chains.writeIfFull()
    onEvents(events.length)
  }
  const before = await compareLogs(from, to.store, start, onEqual)
  if (before.difference !== null) return { kind: 'refused', text: before.difference }

  onPart('copying', await from.countAfter(before.compared.inSource))
  const copied = await copyEvents(from, to, before.compared, onEvents)

  onPart('comparing', copied)
  const { compared: end, difference } = await compareLogs(from, to.store, before.compared, onEqual)
  const { streams, broken } = await checkChains(chains, to.store, isComplete)
  const problems = difference === null ? broken : [difference, ...broken]
  return {
    kind: problems.length === 0 ? 'equal' : 'different',
    problems,
    copied,
    isComplete,
    compared: end.events,
    streams,
    end,
    behind: await from.countAfter(end.inSource),
  }
}

/** The number of streams, and their broken chains. */
async function checkChains(
  chains: SortedSpool<StreamRecord>,
  target: Source,
  isComplete: boolean,
): Promise<{ streams: number; broken: readonly (string | ChainProblem)[] }> {
  const broken: (string | ChainProblem)[] = []
  let streams = 0
  for await (const { key: stream, values } of chains.sorted()) {
    streams += 1
    // A quick comparison has not read the first events of the streams, so it cannot verify their
    // chains.
    if (!isComplete || isWhole(values.filter(isSegment))) continue
    if (broken.length === mostProblems) continue
    broken.push(
      explainBreak(await target.readStream(stream)) ??
        `The position order of the events of '${stream}' differs from their revision order.`,
    )
  }
  return { streams, broken }
}

/** Writes each page before it reads the next, until the source has few events left. */
async function copyEvents(
  from: Source,
  to: Target,
  { inSource }: Compared,
  onEvents: (count: number) => void,
): Promise<number> {
  let position = inSource
  let copied = 0
  for (let round = Number.POSITIVE_INFINITY; round > lastRound;) {
    round = 0
    for await (const page of from.readAll(position)) {
      await to.restore(page)
      position = page.at(-1)?.position ?? position
      round += page.length
      onEvents(page.length)
    }
    copied += round
  }
  return copied
}

/**
 * The target's last event in both logs; null if the source does not have it. Reads the source
 * backwards: the missing events are at its end.
 */
async function commonEnd(source: Source, target: Source): Promise<Compared | null> {
  for await (const [last] of target.readBackwards(1)) {
    if (last === undefined) return null
    const [original] = await source.readStream(last.stream, last.revision)
    if (original?.id !== last.id) return null
    for await (const page of source.readBackwards()) {
      const found = page.find(({ id }) => id === last.id)
      if (found !== undefined) return { events: 0, inSource: found.position, inCopy: last.position }
    }
    return null
  }
  return nothingCompared
}
