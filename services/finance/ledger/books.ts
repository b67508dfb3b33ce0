import type { Entry } from './entry.ts'
import type { Schedule, SchedulePart } from './schedule.ts'

/*
 * What the books remember of one customer: plain data, which JSON can store. Amounts are minor
 * units. Days are numbers: days since 1970-01-01.
 */

/** A paid invoice. */
export interface Payment {
  readonly paymentId: string
  readonly currency: string
  readonly planName: string | null
  readonly total: number
  readonly tax: number
  readonly bookedOn: number
  /** What is recognized, or will be. */
  readonly parts: readonly SchedulePart[]
  /** Returned by refunds and chargebacks, with tax. */
  readonly returned: number
  /** The tax on `returned`. */
  readonly returnedTax: number
  /** Given by credit notes, with tax, without the refunded part of the credit notes. */
  readonly credited: number
  /** The tax on credit notes, without the refunded part of the credit notes. */
  readonly creditedTax: number
}

/** What was given back, so that a reversal returns the same. */
export interface GivenBack {
  readonly tax: number
  /** The part that was not recognized yet. */
  readonly deferred: number
  /** The part that a contra account of revenue has. */
  readonly contra: number
  /** What the cut of the schedule added to it. */
  readonly parts: readonly SchedulePart[]
}

/** The payment that a refund, credit note or dispute is about, as far as the event names it. */
export interface Claim {
  readonly paymentId: string | null
  readonly planName: string | null
  readonly currency: string
}

export interface Refund extends Claim {
  readonly refundId: string
  readonly amount: number
  /** Null unless the refund has succeeded. */
  readonly given: GivenBack | null
}

/** The amounts are those of the credit note without its refunded part. */
export interface CreditNote extends Claim {
  readonly creditNoteId: string
  readonly tax: number
  readonly beforePayment: number
  readonly toBalance: number
  readonly outOfBand: number
  /** Null until the invoice is paid: the credit note reduced an open invoice. */
  readonly given: GivenBack | null
}

export interface Dispute extends Claim {
  readonly disputeId: string
  readonly amount: number
  readonly given: GivenBack
}

/** An invoice whose payment failed. `due` is 0 after the invoice was written off. */
export interface UnpaidInvoice {
  readonly paymentId: string
  readonly currency: string
  readonly planName: string | null
  readonly due: number
  readonly isWrittenOff: boolean
}

export interface CustomerBooks {
  readonly payments: readonly Payment[]
  readonly unpaid: readonly UnpaidInvoice[]
  readonly refunds: readonly Refund[]
  readonly creditNotes: readonly CreditNote[]
  /** Open chargebacks. */
  readonly disputes: readonly Dispute[]
}

const none: readonly never[] = []

export const emptyBooks: CustomerBooks = {
  payments: none,
  unpaid: none,
  refunds: none,
  creditNotes: none,
  disputes: none,
}

/** What one event adds to the journal. It depends on the event and on earlier events only. */
export interface Booking {
  readonly entries: readonly Entry[]
  readonly schedule: Schedule | null
}

export interface BookedEvent {
  readonly books: CustomerBooks
  readonly booking: Booking
}

export const emptyBooking: Booking = { entries: none, schedule: null }

/** The payment of a claim, if the books have it in the claim's currency. */
export function paymentOf(books: CustomerBooks, claim: Claim): Payment | null {
  if (claim.paymentId === null) return null
  return (
    books.payments.findLast(
      ({ paymentId, currency }) => paymentId === claim.paymentId && currency === claim.currency,
    ) ?? null
  )
}

/** Replaces the payment of the same id and currency. */
export function withPayment(books: CustomerBooks, payment: Payment | null): CustomerBooks {
  if (payment === null) return books
  const payments = books.payments.map((each) =>
    each.paymentId === payment.paymentId && each.currency === payment.currency ? payment : each,
  )
  return { ...books, payments }
}
