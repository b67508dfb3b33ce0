import { monthOf, type Day, type Month } from '../calendar.ts'
import type { Account } from './accounts.ts'
import { adjustedMonth, type BookingTime } from './booking-time.ts'

/** What an entry records. docs/finance.md lists the postings of each kind. */
export type EntryKind =
  | 'sale'
  | 'credit-invoice'
  | 'settlement'
  | 'recognition'
  | 'unpaid-invoice'
  | 'refund'
  | 'refund-reversal'
  | 'credit-note'
  | 'credit-note-void'
  | 'dispute'
  | 'dispute-won'
  | 'dispute-lost'
  | 'dispute-fee'
  | 'platform-fee'
  | 'platform-fee-return'

/** A debit is positive, a credit is negative. Minor units of the entry's currency. */
export interface Line {
  readonly account: Account
  readonly amount: number
}

/** One balanced booking: the amounts of its lines add up to 0. */
export interface Entry {
  /** Stable: `<event id>/<kind>`, and `<event id>/recognition/<yyyy-mm>`. */
  readonly entryId: string
  readonly eventId: string
  readonly kind: EntryKind
  readonly date: Day
  readonly currency: string
  /** Null for a fee on payments of clients, and for a payment that the log does not contain. */
  readonly planName: string | null
  /** The closed month to which the booking belongs; null if that month was open. */
  readonly adjusts: Month | null
  readonly lines: readonly Line[]
}

/** The event that is booked. */
export interface BookingSource {
  readonly eventId: string
  readonly time: BookingTime
}

/** Whose money it is: an entry has one currency and one plan. */
export interface Origin {
  readonly currency: string
  readonly planName: string | null
}

/** None if nothing moves. `part` distinguishes entries of one kind and event. */
export function entriesOf(
  { eventId, time }: BookingSource,
  kind: EntryKind,
  { currency, planName }: Origin,
  lines: readonly Line[],
  part?: string,
): readonly Entry[] {
  const moved = lines.filter(({ amount }) => amount !== 0)
  if (moved.length === 0) return []
  return [
    {
      entryId: part === undefined ? `${eventId}/${kind}` : `${eventId}/${kind}/${part}`,
      eventId,
      kind,
      date: time.date,
      currency,
      planName,
      adjusts: adjustedMonth(monthOf(time.occurredOn), time),
      lines: moved,
    },
  ]
}

/** The same lines on the other side. */
export function reversed(lines: readonly Line[]): readonly Line[] {
  return lines.map(({ account, amount }) => ({ account, amount: -amount }))
}
