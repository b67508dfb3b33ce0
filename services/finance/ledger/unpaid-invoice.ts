import type { FinanceEventOf } from '../finance-event.ts'
import { emptyBooking, type BookedEvent, type CustomerBooks, type UnpaidInvoice } from './books.ts'
import { entriesOf, type BookingSource, type Entry } from './entry.ts'

type Unpaid = FinanceEventOf<'PaymentFailed' | 'InvoiceWrittenOff'>

interface Changed {
  readonly books: CustomerBooks
  readonly entries: readonly Entry[]
}

/**
 * The first failure of an invoice shows what the customer owes; a later attempt corrects the
 * amount. A failure after the payment or after the write-off changes nothing.
 */
export function bookFailure(
  books: CustomerBooks,
  { data }: Unpaid,
  source: BookingSource,
): BookedEvent {
  const invoice = unpaidOf(books, data)
  const isPaid = books.payments.some(({ paymentId }) => paymentId === data.paymentId)
  if (isPaid || invoice.isWrittenOff) return { books, booking: emptyBooking }
  return booked(setDue(books, invoice, { ...invoice, due: data.due.amount }, source))
}

/** Nothing is collected any more. A written-off invoice can still be paid, which is then a sale. */
export function bookWriteOff(
  books: CustomerBooks,
  { data }: Unpaid,
  source: BookingSource,
): BookedEvent {
  const invoice = unpaidOf(books, data)
  return booked(setDue(books, invoice, { ...invoice, due: 0, isWrittenOff: true }, source))
}

/** The invoice is paid. */
export function clearUnpaid(
  books: CustomerBooks,
  paymentId: string,
  source: BookingSource,
): Changed {
  const known = books.unpaid.find((each) => each.paymentId === paymentId)
  if (known === undefined) return { books, entries: [] }
  const { entries } = setDue(books, known, { ...known, due: 0 }, source)
  return { books: { ...books, unpaid: books.unpaid.filter((each) => each !== known) }, entries }
}

/** A credit note on the open invoice, or its void with a negative amount, changes what is due. */
export function reduceUnpaid(
  books: CustomerBooks,
  { paymentId, amount }: { readonly paymentId: string | null; readonly amount: number },
  source: BookingSource,
): Changed {
  const known = books.unpaid.find((each) => each.paymentId === paymentId)
  if (known === undefined || known.isWrittenOff) return { books, entries: [] }
  return setDue(books, known, { ...known, due: Math.max(0, known.due - amount) }, source)
}

/** The unpaid invoice of the books, or one of which nothing is due. */
function unpaidOf(
  { unpaid }: CustomerBooks,
  { paymentId, planName, due: { currency } }: Unpaid['data'],
): UnpaidInvoice {
  const known = unpaid.find((each) => each.paymentId === paymentId)
  return known ?? { paymentId, planName, currency, due: 0, isWrittenOff: false }
}

function setDue(
  books: CustomerBooks,
  known: UnpaidInvoice,
  changed: UnpaidInvoice,
  source: BookingSource,
): Changed {
  const others = books.unpaid.filter((each) => each !== known)
  const difference = changed.due - known.due
  const entries = entriesOf(source, 'unpaid-invoice', changed, [
    { account: 'receivable', amount: difference },
    { account: 'unpaid_invoices', amount: -difference },
  ])
  return { books: { ...books, unpaid: [...others, changed] }, entries }
}

function booked({ books, entries }: Changed): BookedEvent {
  return { books, booking: { entries, schedule: null } }
}
