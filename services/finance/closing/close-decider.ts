import type { AcceptedFindings, CloseEvent } from '#contracts/events/close'
import type { Instant } from '#contracts/instant'
import { accepted, refused, unreachable, type Decider } from '#services/foundation/decider'
import { addMonths, dayOfNumber, monthOf, type Month } from '../calendar.ts'
import { daysIn, type TimeZone } from '../time-zone.ts'

type MonthClosed = Extract<CloseEvent, { type: 'MonthClosed' }>['data']

export type CloseState =
  | { readonly kind: 'open' }
  /** The month takes no events, and its totals are not recorded yet. */
  | { readonly kind: 'cut-off' }
  | { readonly kind: 'closed' }

/** The last month that was cut off, of all months. */
export interface LastClose {
  readonly month: Month
  readonly timeZone: string
  readonly isClosed: boolean
}

export type CloseCommand =
  | {
      readonly type: 'cut-off-month'
      readonly month: Month
      readonly timeZone: TimeZone
      /** Null before the first close. */
      readonly last: LastClose | null
      /** What the operator accepted. Null if every check passed. */
      readonly accepted: AcceptedFindings | null
      /** The business clock's time. */
      readonly at: Instant
    }
  | { readonly type: 'close-month'; readonly closed: MonthClosed; readonly at: Instant }

export type CloseRefusal =
  | { readonly reason: 'already-closed' }
  | { readonly reason: 'not-cut-off' }
  | { readonly reason: 'not-ended'; readonly current: Month }
  | { readonly reason: 'too-early'; readonly first: Month }
  /** The close of this month has no totals yet. */
  | { readonly reason: 'unfinished'; readonly month: Month }
  /** Months close in order: `next` follows `last`. */
  | { readonly reason: 'out-of-order'; readonly last: Month; readonly next: Month }
  | { readonly reason: 'other-time-zone'; readonly timeZone: string }

/** No event is earlier. So the closes are found by the names of their streams. */
export const firstMonth: Month = monthOf(dayOfNumber(0))

/**
 * The rules of the close of one month. A month is cut off first, and closed when its totals are
 * known. Months close once, after they ended, in order and in one time zone.
 */
export const closeDecider: Decider<'close', CloseState, CloseCommand, CloseEvent, CloseRefusal> = {
  category: 'close',
  initialState: { kind: 'open' },

  evolve(_state, event) {
    switch (event.type) {
      case 'MonthCutOff':
        return { kind: 'cut-off' }
      case 'MonthClosed':
        return { kind: 'closed' }
      default:
        return unreachable(event)
    }
  },

  decide(command, state) {
    const occurredAt = command.at
    if (state.kind === 'closed') return refused({ reason: 'already-closed' })
    switch (command.type) {
      case 'cut-off-month': {
        const refusal = refusalOf(command)
        if (refusal !== null) return refused(refusal)
        // The close was interrupted: its cut stays where it is.
        if (state.kind === 'cut-off') return accepted()
        const { month, timeZone } = command
        const data = {
          month,
          timeZone,
          ...(command.accepted !== null && { accepted: command.accepted }),
        }
        return accepted({ type: 'MonthCutOff', data, occurredAt })
      }
      case 'close-month':
        if (state.kind === 'open') return refused({ reason: 'not-cut-off' })
        return accepted({ type: 'MonthClosed', data: command.closed, occurredAt })
      default:
        return unreachable(command)
    }
  },
}

function refusalOf({
  month,
  timeZone,
  last,
  at,
}: Extract<CloseCommand, { type: 'cut-off-month' }>): CloseRefusal | null {
  if (last !== null && last.timeZone !== timeZone)
    return { reason: 'other-time-zone', timeZone: last.timeZone }
  const current = monthOf(daysIn(timeZone)(at))
  if (month >= current) return { reason: 'not-ended', current }
  if (month < firstMonth) return { reason: 'too-early', first: firstMonth }
  if (last === null || (last.month === month && !last.isClosed)) return null
  if (!last.isClosed) return { reason: 'unfinished', month: last.month }
  const next = addMonths(last.month, 1)
  return month === next ? null : { reason: 'out-of-order', last: last.month, next }
}
