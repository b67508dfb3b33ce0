import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import { monthOf, type Month } from '#services/finance/calendar'
import { closeDecider, type CloseRefusal } from '#services/finance/closing/close-decider'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import type { Clock } from '#services/foundation/clock'
import { closeStream } from '#services/foundation/stream-names'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { deleteClosedEvents, writeClosedEvents } from './closed-event-table.ts'
import { readCloses, type CloseLog, type FinishedClose, type MonthClose } from './closes.ts'
import { readMonth, type MonthToRead } from './read-month.ts'

export interface ClosingParts extends CloseLog {
  readonly commands: Pick<CommandHandler, 'handle'>
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
 * Cuts the month off, computes its figures from the log up to the cut, and records them. No event
 * can be missed: an event before the cut is read, and an event after it is an adjustment. A run
 * that was interrupted after the cut is completed by the next run. Let one process run at a time.
 * @throws EventStoreUnavailable
 */
export async function closeMonth(parts: ClosingParts, month: Month): Promise<ClosingResult> {
  const { commands, clock, timeZone } = parts
  const at = clock.now().toISOString()
  const earlier = await readCloses(parts, monthOf(daysIn(timeZone)(at)))
  const last = lastOf(earlier)
  const stream = closeStream(month)
  const cut = await commands.handle({
    decider: closeDecider,
    stream,
    command: { type: 'cut-off-month', month, timeZone, last, at },
    context: byOperator(),
  })
  if (cut.kind === 'refused') return cut
  const cutOffEventId =
    cut.events[0]?.id ?? earlier.find((close) => close.month === month)?.cutOffEventId
  if (cutOffEventId === undefined) throw withoutCut(month)

  const isFirst = earlier.every((close) => close.month >= month)
  const figures = await recordEvents(parts, { month, isFirst, cutOffEventId, timeZone })
  const data = { month, cutOffEventId, ...figures, totals: [...figures.totals] }
  const closedAt = clock.now().toISOString()
  const closing = await commands.handle({
    decider: closeDecider,
    stream,
    command: { type: 'close-month', closed: data, at: closedAt },
    context: byOperator(),
  })
  if (closing.kind === 'refused') return closing
  return {
    kind: 'closed',
    close: { month, timeZone, cutOffEventId, closed: { ...data, at: closedAt } },
  }
}

/** Reads the month and writes the hashes of its events, in place of those of an interrupted run. */
export function recordEvents(
  { pool, store, codec, onEvents }: Pick<ClosingParts, 'pool' | 'store' | 'codec' | 'onEvents'>,
  toRead: MonthToRead,
) {
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    await deleteClosedEvents(tx, toRead.month)
    const figures = await readMonth({ store, codec }, toRead, {
      onClosedEvents: (events) => writeClosedEvents(tx, toRead.month, events),
      onEvents,
    })
    if (figures === null) throw withoutCut(toRead.month)
    return figures
  })
}

function lastOf(closes: readonly MonthClose[]) {
  const last = closes.at(-1)
  if (last === undefined) return null
  return { month: last.month, timeZone: last.timeZone, isClosed: last.closed !== null }
}

function withoutCut(month: Month): Error {
  return new Error(
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
