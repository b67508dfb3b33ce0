import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import type { FinanceEvent } from '../finance-event.ts'
import { bookingTimeOf, type BookingRules } from './booking-time.ts'
import { emptyBooking, type BookedEvent, type CustomerBooks } from './books.ts'
import { bookCreditNote, bookVoid } from './credit-note.ts'
import { bookDispute, bookDisputeClosed, bookDisputeFee } from './dispute.ts'
import { bookPlatformFee } from './platform-fee.ts'
import { bookRefund, bookRefundStatus } from './refund.ts'
import { bookSale } from './sale.ts'
import { bookFailure, bookWriteOff } from './unpaid-invoice.ts'

/**
 * The events that move money. Each other event books nothing: a request moves no money yet, an
 * override changes what screens show, and what is still due is booked when it is paid or given up.
 */
export const ledger = eventConsumer({
  name: 'ledger',
  concernedBy: ['money', 'platform-fee'],
  ignores: ['UnpaidInvoiceChanged', 'RefundRequested', 'RefundRefused', 'RefundStatusOverridden'],
})

/**
 * Books one event of a customer. `books` are those of the customer's earlier events. Pure: the same
 * events in the same order give the same bookings.
 */
export function bookEvent(
  books: CustomerBooks,
  event: FinanceEvent,
  rules: BookingRules,
): BookedEvent {
  if (!ledger.isFolded(event)) return { books, booking: emptyBooking }
  const source = {
    eventId: event.id,
    time: bookingTimeOf(event.metadata.occurredAt, rules),
  }
  switch (event.type) {
    case 'PaymentSucceeded':
      return bookSale(books, event, source, rules.dayOf)
    case 'PaymentFailed':
      return bookFailure(books, event, source)
    case 'InvoiceWrittenOff':
      return bookWriteOff(books, event, source)
    case 'RefundRecorded':
      return bookRefund(books, event, source)
    case 'RefundStatusChanged':
      return bookRefundStatus(books, event, source)
    case 'CreditNoteIssued':
      return bookCreditNote(books, event, source)
    case 'CreditNoteVoided':
      return bookVoid(books, event, source)
    case 'DisputeOpened':
      return bookDispute(books, event, source)
    case 'DisputeFeeCharged':
      return bookDisputeFee(books, event, source)
    case 'DisputeClosed':
      return bookDisputeClosed(books, event, source)
    case 'PlatformFeeCharged':
    case 'PlatformFeeReturned':
      return { books, booking: bookPlatformFee(event, source) }
    default:
      return unreachable(event)
  }
}
