import { monthOf, monthsBetween, type Day, type Month } from '#services/finance/calendar'
import type { Booking } from '#services/finance/ledger/books'
import { lastServiceDay } from '#services/finance/ledger/recognition'
import { isEarning } from '#services/finance/ledger/recognized'
import { atOnce } from '#services/foundation/at-once'
import type { Queryable } from '#services/foundation/queryable'
import { bookingText } from '../stored-booking.ts'
import type { Place } from './place-rows.ts'
import type { DatedBooking } from './effects-of.ts'

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
      await atOnce(
        () =>
          tx.query(
            `INSERT INTO ${schema}.booking (seq, event_id, user_id, occurred_on, date, closed_through, until, is_earning, body)
         SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::text[])`,
            [
              rows.map(({ seq }) => seq),
              rows.map(({ eventId }) => eventId),
              rows.map(({ userId }) => userId),
              rows.map(({ booking }) => booking.time.occurredOn),
              rows.map(({ booking }) => booking.time.date),
              rows.map(({ booking }) => booking.time.closedThrough),
              rows.map(({ until }) => until),
              rows.map(({ booking }) => earningCurrency(booking) !== null),
              rows.map(({ booking }) => bookingText(booking)),
            ],
          ),
        () =>
          tx.query(
            `INSERT INTO ${schema}.booking_month AS m (month, first_seq, last_seq)
         SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
         ON CONFLICT (month) DO UPDATE SET first_seq = least(m.first_seq, excluded.first_seq), last_seq = greatest(m.last_seq, excluded.last_seq)`,
            [
              [...months.keys()],
              [...months.values()].map(({ first }) => first),
              [...months.values()].map(({ last }) => last),
            ],
          ),
      )
    },
  }
}

function lastDayWithEntry({ schedule, time }: DatedBooking): Day {
  const end = schedule === null ? time.date : lastServiceDay(schedule)
  return end > time.date ? end : time.date
}

/** The currency in which a booking defers or recognizes revenue. Null: it does neither. */
export function earningCurrency({ entries, schedule }: Booking): string | null {
  return schedule?.currency ?? entries.find(isEarning)?.currency ?? null
}
