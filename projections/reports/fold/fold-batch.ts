import { billingEvents } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { createAccountingDates, type AccountingDates } from '#services/finance/accounting-date'
import { monthOf, parseMonth } from '#services/finance/calendar'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { DayOf, TimeZone } from '#services/finance/time-zone'
import { daysIn } from '#services/finance/time-zone'
import type { Queryable } from '#services/foundation/queryable'
import { streamOwner } from '#services/foundation/stream-names'
import { createBookingRows } from './booking-rows.ts'
import { createContributionRows } from './contribution-rows.ts'
import { loadBooks } from './customer-books.ts'
import { loadCustomerStates } from './customer-states.ts'
import { factsOf } from './facts-of.ts'
import { readProgress, saveProgress } from './progress.ts'
import { createRecognitionMonths } from './recognition-months.ts'
import { createSums } from './sums.ts'

interface KnownZone {
  readonly timeZone: TimeZone
  readonly dayOf: DayOf
}

/**
 * Folds a batch in the order of the log, so that a close changes the accounting dates of the events
 * after it. `zone` is that of the first batch; later batches use the stored one.
 */
export async function foldBatch(
  events: readonly RecordedEvent[],
  tx: Queryable,
  schema: string,
  zone: KnownZone,
): Promise<void> {
  const before = await readProgress(tx, schema)
  const timeZone = before?.timeZone ?? zone.timeZone
  const dates = createAccountingDates(
    timeZone,
    timeZone === zone.timeZone ? zone.dayOf : daysIn(timeZone),
  )
  const closed = before?.closedThrough ?? null
  if (closed !== null) dates.close(closed)
  let hasForeignClose = before?.hasForeignClose ?? false
  let facts = before?.facts ?? 0

  const billing = events.filter(isFinanceEvent)
  const [first] = billing
  const firstMonth =
    before?.firstMonth ??
    (first === undefined ? null : monthOf(dates.dayOf(first.metadata.occurredAt)))
  const userIds = [...new Set(billing.map(({ stream }) => streamOwner(stream)))]
  const states = await loadCustomerStates(tx, schema, userIds)
  const books = await loadBooks(tx, schema, billing)
  const sums = createSums(tx, schema)
  const recognition = createRecognitionMonths(tx, schema)
  const bookings = createBookingRows(tx, schema)
  const contributions = createContributionRows(tx, schema)

  for (const event of events) {
    if (event.type === 'MonthCutOff') {
      if (event.data.timeZone === timeZone) close(dates, event.data.month)
      else hasForeignClose = true
    }
    if (!isFinanceEvent(event)) continue
    const userId = streamOwner(event.stream)
    const { booked, booking, additions } = factsOf(
      states.of(userId),
      books.of(userId),
      event,
      dates,
    )
    if (booked !== books.of(userId)) books.set(userId, booked)
    if (booking === null && additions.length === 0) continue
    facts += 1
    const place = {
      seq: facts,
      eventId: event.id,
      userId,
      revision: event.revision,
    }
    for (const { report, contribution } of additions) sums.add(report, contribution)
    contributions.add(place, additions)
    if (booking === null) continue
    bookings.add(place, booking)
    if (booking.schedule !== null) recognition.add(booking.schedule)
  }

  await states.save()
  await books.save()
  await bookings.save()
  await contributions.save()
  await sums.save()
  await recognition.save()
  await saveProgress(tx, schema, {
    timeZone,
    closedThrough: dates.closedThrough(),
    hasForeignClose,
    firstMonth,
    facts,
  })
}

function isFinanceEvent(event: RecordedEvent): event is FinanceEvent {
  return Object.hasOwn(billingEvents, event.type)
}

function close(dates: AccountingDates, text: string): void {
  const month = parseMonth(text)
  // The contract of the event allows only months.
  if (month !== null) dates.close(month)
}
