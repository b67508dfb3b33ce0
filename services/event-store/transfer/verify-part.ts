import { createSortedSpool, type SortedSpool } from '#services/foundation/spool/sorted-spool'
import {
  isSegment,
  isWhole,
  joinSegments,
  segmentOf,
  type Segment,
  type StreamRecord,
} from '../audit/chain-segment.ts'
import { hashOf } from '../audit/hash-chain.ts'
import { explainBreak, type ChainProblem } from '../audit/verify-chain.ts'
import type { EventStore, Position } from '../event-store.ts'

type Readable = Pick<EventStore, 'readAll' | 'readStream'>

export interface VerifiedPart {
  /** The position of the last event. Null: there is no event after the start. */
  readonly end: Position | null
  /** Number of streams that begin in the part. */
  readonly streams: number
  readonly problems: readonly ChainProblem[]
}

/** The number of broken chains that are explained. */
const maxProblems = 1_000

/**
 * Verifies the hash chains of the events after `after`, up to the last event at the time of the
 * call. The chains of the events before were verified earlier.
 * @throws StartupError if the disk of the temporary files is full
 */
export async function verifyPart(
  log: Readable,
  after: Position | null,
  onEvents: (count: number) => void = () => undefined,
): Promise<VerifiedPart> {
  const chains = createSortedSpool<StreamRecord>({ combine: joinSegments })
  try {
    let end: Position | null = null
    for await (const page of log.readAll(after)) {
      for (const event of page)
        chains.add(
          event.stream,
          segmentOf(event, { hash: hashOf(event), epoch: 0, isForged: false }),
        )
      await chains.writeIfFull()
      end = page.at(-1)?.position ?? end
      onEvents(page.length)
    }
    return { end, ...(await verifyChains(log, chains)) }
  } finally {
    await chains.remove()
  }
}

async function verifyChains(
  log: Readable,
  chains: SortedSpool<StreamRecord>,
): Promise<Omit<VerifiedPart, 'end'>> {
  const problems: ChainProblem[] = []
  let streams = 0
  for await (const { key: stream, values } of chains.sorted()) {
    const segments = values.filter(isSegment)
    if (segments[0]?.firstRevision === 0) streams += 1
    if (await holds(log, stream, segments)) continue
    problems.push(await problemOf(log, stream, segments))
    if (problems.length === maxProblems) break
  }
  return { streams, problems }
}

async function holds(
  log: Readable,
  stream: string,
  segments: readonly Segment[],
): Promise<boolean> {
  const first = segments[0]?.firstRevision ?? 0
  const [previous] = first === 0 ? [] : await log.readStream(stream, first - 1, 1)
  return isWhole(
    segments,
    previous === undefined ? null : { revision: previous.revision, hash: hashOf(previous) },
  )
}

async function problemOf(
  log: Readable,
  stream: string,
  segments: readonly Segment[],
): Promise<ChainProblem> {
  const text = `The position order of the events of '${stream}' differs from their revision order.`
  return (
    explainBreak(await log.readStream(stream)) ?? {
      stream,
      kind: 'moved',
      revision: segments[0]?.firstRevision ?? 0,
      eventId: null,
      text,
    }
  )
}
