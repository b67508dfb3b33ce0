import { z } from 'zod'
import type { FinanceEvent } from '#services/finance/finance-event'
import { emptyBooks, type CustomerBooks } from '#services/finance/ledger/books'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { streamOwner } from '#services/foundation/stream-names'

/*
 * The books of a customer are stored by payment: they grow with every payment, and an invoice needs
 * only the books of its own payment. Any other event can name a refund, credit note or dispute of
 * any payment, so it loads all books of its customer.
 */

const bookRow = z.object({ user_id: z.string(), payment_id: z.string(), books: z.string() })

export interface BooksOfBatch {
  of(userId: string): CustomerBooks
  set(userId: string, books: CustomerBooks): void
  /** Writes the books of the payments that changed. */
  save(): Promise<void>
}

export async function loadBooks(
  tx: Queryable,
  schema: string,
  events: readonly FinanceEvent[],
): Promise<BooksOfBatch> {
  const whole = new Set<string>()
  const payments = new Map<string, { readonly userId: string; readonly paymentId: string }>()
  for (const event of events) {
    const userId = streamOwner(event.stream)
    const paymentId = paymentOfInvoice(event)
    if (paymentId === null) whole.add(userId)
    else payments.set(`${userId} ${paymentId}`, { userId, paymentId })
  }
  const single = [...payments.values()].filter(({ userId }) => !whole.has(userId))
  const rows = await allRows(
    tx,
    bookRow,
    `SELECT user_id, payment_id, books FROM ${schema}.book WHERE user_id = ANY ($1)
     UNION ALL
     SELECT b.user_id, b.payment_id, b.books FROM unnest($2::text[], $3::text[]) AS one (user_id, payment_id)
     JOIN ${schema}.book b USING (user_id, payment_id)`,
    [[...whole], single.map(({ userId }) => userId), single.map(({ paymentId }) => paymentId)],
  )
  const stored = new Map(rows.map((row) => [`${row.user_id} ${row.payment_id}`, row.books]))
  const before = new Map<string, CustomerBooks>()
  for (const { user_id, books } of rows)
    before.set(user_id, merged(before.get(user_id) ?? emptyBooks, parseBooks(books)))
  const after = new Map<string, CustomerBooks>()
  return {
    of: (userId) => after.get(userId) ?? before.get(userId) ?? emptyBooks,
    set: (userId, books) => after.set(userId, books),
    async save() {
      const changed = [...after].flatMap(([userId, books]) =>
        [...byPayment(books, before.get(userId))]
          .map(([paymentId, of]) => ({ userId, paymentId, text: JSON.stringify(of) }))
          .filter(
            ({ paymentId, text }) => (stored.get(`${userId} ${paymentId}`) ?? empty) !== text,
          ),
      )
      if (changed.length === 0) return
      await tx.query(
        `INSERT INTO ${schema}.book (user_id, payment_id, books) SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
         ON CONFLICT (user_id, payment_id) DO UPDATE SET books = excluded.books`,
        [
          changed.map(({ userId }) => userId),
          changed.map(({ paymentId }) => paymentId),
          changed.map(({ text }) => text),
        ],
      )
      // So that equal histories have equal rows, whatever the batches.
      if (changed.some(({ text }) => text === empty))
        await tx.query(`DELETE FROM ${schema}.book WHERE books = $1 AND user_id = ANY ($2)`, [
          empty,
          changed.map(({ userId }) => userId),
        ])
    },
  }
}

const empty = JSON.stringify(emptyBooks)

/** Null if the event can concern any payment of the customer. */
function paymentOfInvoice(event: FinanceEvent): string | null {
  switch (event.type) {
    case 'PaymentSucceeded':
    case 'PaymentFailed':
    case 'InvoiceWrittenOff':
      return event.data.paymentId
    default:
      return null
  }
}

/** The same version of the read model wrote it: only the rules of finance know its shape. */
function parseBooks(text: string): CustomerBooks {
  return JSON.parse(text) as CustomerBooks
}

function merged(a: CustomerBooks, b: CustomerBooks): CustomerBooks {
  return {
    payments: [...a.payments, ...b.payments],
    unpaid: [...a.unpaid, ...b.unpaid],
    refunds: [...a.refunds, ...b.refunds],
    creditNotes: [...a.creditNotes, ...b.creditNotes],
    disputes: [...a.disputes, ...b.disputes],
  }
}

type Mutable<Books> = {
  -readonly [Part in keyof Books]: Books[Part] extends readonly (infer One)[] ? One[] : never
}

/** The books of each payment, also of a payment of `before` whose books are empty now. */
function byPayment(
  books: CustomerBooks,
  before: CustomerBooks = emptyBooks,
): ReadonlyMap<string, CustomerBooks> {
  const split = new Map<string, Mutable<CustomerBooks>>()
  const of = ({ paymentId }: { readonly paymentId: string | null }) => {
    const known = split.get(paymentId ?? '')
    if (known !== undefined) return known
    const added = { payments: [], unpaid: [], refunds: [], creditNotes: [], disputes: [] }
    split.set(paymentId ?? '', added)
    return added
  }
  for (const each of books.payments) of(each).payments.push(each)
  for (const each of books.unpaid) of(each).unpaid.push(each)
  for (const each of books.refunds) of(each).refunds.push(each)
  for (const each of books.creditNotes) of(each).creditNotes.push(each)
  for (const each of books.disputes) of(each).disputes.push(each)
  for (const part of [before.unpaid, before.creditNotes, before.disputes, before.refunds])
    for (const each of part) of(each)
  return split
}
