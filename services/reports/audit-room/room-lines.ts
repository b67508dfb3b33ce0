import type { KeyObject } from 'node:crypto'
import { brand } from '#contracts/brand/brand'
import type { ProvenLog } from '#services/event-store/audit/proven-log'
import type { Seal } from '#services/event-store/audit/seal'
import { decryptField, replaceEncrypted } from '#services/event-store/encryption/encrypted-field'
import type { JsonValue, StreamEvent } from '#services/event-store/event-store'
import type { Day } from '#services/finance/calendar'
import { compareTexts } from '#services/finance/compare-texts'
import type { Entry } from '#services/finance/ledger/entry'
import { categoryOf, streamOwner } from '#services/foundation/stream-names'
import type { RoomRequest } from './room-request.ts'
import type { BookStream } from './book-streams.ts'
import type { RoomTotal } from './room-totals.ts'
import type { RoomStream, SealedLog } from './sealed-log.ts'

/** `sample` is the size of the sample: at most the number of customers with money in the period. */
export interface RoomFigures extends RoomRequest {
  readonly through: Day
  readonly log: SealedLog
  readonly seals: readonly Seal[]
  readonly totals: readonly RoomTotal[]
}

export interface RoomParts {
  /** The sampled customers. An erased customer has no key. */
  readonly customers: readonly { readonly userId: string; readonly key: KeyObject | null }[]
  readonly streams: AsyncIterable<RoomStream>
  readonly book: BookStream
  readonly store: Pick<ProvenLog, 'readStream'>
  readonly onStreams: (count: number) => void
}

/**
 * The lines of the file. Each is a JSON array: its kind and its values, so that a reader needs one
 * pass. docs/finance.md lists the kinds. scripts/verify-audit-room.mjs reads them.
 */
export async function* roomLines(
  { seals, totals, log, ...header }: RoomFigures,
  { customers, streams, book, store, onStreams }: RoomParts,
): AsyncGenerator<string> {
  const { from, to, through, timeZone, computedAt, sample, seed } = header
  const { cuts, eventsAfterSeal } = log
  const keys = new Map(customers.map(({ userId, key }) => [userId, key]))
  let count = 0
  const text = (lines: readonly (readonly unknown[])[]) => {
    count += lines.length
    return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  }
  const format = { format: 'billing-audit-room', version: 1, product: brand.name }
  const period = { from, to, through, timeZone, computedAt }
  yield text([
    ['room', { ...format, ...period, sample, seed, cuts, eventsAfterSeal }],
    ...seals.map((seal) => ['seal', seal]),
    ...customers.map(({ userId, key }) => ['customer', userId, rawKey(key)]),
  ])
  for await (const stream of streams) {
    const { name, heads, money } = stream
    const key = keys.get(streamOwner(name))
    const lines: (readonly unknown[])[] = [['stream', name, heads]]
    if (categoryOf(name) === 'account' && key !== undefined) {
      const [, revision = -1] = heads.at(-1) ?? []
      for (const event of await store.readStream(name, 0, revision + 1))
        lines.push(['event', null, stored(event)], ...readable(event, key))
    }
    for (const { n, event, entries } of money.length === 0 ? [] : await book(stream))
      lines.push(
        ['event', n, stored(event)],
        ...readable(event, key ?? null),
        ...entries.map((entry) => ['entry', inOrder(entry)]),
      )
    yield text(lines)
    onStreams(1)
  }
  yield text(totals.map((total) => ['total', ...total]))
  yield text([['end', count + 1]])
}

/** The order of lines has no meaning: a room has them by account. */
function inOrder({ lines, ...entry }: Entry): Entry {
  return { ...entry, lines: lines.toSorted((a, b) => compareTexts(a.account, b.account)) }
}

/** The event without its position, which a copy of the log does not keep. */
function stored({ id, type, stream, revision, data, metadata }: StreamEvent) {
  return { id, type, stream, revision, data, metadata }
}

/** The personal fields of an event by their path. Nothing without a key. */
function readable({ id, data }: StreamEvent, key: KeyObject | null): readonly unknown[][] {
  if (key === null) return []
  const fields: Record<string, JsonValue> = {}
  replaceEncrypted(data, (field, path) => (fields[path] = decryptField(key, id, path, field)))
  return Object.keys(fields).length === 0 ? [] : [['readable', id, fields]]
}

/** 32 bytes as Base64. */
function rawKey(key: KeyObject | null): string | null {
  return key === null ? null : key.export().toString('base64')
}
