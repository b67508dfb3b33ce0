import { paidOutside } from '#contracts/events/billing-parts'
import type { FinanceEventOf } from '../finance-event.ts'
import { numberOfDay } from '../calendar.ts'
import type { DayOf } from '../time-zone.ts'
import type { BookedEvent, Claim, CustomerBooks, Payment } from './books.ts'
import { bookPendingNotes, creditedBy } from './credit-note.ts'
import { entriesOf, type BookingSource } from './entry.ts'
import { scheduleOf } from './give-back.ts'
import { allocate } from './proportion.ts'
import { wholePart, type Segment } from './schedule.ts'
import { clearUnpaid } from './unpaid-invoice.ts'

type PaymentSucceeded = FinanceEventOf<'PaymentSucceeded'>

/**
 * A paid invoice: the sale, its settlement, and the credit notes that reduced the invoice before.
 * An invoice of a negative total gives credit.
 */
export function bookSale(
  books: CustomerBooks,
  { data }: PaymentSucceeded,
  source: BookingSource,
  dayOf: DayOf,
): BookedEvent {
  const { paymentId, planName, amounts } = data
  const { currency, total, tax, paid, fromBalance } = amounts
  const origin = { currency, planName }
  const outside = paidOutside(data.paidBy)
  const parts = segmentsOf(data, dayOf).map(wholePart)
  const bookedOn = numberOfDay(source.time.date)
  const given = givenBefore(books, { paymentId, currency, planName })
  // Without a spread, which makes a larger object: the books keep every payment.
  const payment: Payment = {
    paymentId,
    currency,
    planName,
    total,
    tax,
    bookedOn,
    parts,
    returned: given.returned,
    returnedTax: 0,
    credited: given.credited,
    creditedTax: given.creditedTax,
  }
  const cleared = clearUnpaid(books, paymentId, source)
  const noted = bookPendingNotes(cleared.books, payment, source)
  return {
    books: noted.books,
    booking: {
      entries: [
        ...cleared.entries,
        ...entriesOf(source, total < 0 ? 'credit-invoice' : 'sale', origin, [
          { account: 'receivable', amount: total },
          { account: 'deferred_revenue', amount: tax - total },
          { account: 'tax_payable', amount: -tax },
        ]),
        ...entriesOf(source, 'settlement', origin, [
          { account: 'cash', amount: paid - outside },
          { account: 'cash_outside', amount: outside },
          { account: 'customer_balance', amount: fromBalance },
          { account: 'receivable', amount: -(paid + fromBalance) },
        ]),
        ...noted.entries,
      ],
      schedule: scheduleOf(source, origin, [...parts, ...noted.parts]),
    },
  }
}

/** A refund can be recorded before its payment. It then returned no tax and no deferred revenue. */
function givenBefore(books: CustomerBooks, payment: Claim) {
  const isOfPayment = (claim: Claim) =>
    claim.paymentId === payment.paymentId && claim.currency === payment.currency
  const refunds = books.refunds.filter((each) => isOfPayment(each) && each.given !== null)
  const returned = [...refunds, ...books.disputes.filter(isOfPayment)]
  const notes = books.creditNotes.filter(isOfPayment)
  return {
    returned: returned.reduce((sum, { amount }) => sum + amount, 0),
    credited: notes.reduce((sum, note) => sum + (note.given === null ? 0 : creditedBy(note)), 0),
    creditedTax: notes.reduce((sum, { given }) => sum + (given?.tax ?? 0), 0),
  }
}

/**
 * The total without tax, allocated to the lines in proportion to their amounts. A discount or an
 * included tax scales all lines. Lines whose sum has no proportion to the total give one segment
 * over the period of the invoice.
 */
function segmentsOf(data: PaymentSucceeded['data'], dayOf: DayOf): readonly Segment[] {
  const { amounts, lines, periodStart, periodEnd } = data
  const net = amounts.total - amounts.tax
  const charged = lines.filter(({ amount }) => amount !== 0)
  const weights = charged.map(({ amount }) => amount)
  const sum = weights.reduce((all, each) => all + each, 0)
  const isProportional = sum === net || (sum !== 0 && sum * net >= 0)
  if (charged.length === 0 || !isProportional)
    return net === 0 ? [] : [segmentOf(net, periodStart, periodEnd, dayOf)]
  const shares = sum === net ? weights : allocate(net, weights)
  return merged(
    charged.map((line, index) =>
      segmentOf(shares[index] ?? 0, line.periodStart, line.periodEnd, dayOf),
    ),
  )
}

/** A period of less than a day counts as its first day. */
function segmentOf(amount: number, start: string, end: string, dayOf: DayOf): Segment {
  const from = numberOfDay(dayOf(start))
  return { amount, from, to: Math.max(from + 1, numberOfDay(dayOf(end))) }
}

/** One segment per period, without segments of nothing. */
function merged(segments: readonly Segment[]): readonly Segment[] {
  if (segments.length === 1) return segments
  const byPeriod = new Map<string, Segment>()
  for (const each of segments) {
    const key = `${each.from} ${each.to}`
    const amount = each.amount + (byPeriod.get(key)?.amount ?? 0)
    byPeriod.set(key, { ...each, amount })
  }
  return [...byPeriod.values()].filter(({ amount }) => amount !== 0)
}
