import { z } from 'zod'
import { monthOf, parseDay, parseMonth, type Day } from '#services/finance/calendar'
import type { Entry } from '#services/finance/ledger/entry'
import { entriesThrough } from '#services/finance/ledger/ledger'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow, oneRow } from '#services/foundation/rows'
import { bookingOf } from '../stored-booking.ts'
import { schema } from './served.ts'

const bookingRow = z.object({
  seq: integerColumn,
  event_id: z.string(),
  user_id: z.string(),
  occurred_on: z.string().transform((text, context) => known(parseDay(text), context)),
  date: z.string().transform((text, context) => known(parseDay(text), context)),
  closed_through: z
    .string()
    .nullable()
    .transform((text, context) => (text === null ? null : known(parseMonth(text), context))),
  body: z.string(),
})

function known<Value>(value: Value | null, context: z.core.$RefinementCtx): Value {
  if (value !== null) return value
  context.addIssue('must be a day or a month.')
  return z.NEVER
}

/** The entries of an event, to the last day. */
export interface BookedEntries {
  readonly seq: number
  readonly userId: string
  readonly entries: readonly Entry[]
}

export interface WantedBookings {
  /** The bookings after this one, and itself. */
  readonly fromSeq: number
  /** The last day that counts. */
  readonly through: Day
  /** Bookings with an entry on this day or later. Null: from the first one. */
  readonly from: Day | null
  /** Bookings that defer or recognize revenue. */
  readonly isEarning: boolean
  /** Bookings after a close: an entry can be an adjustment. */
  readonly isAfterClose: boolean
  /** Bookings that contain this text as JSON. They can contain more than is wanted. */
  readonly text: string | null
  /** The last booking. Null: no limit. */
  readonly lastSeq: number | null
}

/** The bookings in the order of the log, `limit` at most. */
export async function readBookings(
  db: Queryable,
  { fromSeq, through, from, isEarning, isAfterClose, text, lastSeq }: WantedBookings,
  limit: number,
): Promise<readonly BookedEntries[]> {
  const last = monthOf(through)
  const first = from === null ? null : monthOf(from)
  const range = await oneRow(
    db,
    rangeRow,
    `SELECT coalesce(min(first_seq), 0) AS first_seq, coalesce(max(last_seq), 0) AS last_seq
     FROM ${schema}.booking_month WHERE ($1::text IS NULL OR month >= $1) AND month <= $2`,
    [first !== null && first > last ? last : first, last],
  )
  const rows = await allRows(
    db,
    bookingRow,
    `SELECT ${columns} FROM ${schema}.booking
     WHERE seq BETWEEN $1 AND $2 AND date <= $3
       AND ($4::text IS NULL OR until >= $4) AND ($5::text IS NULL OR strpos(body, $5) > 0)
       ${isEarning ? 'AND is_earning' : ''} ${isAfterClose ? 'AND closed_through IS NOT NULL' : ''}
     ORDER BY seq LIMIT $6`,
    [
      Math.max(fromSeq, range.first_seq),
      Math.min(lastSeq ?? range.last_seq, range.last_seq),
      through,
      from,
      text === null ? null : JSON.stringify(text),
      limit,
    ],
  )
  return rows.map((row) => bookedEntries(row, through))
}

/** The booking of an event. Null: it books nothing. */
export async function readBooking(
  db: Queryable,
  eventId: string,
  through: Day,
): Promise<BookedEntries | null> {
  const row = await firstRow(
    db,
    bookingRow,
    `SELECT ${columns} FROM ${schema}.booking WHERE event_id = $1`,
    [eventId],
  )
  return row === undefined ? null : bookedEntries(row, through)
}

const columns = 'seq, event_id, user_id, occurred_on, date, closed_through, body'
const rangeRow = z.object({ first_seq: integerColumn, last_seq: integerColumn })

function bookedEntries(
  { seq, user_id: userId, event_id: eventId, ...row }: z.output<typeof bookingRow>,
  through: Day,
): BookedEntries {
  const time = { occurredOn: row.occurred_on, date: row.date, closedThrough: row.closed_through }
  return { seq, userId, entries: entriesThrough(bookingOf(row.body, { eventId, time }), through) }
}
