import { createSortedSpool, type SortedSpool } from '#services/foundation/spool/sorted-spool'
import type { EventStore, Position, StoredEvent } from '../event-store.ts'
import { macKeyOf, sealKeysOf } from './audit-keys.ts'
import {
  isSealedHead,
  isSegment,
  isWhole,
  joinSegments,
  segmentOf,
  type Segment,
  type StreamRecord,
} from './chain-segment.ts'
import { checkSeals, type SealProblem, type SealSource } from './check-seals.ts'
import { explainStream, moved, type StreamProblem } from './explain-stream.ts'
import { hashOf, hasGenuineMac } from './hash-chain.ts'
import { createSealComparison } from './compare-seals.ts'
import type { Seal, StreamHead } from './seal.ts'
import type { SealedHead } from './seal-table.ts'

/**
 * A check of another part of the product, over the pages that the verification reads: the log is
 * read once.
 */
export interface LogCheck {
  /** What is checked, in the plural: `closed months`. */
  readonly subject: string
  /** Receives each page, in the order of positions. */
  page(events: readonly StoredEvent[]): Promise<void>
  /** Called after the last page. */
  end(): Promise<CheckResult>
}

interface CheckResult {
  /** Sentences; none if nothing was found. */
  readonly problems: readonly string[]
  /** What holds, in one sentence, if nothing was found. Null if there was nothing to check. */
  readonly proven: string | null
}

interface CheckedSubject extends CheckResult {
  readonly subject: string
}

/** A check that was made before the log is read, and that proves nothing else. */
export function createFoundCheck(subject: string, problems: readonly string[]): LogCheck {
  return {
    subject,
    page: () => Promise.resolve(),
    end: () => Promise.resolve({ problems, proven: null }),
  }
}

export interface VerifyOptions {
  /**
   * The seals of the database, then those of files. The caller reads them and the heads before the
   * log, so that the log has every event that they cover.
   */
  readonly seals: readonly SealSource[]
  /** Every head that a seal found changed. */
  readonly sealedHeads: AsyncIterable<readonly SealedHead[]>
  readonly auditKey: Buffer
  readonly checks?: readonly LogCheck[]
  /** Ends after so many problems of streams. The counts and the seals are then not complete. */
  readonly stopAfter?: number
  readonly onEvents?: (count: number) => void
  /** Called before the heads are compared. */
  readonly onRead?: () => void
  readonly onStreams?: (count: number) => void
  readonly signal?: AbortSignal
  /** The number of heads in memory. The others are in temporary files. */
  readonly capacity?: number
}

export interface VerifiedLog {
  readonly events: number
  readonly streams: number
  readonly position: Position | null
  /** The seals that the log was compared with. */
  readonly seals: readonly Seal[]
  /** At most one problem for each stream: the first one. Ordered by stream name. At most 1,000. */
  readonly problems: readonly StreamProblem[]
  readonly streamsWithProblems: number
  readonly sealProblems: readonly SealProblem[]
  /** Whether events exist and none has a MAC of this AUDIT_KEY. Their MACs are then no problems. */
  readonly isOfAnotherKey: boolean
  /** What the further checks found, in their order. */
  readonly checked: readonly CheckedSubject[]
}

/** A verified log, and the last events of its streams. */
export interface OpenVerifiedLog extends VerifiedLog {
  /** The head of every stream, ordered by stream name, and whether no seal covers it yet. */
  heads(): AsyncGenerator<StreamHead & { readonly isNew: boolean }>
}

const maxProblems = 1_000

/** Whether a verification found nothing. */
export function isIntact({
  problems,
  sealProblems,
  isOfAnotherKey,
  checked,
}: VerifiedLog): boolean {
  return (
    problems.length === 0 &&
    sealProblems.length === 0 &&
    !isOfAnotherKey &&
    checked.every((each) => each.problems.length === 0)
  )
}

/**
 * Reads the whole log and checks these rules, in constant memory at any number of streams:
 * - The revisions of each stream start at 0 and have no gap.
 * - Each event has the hash of its predecessor, and a MAC of this AUDIT_KEY.
 * - The seals are genuine and complete, and the log has the state that each seal covers.
 * - The further checks find nothing.
 *
 * Concurrent appends do not disturb the check. `work` gets the result while the temporary files
 * exist.
 * @throws StartupError if the disk of the temporary files is full
 */
