import type { KeyObject } from 'node:crypto'
import { createMerkleTree } from '#services/event-store/audit/merkle-tree'
import { leafOf, type Seal } from '#services/event-store/audit/seal'
import {
  erasedSubject,
  type KeyForReading,
  type PersonalKeys,
} from '#services/event-store/encryption/personal-keys'
import { howToRestoreKeys } from '#services/event-store/errors'
import { firstDayOf, lastDayOf, type Day } from '#services/finance/calendar'
import { daysIn } from '#services/finance/time-zone'
import { createSortedSpool, type SortedSpool } from '#services/foundation/spool/sorted-spool'
import { StartupError, UsageError } from '#services/foundation/startup-error'
import { categoryOf, streamOwner } from '#services/foundation/stream-names'
import { bookStreams } from './book-streams.ts'
import type { RoomRequest } from './room-request.ts'
import { createRoomTotals } from './room-totals.ts'
import { roomLines } from './room-lines.ts'
import { createSample } from './sample.ts'
import {
  combineRecords,
  readSealedLog,
  sealedStreams,
  type LogSource,
  type RoomRecord,
} from './sealed-log.ts'

export interface RoomSource extends LogSource {
  /** The genuine seals, from the first to the newest. */
  readonly seals: readonly Seal[]
  readonly keys: Pick<PersonalKeys, 'forReading'>
  /** Called when the whole log was read. */
  readonly onRead?: () => void
  /** Receives the number of streams, of which the room reads each one twice. */
  readonly onStreams?: (count: number) => void
  /** The number of values in memory. The others are in temporary files. */
  readonly capacity?: number
}

/** A room that can be written. */
export interface AuditRoom {
  readonly seal: Seal
  readonly through: Day
  /** The sampled customers. */
  readonly customers: readonly string[]
  readonly eventsAfterSeal: number
  /** The text of the file, line by line. */
  lines(): AsyncGenerator<string>
}

/** An event is about 2 kB. */
const eventsInMemory = 10_000

/**
 * Prepares the books of a period, with the proofs that nothing of the sealed log was left out. The
 * log is read once, in constant memory. `work` writes the room while the temporary files exist.
 * @throws UsageError if the newest seal does not cover the period
 * @throws StartupError if the log is not what the newest seal covers
 */
export async function withAuditRoom<Result>(
  source: RoomSource,
  request: RoomRequest,
  work: (room: AuditRoom) => Promise<Result>,
): Promise<Result> {
  const { seal, through } = sealedPeriod(source.seals, request)
  const { capacity = eventsInMemory } = source
  const spool = createSortedSpool<RoomRecord>({ combine: combineRecords, capacity })
  try {
    return await work(await prepare(spool, source, { ...request, seal, through }))
  } finally {
    await spool.remove()
  }
}

/** The newest seal, and the last day that it covers in the period. */
export function sealedPeriod(
  seals: readonly Seal[],
  { from, to, timeZone }: Pick<RoomRequest, 'from' | 'to' | 'timeZone'>,
): { readonly seal: Seal; readonly through: Day } {
  const seal = seals.at(-1)
  if (seal === undefined)
    throw new UsageError(
      "The log has no seal, so nothing can be proved. Run 'billing events seal'.",
    )
  if (from > to) throw new UsageError(`--from ${from} is after --to ${to}. Exchange them.`)
  const sealedOn = daysIn(timeZone)(seal.sealedAt)
  if (firstDayOf(to) > sealedOn)
    throw new UsageError(
      `--to ${to} is after the newest seal, of ${seal.sealedAt}. Run 'billing events seal' first, or name an earlier month.`,
    )
  const end = lastDayOf(to)
  return { seal, through: end < sealedOn ? end : sealedOn }
}

async function prepare(
  spool: SortedSpool<RoomRecord>,
  source: RoomSource,
  request: RoomRequest & { readonly seal: Seal; readonly through: Day },
): Promise<AuditRoom> {
  const { seals, keys, onRead = () => undefined, onStreams = () => undefined } = source
  const { seal, through, timeZone } = request
  const log = await readSealedLog(spool, seals, timeZone, source)
  onRead()

  const book = bookStreams(source.codec, { timeZone, through, cuts: log.cuts })
  const sample = createSample(request.sample, seal.heads.root, request.seed)
  const totals = createRoomTotals(request.from, through)
  const tree = createMerkleTree()
  for await (const stream of sealedStreams(spool)) {
    source.signal?.throwIfAborted()
    const [, revision = -1, hash = ''] = stream.heads.at(-1) ?? []
    tree.add(leafOf({ stream: stream.name, revision, hash }))
    if (!stream.isWhole)
      throw new StartupError(
        `The events of ${stream.name} are not one chain: an event was changed. Run 'billing events verify'.`,
      )
    const entries = (await book(stream)).flatMap((booked) => booked.entries)
    entries.forEach(totals.add)
    const isOfCustomer = categoryOf(stream.name) === 'billing'
    if (isOfCustomer && entries.some(({ date }) => date >= firstDayOf(request.from)))
      sample.add(streamOwner(stream.name))
    onStreams(1)
  }
  if (tree.root() !== seal.heads.root)
    throw new StartupError(
      `The log is not what seal ${seal.sequence} of ${seal.sealedAt} covers. Run 'billing events verify'.`,
    )
  const customers = sample.userIds()
  const late = customers.find((userId) => log.erasedAfterSeal.has(userId))
  if (late !== undefined)
    throw new UsageError(
      `The sampled customer ${late} was erased after the newest seal. Run 'billing events seal' first.`,
    )
  const found = await keys.forReading(new Set(customers))
  const lost = customers.find((userId) => !found.has(userId))
  if (lost !== undefined)
    throw new StartupError(
      `The personal key of the sampled customer ${lost} is missing, and the log has no erasure of ${lost}. ${howToRestoreKeys}`,
    )
  return {
    seal,
    through,
    customers,
    eventsAfterSeal: log.eventsAfterSeal,
    lines: () =>
      roomLines(
        { ...request, sample: customers.length, log, seals, totals: totals.rows() },
        {
          customers: customers.map((userId) => ({ userId, key: keyIn(found, userId) })),
          streams: sealedStreams(spool),
          book,
          store: source.store,
          onStreams,
        },
      ),
  }
}

/** Null for an erased customer. */
function keyIn(found: ReadonlyMap<string, KeyForReading>, userId: string): KeyObject | null {
  const key = found.get(userId)
  return key === undefined || key === erasedSubject ? null : key
}
