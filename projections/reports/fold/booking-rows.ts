import { monthOf, monthsBetween, type Day, type Month } from '#services/finance/calendar'
import type { Entry, EntryKind } from '#services/finance/ledger/entry'
import { lastServiceDay } from '#services/finance/ledger/recognition'
import type { Queryable } from '#services/foundation/queryable'
import { bookingText } from '../stored-booking.ts'
import type { Place } from './contribution-rows.ts'
import type { DatedBooking } from './facts-of.ts'

/** The rows of bookings of a batch. */
export interface BookingRows {
  add(place: Place, booking: DatedBooking): void
  save(): Promise<void>
}

export function createBookingRows(tx: Queryable, schema: string): BookingRows {
  const rows: (Place & { readonly booking: DatedBooking; readonly until: Day })[] = []
  const months = new Map<Month, { readonly first: number; last: number }>()
  return {
    add(place, booking) {
      const until = lastDayWithEntry(booking)
      rows.push({ ...place, booking, until })
      for (const month of monthsBetween(monthOf(booking.time.date), monthOf(until))) {
        const known = months.get(month)
        if (known === undefined) months.set(month, { first: place.seq, last: place.seq })
        else known.last = place.seq
      }
    },
    async save() {
      if (rows.length === 0) return
      await tx.query(
        `INSERT INTO ${schema}.booking (seq, event_id, user_id, stream, revision, occurred_on, date, closed_through, until, is_rare, body)
         SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::text[], $10::boolean[], $11::text[])`,
        [
          rows.map(({ seq }) => seq),
          rows.map(({ eventId }) => eventId),
          rows.map(({ userId }) => userId),
          rows.map(({ stream }) => stream),
          rows.map(({ revision }) => revision),
          rows.map(({ booking }) => booking.time.occurredOn),
          rows.map(({ booking }) => booking.time.date),
          rows.map(({ booking }) => booking.time.closedThrough),
          rows.map(({ until }) => until),
          rows.map(({ booking }) => !booking.entries.every(isOrdinary)),
          rows.map(({ booking }) => bookingText(booking)),
        ],
      )
      await tx.query(
        `INSERT INTO ${schema}.booking_month AS m (month, first_seq, last_seq)
         SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
         ON CONFLICT (month) DO UPDATE SET first_seq = least(m.first_seq, excluded.first_seq), last_seq = greatest(m.last_seq, excluded.last_seq)`,
        [
          [...months.keys()],
          [...months.values()].map(({ first }) => first),
          [...months.values()].map(({ last }) => last),
        ],
      )
    },
  }
}

function lastDayWithEntry({ schedule, time }: DatedBooking): Day {
  const end = schedule === null ? time.date : lastServiceDay(schedule)
  return end > time.date ? end : time.date
}

const ordinaryKinds: ReadonlySet<EntryKind> = new Set([
  'sale',
  'settlement',
  'unpaid-invoice',
  'platform-fee',
  'platform-fee-return',
])

/** Most entries. The others have an index, so that a query finds the few of them. */
function isOrdinary({ kind, lines }: Entry): boolean {
  return ordinaryKinds.has(kind) && lines.every(({ account }) => account !== 'customer_balance')
}
