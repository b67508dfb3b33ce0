import { hasReturnedMoney } from '#contracts/refund-status'
import type { FinanceEventOf } from '../finance-event.ts'
import {
  emptyBooking,
  paymentOf,
  withPayment,
  type BookedEvent,
  type CustomerBooks,
  type GivenBack,
  type Refund,
} from './books.ts'
import { entriesOf, reversed, type BookingSource } from './entry.ts'
import { debitsOf, giveBack, scheduleOf, takeBack, taxIn } from './give-back.ts'

export function bookRefund(
  books: CustomerBooks,
  { data }: FinanceEventOf<'RefundRecorded'>,
  source: BookingSource,
): BookedEvent {
  if (books.refunds.some(({ refundId }) => refundId === data.refundId))
    return { books, booking: emptyBooking }
  const { refundId, paymentId, planName, amount, status } = data
  const { amount: returned, currency } = amount
  const refund = { refundId, paymentId, planName, currency, amount: returned, given: null }
  return setReturned(books, refund, hasReturnedMoney(status), source)
}

/** A refund that the log does not contain counts as one of an unknown payment. */
export function bookRefundStatus(
  books: CustomerBooks,
  { data }: FinanceEventOf<'RefundStatusChanged'>,
  source: BookingSource,
): BookedEvent {
  const { refundId, amount, to } = data
  const known = books.refunds.find((each) => each.refundId === refundId)
  const unknown = {
    refundId,
    paymentId: null,
    planName: null,
    currency: amount.currency,
    amount: amount.amount,
    given: null,
  }
  return setReturned(books, known ?? unknown, hasReturnedMoney(to), source)
}

/** Only a refund that the provider performed moves money. */
function setReturned(
  books: CustomerBooks,
  refund: Refund,
  isReturned: boolean,
  source: BookingSource,
): BookedEvent {
  if (isReturned && refund.given === null) return give(books, refund, source)
  if (!isReturned && refund.given !== null) return reverse(books, refund, refund.given, source)
  return { books: withRefund(books, refund), booking: emptyBooking }
}

function give(books: CustomerBooks, refund: Refund, source: BookingSource): BookedEvent {
  const { amount } = refund
  const known = paymentOf(books, refund)
  const tax = known === null ? 0 : taxIn(known, amount)
  const { payment, given } = giveBack(known, { amount, tax }, source)
  const origin = known ?? refund
  return {
    books: withPayment(
      withRefund(books, { ...refund, given }),
      payment && {
        ...payment,
        returned: payment.returned + amount,
        returnedTax: payment.returnedTax + tax,
      },
    ),
    booking: {
      entries: entriesOf(source, 'refund', origin, linesOf(amount, given)),
      schedule: scheduleOf(source, origin, given.parts),
    },
  }
}

function reverse(
  books: CustomerBooks,
  refund: Refund,
  given: GivenBack,
  source: BookingSource,
): BookedEvent {
  const { amount } = refund
  const known = paymentOf(books, refund)
  const { payment, parts } = takeBack(known, given)
  const origin = known ?? refund
  return {
    books: withPayment(
      withRefund(books, { ...refund, given: null }),
      payment && {
        ...payment,
        returned: payment.returned - amount,
        returnedTax: payment.returnedTax - given.tax,
      },
    ),
    booking: {
      entries: entriesOf(source, 'refund-reversal', origin, reversed(linesOf(amount, given))),
      schedule: scheduleOf(source, origin, parts),
    },
  }
}

function linesOf(amount: number, given: GivenBack) {
  return [...debitsOf(given, 'refunds'), { account: 'cash', amount: -amount } as const]
}

function withRefund(books: CustomerBooks, refund: Refund): CustomerBooks {
  const others = books.refunds.filter(({ refundId }) => refundId !== refund.refundId)
  return { ...books, refunds: [...others, refund] }
}