export async function verifyLog<Result>(
  store: Pick<EventStore, 'readAll' | 'readStream'>,
  options: VerifyOptions,
  work: (verified: OpenVerifiedLog) => Promise<Result>,
): Promise<Result> {
  const { capacity } = options
  const spool = createSortedSpool<StreamRecord>({
    combine: joinSegments,
    ...(capacity !== undefined && { capacity }),
  })
  try {
    return await work(await verifyInto(spool, store, options))
  } finally {
    await spool.remove()
  }
}

async function verifyInto(
  spool: SortedSpool<StreamRecord>,
  store: Pick<EventStore, 'readAll' | 'readStream'>,
  {
    seals: sources,
    sealedHeads,
    auditKey,
    checks = [],
    onEvents = () => undefined,
    onRead = () => undefined,
    onStreams = () => undefined,
    stopAfter = Number.POSITIVE_INFINITY,
    signal,
  }: VerifyOptions,
): Promise<OpenVerifiedLog> {
  const { seals, problems: sealProblems } = checkSeals(sources, sealKeysOf(auditKey))
  for await (const page of sealedHeads) {
    for (const { stream, sequence, revision, hash } of page)
      spool.add(stream, { sequence, revision, hash })
    await spool.writeIfFull()
  }

  const macKey = macKeyOf(auditKey)
  let [events, forged, epoch] = [0, 0, 0]
  let position: Position | null = null
  for await (const page of store.readAll(null)) {
    signal?.throwIfAborted()
    for (const event of page) {
      while (events >= (seals[epoch]?.events ?? Number.POSITIVE_INFINITY)) epoch += 1
      const isForged = !hasGenuineMac(event, macKey)
      spool.add(event.stream, segmentOf(event, { hash: hashOf(event), epoch, isForged }))
      if (isForged) forged += 1
      events += 1
    }
    position = page.at(-1)?.position ?? position
    await spool.writeIfFull()
    for (const check of checks) await check.page(page)
    onEvents(page.length)
  }
  onRead()
  const checked: CheckedSubject[] = []
  for (const check of checks) checked.push({ subject: check.subject, ...(await check.end()) })

  const isOfAnotherKey = events > 0 && forged === events
  const comparison = createSealComparison(seals, sealProblems.length > 0)
  const problems: StreamProblem[] = []
  let [streams, streamsWithProblems, visited] = [0, 0, 0]
  for await (const { key: stream, values } of spool.sorted()) {
    const segments = values.filter(isSegment)
    const sealed = values
      .filter(isSealedHead)
      .map((value) => ({ ...value, sealedAt: seals[value.sequence - 1]?.sealedAt ?? '' }))
    if (segments.length > 0) streams += 1
    visited += 1
    if (visited % 1_000 === 0) {
      signal?.throwIfAborted()
      onStreams(1_000)
    }
    const agrees = comparison.add(stream, segments, sealed)
    const isChained = isWhole(segments)
    const isForged = !isOfAnotherKey && segments.some((segment) => segment.isForged)
    if (isChained && agrees && !isForged) continue
    const stored = await store.readStream(stream)
    const problem =
      explainStream(stream, stored, sealed, isOfAnotherKey ? null : macKey) ??
      (isChained ? null : moved(stream))
    if (problem === null) continue
    streamsWithProblems += 1
    if (problems.length < maxProblems) problems.push(problem)
    if (streamsWithProblems >= stopAfter) break
  }
  onStreams(visited % 1_000)
  return {
    events,
    streams,
    position,
    seals,
    problems,
    streamsWithProblems,
    sealProblems: [...sealProblems, ...comparison.problems({ events })],
    isOfAnotherKey,
    checked,
    async *heads() {
      for await (const { key: stream, values } of spool.sorted()) {
        const last: Segment | undefined = values.filter(isSegment).at(-1)
        if (last === undefined) continue
        const { revision, hash } = last
        yield { stream, revision, hash, isNew: last.epoch === seals.length }
      }
    },
  }
}
