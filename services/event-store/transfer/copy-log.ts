import { explainBreak, walkChains, type ChainProblem } from '../audit/verify-chain.ts'
import type { EventLog } from '../event-log.ts'
import type { EventStore } from '../event-store.ts'
import { compareLogs, nothingCompared, type Compared } from './compare-logs.ts'

type Source = Pick<EventStore, 'readAll' | 'readBackwards' | 'readStream' | 'countAfter'>
type Target = { readonly store: Source } & Pick<EventLog, 'restore'>

export interface CopyLogOptions {
  readonly from: Source
  readonly to: Target
  /** Compares only what this run brings. What was there was compared by the run that brought it, if that ran to its end. */
  readonly isQuick?: boolean
  /** Each part of the work, before it begins, with how many events it is for, as far as that can be told. */
  readonly onPart?: (part: 'checking' | 'copying' | 'comparing', total: number) => void
  readonly onEvents?: (count: number) => void
}

export type CopiedLog =
  /** The target has other events: nothing was written. */
  | { readonly kind: 'refused'; readonly text: string }
  | {
      readonly kind: 'equal' | 'different'
      readonly brought: number
      /** How many of the target's events were compared with the source's. */
      readonly compared: number
      readonly streams: number
      /** From the first event on, not only what was brought now. */
      readonly isComplete: boolean
      /** The target's last event, in both logs. */
      readonly end: Compared
      /** What is not as in the source, or, of a log that was changed, not as it was written. */
      readonly problems: readonly (string | ChainProblem)[]
      /** What the source was given meanwhile: for another run. */
      readonly behind: number
    }

/** When a round brings no more than this, what is left is left to the next run: a source that is written to has no end. */
const lastRound = 1_000

/**
 * Brings a log's events behind those that the target has of them: ids, streams, revisions, data and metadata to the
 * letter, and all in one order. Killed at any moment, it is simply run again: where it was is told by the target's
 * last event. The target is then read again and compared with the source.
 */
export async function copyLog({
  from,
  to,
  isQuick = false,
  onPart = () => undefined,
  onEvents = () => undefined,
}: CopyLogOptions): Promise<CopiedLog> {
  const walk = walkChains()
  const known = isQuick ? await commonEnd(from, to.store) : null
  const start = known ?? nothingCompared
  const isComplete = start.inCopy === null
  if (known === null) onPart('checking', await to.store.countAfter(null))
  const before = await compareLogs(from, to.store, start, { walk, onEvents })
  if (before.difference !== null) return { kind: 'refused', text: before.difference }

  onPart('copying', await from.countAfter(before.compared.inSource))
  const brought = await bring(from, to, before.compared, onEvents)

  onPart('comparing', brought)
  const { compared: end, difference } = await compareLogs(from, to.store, before.compared, {
    walk,
    onEvents,
  })
  const problems: (string | ChainProblem)[] = difference === null ? [] : [difference]
  // A walk that begins later has not seen where its streams begin.
  if (isComplete)
    for (const stream of walk.broken)
      problems.push(
        explainBreak(await to.store.readStream(stream)) ??
          `The events of '${stream}' are not in the order of their revisions.`,
      )
  return {
    kind: problems.length === 0 ? 'equal' : 'different',
    problems,
    brought,
    isComplete,
    compared: end.events,
    streams: walk.heads.size,
    end,
    behind: await from.countAfter(end.inSource),
  }
}

/** Page after page, each written before the next, until the source has little more. */
async function bring(
  from: Source,
  to: Target,
  { inSource }: Compared,
  onEvents: (count: number) => void,
): Promise<number> {
  let position = inSource
  let brought = 0
  for (let round = Number.POSITIVE_INFINITY; round > lastRound;) {
    round = 0
    for await (const page of from.readAll(position)) {
      await to.restore(page)
      position = page.at(-1)?.position ?? position
      round += page.length
      onEvents(page.length)
    }
    brought += round
  }
  return brought
}

/** The target's last event in both; null when the source has no such event. Looks backwards: what is missing is at the end. */
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
