import type { Account } from '#services/finance/ledger/accounts'
import type { Booking } from '#services/finance/ledger/books'
import {
  entriesOf,
  type BookingSource,
  type Entry,
  type EntryKind,
} from '#services/finance/ledger/entry'
import type { Schedule } from '#services/finance/ledger/schedule'

/*
 * A booking as JSON, without what all of its entries share: the event and the time. The texts of
 * plans, currencies, kinds and accounts are in it as JSON writes them, so that a query can leave
 * out bookings without one of these texts.
 */

type StoredEntry = readonly [
  kind: EntryKind,
  part: string | null,
  currency: string,
  planName: string | null,
  lines: readonly (readonly [Account, number])[],
]
type StoredPart = readonly [amount: number, from: number, to: number, after: number]
type StoredSchedule = readonly [
  currency: string,
  planName: string | null,
  parts: readonly StoredPart[],
]
type StoredBooking = readonly [entries: readonly StoredEntry[], schedule: StoredSchedule | null]

export function bookingText({ entries, schedule }: Booking): string {
  const stored: StoredBooking = [
    entries.map((entry) => [
      entry.kind,
      partOf(entry),
      entry.currency,
      entry.planName,
      entry.lines.map(({ account, amount }) => [account, amount]),
    ]),
    schedule && [
      schedule.currency,
      schedule.planName,
      schedule.parts.map(({ amount, from, to, after }) => [amount, from, to, after]),
    ],
  ]
  return JSON.stringify(stored)
}

/** What follows the kind in the id of an entry. */
function partOf({ entryId, eventId, kind }: Entry): string | null {
  const common = `${eventId}/${kind}`.length
  return entryId.length === common ? null : entryId.slice(common + 1)
}

export function bookingOf(text: string, source: BookingSource): Booking {
  // The same version of the read model wrote it.
  const [entries, schedule] = JSON.parse(text) as StoredBooking
  return {
    entries: entries.flatMap(([kind, part, currency, planName, lines]) =>
      entriesOf(
        source,
        kind,
        { currency, planName },
        lines.map(([account, amount]) => ({ account, amount })),
        part ?? undefined,
      ),
    ),
    schedule: schedule && scheduleOf(schedule, source),
  }
}

function scheduleOf([currency, planName, parts]: StoredSchedule, source: BookingSource): Schedule {
  return {
    ...source,
    currency,
    planName,
    parts: parts.map(([amount, from, to, after]) => ({ amount, from, to, after })),
  }
}
