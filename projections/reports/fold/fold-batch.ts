import type { RecordedEvent } from '#contracts/events/catalogue'
import { recognitionByDay } from '#services/finance/ledger/recognition-by-day'
import { recognitionCounts } from '#services/finance/ledger/recognition-counts'
import { createAccountingDates, type AccountingDates } from '#services/finance/accounting-date'
import { monthOf, parseMonth } from '#services/finance/calendar'
import {
  customerOf,
  isFinanceEvent,
  isPlatformFee,
  type FinanceEvent,
} from '#services/finance/finance-event'
import type { DayOf, TimeZone } from '#services/finance/time-zone'
import { daysIn } from '#services/finance/time-zone'
import { atOnce } from '#services/foundation/at-once'
import type { Queryable } from '#services/foundation/queryable'
import type { Numbered } from '#projections/engine/read-model'
import { createBookingRows, earningCurrency } from './booking-rows.ts'
import { loadClosedMonths } from './closed-months.ts'
import { loadBooks } from './customer-books.ts'
import { loadCustomerStates } from './customer-states.ts'
import { effectsOf } from './effects-of.ts'
import { createFigureRows } from './figure-rows.ts'
import { createPlaceRows } from './place-rows.ts'
import { readProgress, saveProgress, type Progress } from './progress.ts'
import { createRecognitionMonths } from './recognition-months.ts'
import { createSums } from './sums.ts'

interface KnownZone {
  readonly timeZone: TimeZone
  readonly dayOf: DayOf
}

/**
 * Folds a batch. The accounting date of an event follows from the closes with lower numbers, also
 * if the event was parked and later closes are folded. `zone` is that of the first batch; later
 * batches use the stored one.
 */
export async function foldBatch(
  events: readonly Numbered<RecordedEvent>[],
  tx: Queryable,
  schema: string,
  zone: KnownZone,
): Promise<void> {
  const money = events.filter(isFinanceEvent)
  const userIds = [...new Set(money.map(customerOf))]
  // A fee is booked without the books of its merchant, which can be long.
  const ofBooks = money.filter((event) => !isPlatformFee(event))
  const [before, closes, states, books] = await atOnce(
    () => readProgress(tx, schema),
    () => loadClosedMonths(tx, schema),
    () => loadCustomerStates(tx, schema, userIds),
    () => loadBooks(tx, schema, ofBooks),
  )
  const timeZone = before?.timeZone ?? zone.timeZone
  const dates = createAccountingDates(
    timeZone,
    timeZone === zone.timeZone ? zone.dayOf : daysIn(timeZone),
  )
  let hasForeignClose = before?.hasForeignClose ?? false
  let lastSeq = before?.lastSeq ?? 0

  const sums = createSums(tx, schema)
  const recognition = createRecognitionMonths(tx, schema)
  const bookings = createBookingRows(tx, schema)
  const figures = createFigureRows(tx, schema)
  const places = createPlaceRows(tx, schema)

  for (const event of events) {
    if (event.type === 'MonthCutOff') {
      const month = parseMonth(event.data.month)
      if (event.data.timeZone !== timeZone) hasForeignClose = true
      // The contract of the event allows only months.
      else if (month !== null) closes.add(event.number, month)
    }
    if (!isFinanceEvent(event)) continue
    closes.applyBefore(event.number, dates)
    const userId = customerOf(event)
    const { booked, booking, additions } = effectsOf(
      states.of(userId),
      books.of(userId),
      event,
      dates,
    )
    if (booked !== books.of(userId)) books.set(userId, booked)
    if (booking === null && additions.length === 0) continue
    lastSeq = Math.max(lastSeq, event.number)
    const place = {
      seq: event.number,
      eventId: event.id,
      userId,
      stream: event.stream,
      revision: event.revision,
    }
    for (const { report, contribution } of additions) sums.add(report, contribution)
    figures.add(place, additions)
    places.add(place)
    if (booking === null) continue
    bookings.add(place, booking)
    const currency = earningCurrency(booking)
    if (currency === null) continue
    const months = booking.schedule === null ? [] : recognitionByDay(booking.schedule)
    recognition.add(currency, months)
    figures.count(currency, recognitionCounts(booking, months))
  }

  const first = earlier(before?.first ?? null, money[0], dates)
  await atOnce(
    () => closes.save(),
    () => states.save(),
    () => books.save(),
    () => bookings.save(),
    () => figures.save(),
    () => places.save(),
    () => sums.save(),
    () => recognition.save(),
    () => saveProgress(tx, schema, { timeZone, hasForeignClose, first, lastSeq }),
  )
}

/** The first event that a report reads: `known`, or an event that was parked before it. */
function earlier(
  known: Progress['first'],
  event: Numbered<FinanceEvent> | undefined,
  { dayOf }: AccountingDates,
): Progress['first'] {
  if (event === undefined || (known !== null && known.seq < event.number)) return known
  return { seq: event.number, month: monthOf(dayOf(event.metadata.occurredAt)) }
}
