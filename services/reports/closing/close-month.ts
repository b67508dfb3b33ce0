import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { AcceptedFindings } from '#contracts/events/close'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import { monthOf, type Month } from '#services/finance/calendar'
import { closeDecider, type CloseRefusal } from '#services/finance/closing/close-decider'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import type { Clock } from '#services/foundation/clock'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { StartupError } from '#services/foundation/startup-error'
import { closeStream } from '#services/foundation/stream-names'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { deleteClosedEvents, writeClosedEvents } from './closed-event-table.ts'
import { readCloses, type CloseLog, type FinishedClose, type MonthClose } from './closes.ts'
import { createMonthReader, type MonthReader, type MonthToRead } from './read-month.ts'

export interface ClosingParts extends CloseLog {
  readonly commands: Pick<CommandHandler, 'handle' | 'load'>
  readonly pool: pg.Pool
  /** The business clock. */
  readonly clock: Clock
  readonly timeZone: TimeZone
  /** Receives the number of events of each page of the log. */
  readonly onEvents?: (count: number) => void
}

type ClosingResult =
  | { readonly kind: 'closed'; readonly close: FinishedClose }
  | { readonly kind: 'refused'; readonly refusal: CloseRefusal }

/**
 * Computes the figures of the month from the log, cuts the month off and records them. A cut cannot
 * be taken back, so the whole log is read before it: what the close cannot read stops it without a
 * change. No event can be missed: the events that were appended meanwhile are read up to the cut,
 * and an event after it is an adjustment. A run that was interrupted after the cut is completed by
 * the next run. Let one process run at a time. `accepted` is what the checks before the close found
 * and the operator accepted; the event MonthCutOff records it.
 * @throws EventStoreUnavailable
 * @throws UnreadableEvent. Only an event that is appended between the read and the cut leaves a
 *   cut: a run of a release that can read the event completes the close.
 */
export async function closeMonth(
  parts: ClosingParts,
  month: Month,
  accepted: AcceptedFindings | null = null,
): Promise<ClosingResult> {
  const { commands, clock, timeZone } = parts
  const now = () => clock.now().toISOString()
  const { earlier, refusal } = await prepareClose(parts, month)
  if (refusal !== null) return { kind: 'refused', refusal }
  const last = lastOf(earlier)
  const ofClose = { decider: closeDecider, stream: closeStream(month) }
  const cutOffMonth = () =>
    ({ type: 'cut-off-month', month, timeZone, last, accepted, at: now() }) as const

  const isFirst = earlier.every((close) => close.month >= month)
  const cutBefore = earlier.find((close) => close.month === month)
  const { figures, cutOffEventId } = await recordEvents(
    parts,
    { month, isFirst, timeZone },
    async (reader) => {
      // An interrupted close has the cut already.
      if (cutBefore !== undefined) return cutBefore.cutOffEventId
      await reader.readToEnd()
      return cutOffNow()
    },
  )
  const data = { month, cutOffEventId, ...figures, totals: [...figures.totals] }
  const closedAt = now()
  const closing = await commands.handle({
    ...ofClose,
    command: { type: 'close-month', closed: data, at: closedAt },
    context: byOperator(),
  })
  if (closing.kind === 'refused') return closing
  return {
    kind: 'closed',
    close: {
      month,
      timeZone,
      cutOffEventId,
      accepted: cutBefore === undefined ? accepted : cutBefore.accepted,
      closed: { ...data, at: closedAt },
    },
  }

  async function cutOffNow(): Promise<string> {
    const { events } = await commands.handle({
      ...ofClose,
      command: cutOffMonth(),
      context: byOperator(),
    })
    const id = events[0]?.id
    if (id !== undefined) return id
    throw new StartupError(
      `Another process cut off ${month} meanwhile. Run the command again when that process has ended.`,
    )
  }
}

/** What a close of the month begins with. */
export interface PreparedClose {
  /** The closes of all months. An interrupted close of the month is one of them. */
  readonly earlier: readonly MonthClose[]
  /** Why the month cannot be closed now. Null if it can. */
  readonly refusal: CloseRefusal | null
}

/** Reads the closes and decides whether the month can be closed. Changes nothing. */
export async function prepareClose(
  parts: Pick<ClosingParts, 'store' | 'codec' | 'commands' | 'clock' | 'timeZone'>,
  month: Month,
): Promise<PreparedClose> {
  const { commands, clock, timeZone } = parts
  const at = clock.now().toISOString()
  const earlier = await readCloses(parts, monthOf(daysIn(timeZone)(at)))
  const { state } = await commands.load({ decider: closeDecider, stream: closeStream(month) })
  const last = lastOf(earlier)
  const command = { type: 'cut-off-month', month, timeZone, last, accepted: null, at } as const
  const decision = closeDecider.decide(command, state)
  return { earlier, refusal: decision.kind === 'refused' ? decision.refusal : null }
}

/**
 * Reads the month and writes the hashes of its events, in place of those of an interrupted run.
 * `findCut` returns the id of the event that cut off the month, and may read the log before.
 */
export function recordEvents(
  { pool, store, codec, onEvents }: Pick<ClosingParts, 'pool' | 'store' | 'codec' | 'onEvents'>,
  toRead: MonthToRead,
  findCut: (reader: MonthReader) => Promise<string>,
) {
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    await deleteClosedEvents(tx, toRead.month)
    const reader = createMonthReader({ store, codec }, toRead, {
      onClosedEvents: (events) => writeClosedEvents(tx, toRead.month, events),
      onEvents,
    })
    const cutOffEventId = await findCut(reader)
    const figures = await reader.readToCut(cutOffEventId)
    if (figures === null) throw withoutCut(toRead.month)
    return { figures, cutOffEventId }
  })
}

function lastOf(closes: readonly MonthClose[]) {
  const last = closes.at(-1)
  if (last === undefined) return null
  return { month: last.month, timeZone: last.timeZone, isClosed: last.closed !== null }
}

function withoutCut(month: Month): DamagedHistory {
  return new DamagedHistory(
    `The log does not have the event MonthCutOff of ${month}. Run 'billing events verify'.`,
  )
}

function byOperator(): CommandContext {
  const commandId = randomUUID()
  return {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', id: 'operator' },
    source: 'system',
  }
}
