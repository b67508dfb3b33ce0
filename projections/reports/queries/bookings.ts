import { z } from 'zod'
import { parseDay, parseMonth, type Day, type Month } from '#services/finance/calendar'
import type { Entry } from '#services/finance/ledger/entry'
import { entriesThrough } from '#services/finance/ledger/ledger'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import { bookingOf } from '../stored-booking.ts'
import { schema } from './served.ts'

const bookingRow = z.object({
  seq: integerColumn,
  event_id: z.string(),
  user_id: z.string(),
  stream: z.string(),
  revision: z.int(),
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
  readonly stream: string
  readonly revision: number
  readonly entries: readonly Entry[]
}

export interface WantedBookings {
  /** The bookings after this one, and itself. */
  readonly fromSeq: number
  /** The last day that counts. */
  readonly through: Day
  /** Bookings with an entry in these months. Null: from the first month. */
  readonly first: Month | null
  /** Whether the entry of the event itself is in these months, not only recognition. */
  readonly isBookedThere: boolean
  /** Bookings after a close: an entry can be an adjustment. */
  readonly isAfterClose: boolean
  /** Bookings of the few that give money back, or move a customer's balance. */
  readonly isRare: boolean
  /** Bookings that contain all of these texts as JSON. They can contain more than is wanted. */
  readonly texts: readonly string[]
  /** Null: of all events. */
  readonly eventId: string | null
  /** The last booking. Null: no limit. */
  readonly lastSeq: number | null
}

/** The bookings in the order of the log, `limit` at most. */
export async function readBookings(
  db: Queryable,
  {
    fromSeq,
    through,
    first,
    isBookedThere,
    isAfterClose,
    isRare,
    texts,
    ...wanted
  }: WantedBookings,
  limit: number,
): Promise<readonly BookedEntries[]> {
  const { first_seq, last_seq } = await oneRow(
    db,
    rangeRow,
    `SELECT coalesce(min(first_seq), 0) AS first_seq, coalesce(max(last_seq), 0) AS last_seq
     FROM ${schema}.booking_month WHERE ($1::text IS NULL OR month >= $1) AND month <= $2`,
    [first, through.slice(0, 7)],
  )
  const rows = await allRows(
    db,
    bookingRow,
    `SELECT seq, event_id, user_id, stream, revision, occurred_on, date, closed_through, body FROM ${schema}.booking
     WHERE seq BETWEEN $1 AND $2 AND date <= $3
       AND ($4::text IS NULL OR ${isBookedThere ? 'date' : 'until'} >= $4)
       ${isRare ? 'AND is_rare' : ''} ${isAfterClose ? 'AND closed_through IS NOT NULL' : ''}
       ${wanted.eventId === null ? '' : `AND event_id = $${texts.length + 6}`}
       ${texts.map((_, index) => `AND strpos(body, $${index + 6}) > 0`).join(' ')}
     ORDER BY seq LIMIT $5`,
    [
      Math.max(fromSeq, first_seq),
      Math.min(wanted.lastSeq ?? last_seq, last_seq),
      through,
      first,
      limit,
      ...texts.map((text) => JSON.stringify(text)),
      ...(wanted.eventId === null ? [] : [wanted.eventId]),
    ],
  )
  return rows.map(({ seq, user_id: userId, event_id: eventId, stream, revision, ...row }) => {
    const time = {
      occurredOn: row.occurred_on,
      date: row.date,
      closedThrough: row.closed_through,
    }
    return {
      seq,
      userId,
      stream,
      revision,
      entries: entriesThrough(bookingOf(row.body, { eventId, time }), through),
    }
  })
}

const rangeRow = z.object({ first_seq: integerColumn, last_seq: integerColumn })
