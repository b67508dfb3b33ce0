import type { AcceptedFindings, CloseEvent } from '#contracts/events/close'
import type { Instant } from '#contracts/instant'
import type { ProvenLog } from '#services/event-store/audit/proven-log'
import type { EventCodec } from '#services/event-store/encryption/codec'
import { addMonths, monthsBetween, parseMonth, type Month } from '#services/finance/calendar'
import { firstMonth } from '#services/finance/closing/close-decider'
import { categoryOf, closeStream, streamOwner } from '#services/foundation/stream-names'

/** The close of a month, as its stream has it. */
export interface MonthClose {
  readonly month: Month
  readonly timeZone: string
  readonly cutOffEventId: string
  /** What the operator accepted at the close. Null if every check passed. */
  readonly accepted: AcceptedFindings | null
  /** Null while the totals are not recorded: the close was interrupted. */
  readonly closed:
    | (Extract<CloseEvent, { type: 'MonthClosed' }>['data'] & { readonly at: Instant })
    | null
}

/** The close of a month that was not interrupted. */
export type FinishedClose = MonthClose & { readonly closed: NonNullable<MonthClose['closed']> }

export function isFinished(close: MonthClose): close is FinishedClose {
  return close.closed !== null
}

export interface CloseLog {
  readonly store: ProvenLog
  /** A codec without personal keys: no close needs a personal field. */
  readonly codec: Pick<EventCodec, 'decode' | 'decodeStream'>
}

const streamsAtOnce = 24

/**
 * The closes of all months, in the order of months. `expected` is the last month that can be closed
 * by the clock: the streams of all months up to it are read, and of the months after the last close
 * as far as they were closed.
 *
 * The clock can be behind the log: its stored time is no part of an export, of a copy or of a log
 * in EventStoreDB. So if no month is closed up to `expected`, the log is read for a later close,
 * and `onEvents` gets the number of events of each page. Only an empty result means that no month
 * is closed.
 * @throws UnreadableEvent
 */
export async function readCloses(
  log: CloseLog,
  expected: Month,
  onEvents: (count: number) => void = () => undefined,
): Promise<readonly MonthClose[]> {
  const months = monthsBetween(firstMonth, expected)
  const closes: MonthClose[] = []
  for (let index = 0; index < months.length; index += streamsAtOnce) {
    const read = months.slice(index, index + streamsAtOnce).map((month) => readClose(log, month))
    closes.push(...(await Promise.all(read)).filter((close) => close !== null))
  }
  const after = addMonths(expected, 1)
  // Months close in order, without a gap.
  const next = closes.length > 0 ? after : await firstCutAfter(log, after, onEvents)
  if (next === null) return closes
  for (let month = next; ; month = addMonths(month, 1)) {
    const close = await readClose(log, month)
    if (close === null) return closes
    closes.push(close)
  }
}

/** The earliest month from `from` on that was cut off. Null without one. Reads the whole log. */
async function firstCutAfter(
  { store }: CloseLog,
  from: Month,
  onEvents: (count: number) => void,
): Promise<Month | null> {
  let first: Month | null = null
  for await (const page of store.readAll(null)) {
    for (const { stream, type } of page) {
      if (type !== 'MonthCutOff' || categoryOf(stream) !== 'close') continue
      const month = parseMonth(streamOwner(stream))
      if (month !== null && month >= from && (first === null || month < first)) first = month
    }
    onEvents(page.length)
  }
  return first
}

/** Null if the month was not cut off. */
async function readClose({ store, codec }: CloseLog, month: Month): Promise<MonthClose | null> {
  const events = await codec.decodeStream(await store.readStream(closeStream(month)))
  const cut = events.find((event) => event.type === 'MonthCutOff')
  if (cut === undefined) return null
  const closed = events.find((event) => event.type === 'MonthClosed')
  return {
    month,
    timeZone: cut.data.timeZone,
    cutOffEventId: cut.id,
    accepted: cut.data.accepted ?? null,
    closed: closed === undefined ? null : { ...closed.data, at: closed.metadata.occurredAt },
  }
}
