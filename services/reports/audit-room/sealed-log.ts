import {
  joinSegments,
  segmentOf,
  isSegment,
  isWhole,
} from '#services/event-store/audit/chain-segment'
import type { StreamRecord } from '#services/event-store/audit/chain-segment'
import { hashOf, linkOf } from '#services/event-store/audit/hash-chain'
import type { ProvenLog } from '#services/event-store/audit/proven-log'
import type { Seal } from '#services/event-store/audit/seal'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { StoredEvent } from '#services/event-store/event-store'
import { createAccountingDates } from '#services/finance/accounting-date'
import { parseMonth, type Month } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import type { SortedSpool } from '#services/foundation/spool/sorted-spool'
import { streamOwner } from '#services/foundation/stream-names'
import { cutOff } from '../closing/cut-off.ts'
import { isInStreamOfFinance, isOfFinance } from '../finance-events.ts'

/** An event of a stream that the ledger reads. */
export interface MoneyEvent {
  /** The number of events before it in the log. */
  readonly n: number
  /** The sequence number of the first seal that covers the event. */
  readonly seal: number
  readonly hash: string
  readonly event: StoredEvent
}

/** What the spool keeps of a stream: the heads of most, the events of streams of finance. */
export type RoomRecord = StreamRecord | MoneyEvent

/** The head of a stream in a seal that found it changed: sequence number, revision, hash. */
type RoomHead = readonly [seal: number, revision: number, hash: string]

/** A stream of the sealed log. */
export interface RoomStream {
  readonly name: string
  readonly heads: readonly RoomHead[]
  /** Whether each event continues its predecessor by revision and hash. */
  readonly isWhole: boolean
  /** Empty for a stream that the ledger does not read, as that of a client without a fee. */
  readonly money: readonly MoneyEvent[]
}

/** The event that closed a month. */
export interface Cut {
  readonly n: number
  readonly eventId: string
  readonly month: Month
}

export interface LogSource {
  readonly store: ProvenLog
  /** A codec without personal keys: the ledger needs no personal field. */
  readonly codec: Pick<EventCodec, 'decode'>
  /** Receives the number of events of each page. */
  readonly onEvents?: (count: number) => void
  readonly signal?: AbortSignal
}

export interface SealedLog {
  /** In the order of the log. */
  readonly cuts: readonly Cut[]
  readonly eventsAfterSeal: number
  /** The users that were erased after the newest seal. */
  readonly erasedAfterSeal: ReadonlySet<string>
}

export function combineRecords(earlier: RoomRecord, later: RoomRecord): RoomRecord | null {
  return isMoney(earlier) || isMoney(later) ? null : joinSegments(earlier, later)
}

/**
 * Reads the log into the spool, as far as the seals cover it. The spool is `combineRecords`.
 * @throws UsageError if a month was closed in another time zone
 */
export async function readSealedLog(
  spool: SortedSpool<RoomRecord>,
  seals: readonly Seal[],
  timeZone: TimeZone,
  { store, codec, onEvents = () => undefined, signal }: LogSource,
): Promise<SealedLog> {
  const dates = createAccountingDates(timeZone)
  const covered = seals.at(-1)?.events ?? 0
  const erasedAfterSeal = new Set<string>()
  const cuts: Cut[] = []
  let [n, epoch] = [0, 0]
  for await (const page of store.readAll(null)) {
    signal?.throwIfAborted()
    for (const event of page) {
      if (n >= covered) {
        if (event.type === 'PersonalDataErased') erasedAfterSeal.add(streamOwner(event.stream))
      } else {
        while (n >= (seals[epoch]?.events ?? Number.POSITIVE_INFINITY)) epoch += 1
        const hash = hashOf(event)
        if (isInStreamOfFinance(event)) spool.add(event.stream, { n, seal: epoch + 1, hash, event })
        else spool.add(event.stream, segmentOf(event, { hash, epoch, isForged: false }))
        if (event.type === 'MonthCutOff')
          for (const cut of await codec.decode([event])) {
            if (cut.type !== 'MonthCutOff') continue
            cutOff(dates, cut.data, timeZone)
            const month = parseMonth(cut.data.month)
            if (month !== null) cuts.push({ n, eventId: cut.id, month })
          }
      }
      n += 1
    }
    await spool.writeIfFull()
    onEvents(page.length)
  }
  return { cuts, eventsAfterSeal: Math.max(0, n - covered), erasedAfterSeal }
}

/** The streams in the order of the seals' Merkle trees. */
export async function* sealedStreams(spool: SortedSpool<RoomRecord>): AsyncGenerator<RoomStream> {
  for await (const { key: name, values } of spool.sorted()) {
    const money = values.filter(isMoney)
    const segments = values.flatMap((record) =>
      isMoney(record) || !isSegment(record) ? [] : [record],
    )
    const heads = [
      ...segments.map(({ epoch, revision, hash }) => [epoch + 1, revision, hash] as const),
      ...money
        .filter(({ seal }, index) => money[index + 1]?.seal !== seal)
        .map(({ seal, event, hash }) => [seal, event.revision, hash] as const),
    ]
    const hasMoney = money.some(({ event }) => isOfFinance(event))
    yield {
      name,
      heads,
      isWhole: isWhole(segments) && isChain(money),
      money: hasMoney ? money : [],
    }
  }
}

function isChain(money: readonly MoneyEvent[]): boolean {
  return money.every(
    ({ event }, index) =>
      event.revision === index && linkOf(event) === (money[index - 1]?.hash ?? null),
  )
}

function isMoney(record: RoomRecord): record is MoneyEvent {
  return 'n' in record
}
