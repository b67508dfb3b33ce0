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
import { entriesOf, reversed, type BookedFact, type Line } from './entry.ts'
import { cutSchedule, scheduleOf, taxIn } from './give-back.ts'

/**
 * A chargeback takes the money at once, and the bank decides later. Until then, `disputes` has the
 * net amount and the service stays scheduled. An inquiry moves no money.
 */
export function bookDispute(
  books: CustomerBooks,
  { data }: FinanceEventOf<'DisputeOpened'>,
  fact: BookedFact,
): BookedEvent {
  const { disputeId, paymentId, planName, kind, amount: money } = data
  const { amount, currency } = money
  const isKnown = books.disputes.some((each) => each.disputeId === disputeId)
  if (kind === 'inquiry' || isKnown) return { books, booking: emptyBooking }
  const claim = { paymentId, planName, currency }
  const payment = paymentOf(books, claim)
  const tax = payment === null ? 0 : taxIn(payment, amount)
  const dispute = { disputeId, ...claim, amount, tax }
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
      entries: entriesOf(fact, 'dispute', payment ?? claim, linesOf(dispute)),
      schedule: null,
    },
  }
}

export function bookDisputeClosed(
  books: CustomerBooks,
  { data }: FinanceEventOf<'DisputeClosed'>,
  fact: BookedFact,
): BookedEvent {
  const dispute = books.disputes.find(({ disputeId }) => disputeId === data.disputeId)
  if (dispute === undefined) return { books, booking: emptyBooking }
  const closed = { ...books, disputes: books.disputes.filter((each) => each !== dispute) }
  const { outcome } = data
  switch (outcome) {
    case 'lost':
      return lose(closed, dispute, fact)
    case 'won':
    case 'inquiry-closed':
      return win(closed, dispute, fact)
    default:
      return unreachable(outcome)
  }
}

function win(books: CustomerBooks, dispute: Dispute, fact: BookedFact): BookedEvent {
  const payment = paymentOf(books, dispute)
  return {
    books: withPayment(
      books,
      payment && {
        ...payment,
        returned: payment.returned - dispute.amount,
        returnedTax: payment.returnedTax - dispute.tax,
      },
    ),
    booking: {
      entries: entriesOf(fact, 'dispute-won', payment ?? dispute, reversed(linesOf(dispute))),
      schedule: null,
    },
  }
}

/** The money is gone for good, so service that is not delivered yet is owed to no one. */
function lose(books: CustomerBooks, dispute: Dispute, fact: BookedFact): BookedEvent {
  const known = paymentOf(books, dispute)
  if (known === null) return { books, booking: emptyBooking }
  const net = dispute.amount - dispute.tax
  const { payment, taken, parts } = cutSchedule(known, net, numberOfDay(fact.time.date))
  return {
    books: withPayment(books, payment),
    booking: {
      entries: entriesOf(fact, 'dispute-lost', known, [
        { account: 'deferred_revenue', amount: taken },
        { account: 'disputes', amount: -taken },
      ]),
      schedule: scheduleOf(fact, known, parts),
    },
  }
}

function linesOf({ amount, tax }: Dispute): readonly Line[] {
  return [
    { account: 'disputes', amount: amount - tax },
    { account: 'tax_payable', amount: tax },
    { account: 'cash', amount: -amount },
  ]
}
