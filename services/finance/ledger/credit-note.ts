import type { FinanceEventOf } from '../finance-event.ts'
import {
  emptyBooking,
  paymentOf,
  withPayment,
  type BookedEvent,
  type CreditNote,
  type CustomerBooks,
  type GivenBack,
  type Payment,
} from './books.ts'
import { entriesOf, reversed, type BookingSource, type Entry, type Line } from './entry.ts'
import { debitsOf, giveBack, scheduleOf, takeBack } from './give-back.ts'
import { proportionOf } from './proportion.ts'
import type { SchedulePart } from './schedule.ts'
import { reduceUnpaid } from './unpaid-invoice.ts'

/**
 * The refunded part is booked with its refund. A credit note on an open invoice is booked with the
 * payment of the invoice, because before it there is no sale to reduce.
 */
export function bookCreditNote(
  books: CustomerBooks,
  { data }: FinanceEventOf<'CreditNoteIssued'>,
  source: BookingSource,
): BookedEvent {
  if (books.creditNotes.some(({ creditNoteId }) => creditNoteId === data.creditNoteId))
    return { books, booking: emptyBooking }
  const { creditNoteId, paymentId, planName, total, tax, refunded } = data
  const { beforePayment, toBalance, outOfBand } = data
  const amount = beforePayment + toBalance + outOfBand
  if (amount === 0) return { books, booking: emptyBooking }
  const note: CreditNote = {
    creditNoteId,
    paymentId,
    planName,
    currency: total.currency,
    tax: proportionOf(tax, amount, amount + refunded),
    beforePayment,
    toBalance,
    outOfBand,
    given: null,
  }
  const known = paymentOf(books, note)
  if (known === null && beforePayment > 0) {
    const reduced = reduceUnpaid(books, { paymentId, amount: beforePayment }, source)
    return {
      books: withNote(reduced.books, note),
      booking: { entries: reduced.entries, schedule: null },
    }
  }
  const { payment, given, entries } = give(known, note, source)
  return {
    books: withPayment(withNote(books, { ...note, given }), payment),
    booking: { entries, schedule: scheduleOf(source, known ?? note, given.parts) },
  }
}

/** The credit notes that reduced the invoice before its payment. Adds the payment to the books. */
export function bookPendingNotes(
  books: CustomerBooks,
  payment: Payment,
  source: BookingSource,
): {
  readonly books: CustomerBooks
  readonly entries: readonly Entry[]
  readonly parts: readonly SchedulePart[]
} {
  const isPending = ({ paymentId, currency, given }: CreditNote) =>
    given === null && paymentId === payment.paymentId && currency === payment.currency
  const entries: Entry[] = []
  const parts: SchedulePart[] = []
  let paid = payment
  const creditNotes = books.creditNotes.map((note) => {
    if (!isPending(note)) return note
    const booked = give(paid, note, source, note.creditNoteId)
    paid = booked.payment ?? paid
    entries.push(...booked.entries)
    parts.push(...booked.given.parts)
    return { ...note, given: booked.given }
  })
  return {
    books: { ...books, creditNotes, payments: [...books.payments, paid] },
    entries,
    parts,
  }
}

export function bookVoid(
  books: CustomerBooks,
  { data }: FinanceEventOf<'CreditNoteVoided'>,
  source: BookingSource,
): BookedEvent {
  const note = books.creditNotes.find(({ creditNoteId }) => creditNoteId === data.creditNoteId)
  if (note === undefined) return { books, booking: emptyBooking }
  const others = books.creditNotes.filter((each) => each !== note)
  const without = { ...books, creditNotes: others }
  const { paymentId, beforePayment, given } = note
  if (given === null) {
    const raised = reduceUnpaid(without, { paymentId, amount: -beforePayment }, source)
    return { books: raised.books, booking: { entries: raised.entries, schedule: null } }
  }
  const known = paymentOf(books, note)
  const { payment, parts } = takeBack(known, given)
  return {
    books: withPayment(
      without,
      payment && {
        ...payment,
        credited: payment.credited - creditedBy(note),
        creditedTax: payment.creditedTax - given.tax,
      },
    ),
    booking: {
      entries: entriesOf(source, 'credit-note-void', known ?? note, reversed(linesOf(note, given))),
      schedule: scheduleOf(source, known ?? note, parts),
    },
  }
}

function give(known: Payment | null, note: CreditNote, source: BookingSource, part?: string) {
  const { tax } = note
  const amount = creditedBy(note)
  const { payment, given } = giveBack(known, { amount, tax }, source)
  return {
    payment: payment && {
      ...payment,
      credited: payment.credited + amount,
      creditedTax: payment.creditedTax + tax,
    },
    given,
    entries: entriesOf(source, 'credit-note', known ?? note, linesOf(note, given), part),
  }
}

/** What a credit note gives without its refunded part, with tax. */
export function creditedBy({ beforePayment, toBalance, outOfBand }: CreditNote): number {
  return beforePayment + toBalance + outOfBand
}

function linesOf(note: CreditNote, given: GivenBack): readonly Line[] {
  return [
    ...debitsOf(given, 'credits'),
    { account: 'receivable', amount: -note.beforePayment },
    { account: 'customer_balance', amount: -note.toBalance },
    { account: 'cash_outside', amount: -note.outOfBand },
  ]
}

function withNote(books: CustomerBooks, note: CreditNote): CustomerBooks {
  return { ...books, creditNotes: [...books.creditNotes, note] }
}
