import { unreachable } from '#services/foundation/decider'
import type { FinanceEventOf } from '../finance-event.ts'
import { numberOfDay } from '../calendar.ts'
import {
  emptyBooking,
  paymentOf,
  withPayment,
  type BookedEvent,
  type CustomerBooks,
  type Dispute,
} from './books.ts'
import { entriesOf, reversed, type BookingSource, type Line } from './entry.ts'
import {
  cutSchedule,
  debitsOf,
  giveBack,
  givenBackOf,
  scheduleOf,
  takeBack,
  taxIn,
} from './give-back.ts'

/**
 * A chargeback takes the money at once, and the bank decides later. Until then it is booked as a
 * refund: service that nobody has paid for is neither deferred nor recognized, and `disputes` has
 * only what was recognized before. An inquiry moves no money.
 */
export function bookDispute(
  books: CustomerBooks,
  { data }: FinanceEventOf<'DisputeOpened'>,
  source: BookingSource,
): BookedEvent {
  const { disputeId, paymentId, planName, kind, amount: money } = data
  const { amount, currency } = money
  const isKnown = books.disputes.some((each) => each.disputeId === disputeId)
  if (kind === 'inquiry' || isKnown) return { books, booking: emptyBooking }
  const claim = { paymentId, planName, currency }
  const known = paymentOf(books, claim)
  const tax = known === null ? 0 : taxIn(known, amount)
  const { payment, given } = giveBack(known, { amount, tax }, source)
  const dispute = { disputeId, ...claim, amount, given }
  const origin = known ?? claim
  return {
    books: withPayment(
      { ...books, disputes: [...books.disputes, dispute] },
      payment && {
        ...payment,
        returned: payment.returned + amount,
        returnedTax: payment.returnedTax + tax,
      },
    ),
    booking: {
      entries: entriesOf(source, 'dispute', origin, linesOf(dispute)),
      schedule: scheduleOf(source, origin, given.parts),
    },
  }
}

export function bookDisputeClosed(
  books: CustomerBooks,
  { data }: FinanceEventOf<'DisputeClosed'>,
  source: BookingSource,
): BookedEvent {
  const dispute = books.disputes.find(({ disputeId }) => disputeId === data.disputeId)
  if (dispute === undefined) return { books, booking: emptyBooking }
  const closed = { ...books, disputes: books.disputes.filter((each) => each !== dispute) }
  const { outcome } = data
  switch (outcome) {
    case 'lost':
      return lose(closed, dispute, source)
    case 'won':
    case 'inquiry-closed':
      return win(closed, dispute, source)
    default:
      return unreachable(outcome)
  }
}

/** The provider takes the fee from the money that it holds. A returned fee is negative. */
export function bookDisputeFee(
  books: CustomerBooks,
  { data: { planName, fee } }: FinanceEventOf<'DisputeFeeCharged'>,
  source: BookingSource,
): BookedEvent {
  const { amount, currency } = fee
  const entries = entriesOf(source, 'dispute-fee', { currency, planName }, [
    { account: 'dispute_fees', amount },
    { account: 'cash', amount: -amount },
  ])
  return { books, booking: { entries, schedule: null } }
}

/** The payment recognizes again what the chargeback took, over the same days. */
function win(books: CustomerBooks, dispute: Dispute, source: BookingSource): BookedEvent {
  const known = paymentOf(books, dispute)
  const { payment, parts } = takeBack(known, dispute.given)
  const origin = known ?? dispute
  return {
    books: withPayment(
      books,
      payment && {
        ...payment,
        returned: payment.returned - dispute.amount,
        returnedTax: payment.returnedTax - dispute.given.tax,
      },
    ),
    booking: {
      entries: entriesOf(source, 'dispute-won', origin, reversed(linesOf(dispute))),
      schedule: scheduleOf(source, origin, parts),
    },
  }
}

/**
 * The money is gone for good, as it was booked. Only a payment that became known after the
 * chargeback still has a schedule: its service is owed to no one.
 */
function lose(books: CustomerBooks, dispute: Dispute, source: BookingSource): BookedEvent {
  const known = paymentOf(books, dispute)
  if (known === null) return { books, booking: emptyBooking }
  const day = numberOfDay(source.time.date)
  const isAll = known.total > 0 && givenBackOf(known) >= known.total
  const { payment, taken, parts } = cutSchedule(known, isAll ? 'all' : dispute.given.contra, day)
  return {
    books: withPayment(books, payment),
    booking: {
      entries: entriesOf(source, 'dispute-lost', known, [
        { account: 'deferred_revenue', amount: taken },
        { account: 'disputes', amount: -taken },
      ]),
      schedule: scheduleOf(source, known, parts),
    },
  }
}

function linesOf({ amount, given }: Dispute): readonly Line[] {
  return [...debitsOf(given, 'disputes'), { account: 'cash', amount: -amount }]
}
