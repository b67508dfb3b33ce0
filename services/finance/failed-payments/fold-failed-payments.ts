import { textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import type { InvoiceCause } from '#contracts/invoice-cause'
import type { Money } from '#contracts/money'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import type { FinanceEvent, FinanceEventOf } from '../finance-event.ts'
import type { AccountingDate, DateOf } from '../accounting-date.ts'
import { monthOf, type Day, type Month } from '../calendar.ts'

/** What became of an invoice whose payment failed. */
export type Outcome = 'open' | 'recovered' | 'written-off'

/**
 * A failed invoice's change from one outcome to another. `from` is null at the first failure. An
 * invoice whose amount due changes, for example after a credit note, leaves its outcome with the
 * old amount and enters it with the new amount. A further failed attempt has the same values on
 * both sides. Minor units.
 *
 * Source: Stripe, "Revenue recovery analytics": failed payments failed on the first attempt, and
 * recovered payments were paid after a failure by any means
 * (https://docs.stripe.com/billing/revenue-recovery/recovery-analytics). Stripe leaves out the
 * first invoice of a subscription. Here `cause` separates it: a declined first card at the
 * checkout, followed by another card, is no recovered renewal.
 */
export interface OutcomeChange extends AccountingDate {
  readonly eventId: string
  readonly invoiceRef: ProviderRef
  readonly cause: InvoiceCause
  /** The month of the invoice's first failure. */
  readonly failedIn: Month
  readonly currency: string
  readonly from: { readonly outcome: Outcome; readonly amount: number } | null
  readonly to: { readonly outcome: Outcome; readonly amount: number }
  /** Whole days from the first failure to the payment; null unless `to` is `recovered`. */
  readonly days: number | null
  /** 1 if the event is a failed attempt. */
  readonly attempts: 0 | 1
}

/** `failedAt` is in milliseconds. `date` is the day of the last change: it never goes back. */
interface FailedInvoice {
  readonly cause: InvoiceCause
  readonly failedAt: number
  readonly failedIn: Month
  readonly currency: string
  outcome: Outcome
  amount: number
  date: Day
}

/**
 * The invoices with a failure, by their customer and the provider's id. An invoice paid at once is
 * not kept.
 */
export type FailedInvoices = Map<string, FailedInvoice>

/** The events that change the outcome of an invoice. */
export const failedPayments = eventConsumer({ name: 'failed payments', concernedBy: ['payment'] })

/**
 * Folds the next event of the log into the invoices, which it changes. An event about an invoice
 * without a failure returns null, and so does an event after the payment: a payment is final. An
 * invoice that was written off can still be paid.
 */
export function foldFailedPayments(
  invoices: FailedInvoices,
  event: FinanceEvent,
  dateOf: DateOf,
): OutcomeChange | null {
  if (!failedPayments.isFolded(event)) return null
  switch (event.type) {
    case 'PaymentFailed':
      return fail(invoices, event, dateOf)
    case 'PaymentSucceeded':
      return change(invoices, event, { outcome: 'recovered', due: null }, dateOf)
    case 'UnpaidInvoiceChanged':
      return change(invoices, event, { outcome: null, due: event.data.due }, dateOf)
    case 'InvoiceWrittenOff':
      return change(invoices, event, { outcome: 'written-off', due: event.data.due }, dateOf)
    default:
      return unreachable(event)
  }
}

type InvoiceEventType =
  | 'PaymentFailed'
  | 'UnpaidInvoiceChanged'
  | 'PaymentSucceeded'
  | 'InvoiceWrittenOff'

const msOfDay = 86_400_000

/** The customer is part of the key, so that the state of each customer is separate. */
function keyOf({ stream, data: { invoiceRef } }: FinanceEventOf<InvoiceEventType>): string {
  return `${stream} ${textOfRef(invoiceRef)}`
}

function fail(
  invoices: FailedInvoices,
  event: FinanceEventOf<'PaymentFailed'>,
  dateOf: DateOf,
): OutcomeChange | null {
  const { invoiceRef, cause, due } = event.data
  const key = keyOf(event)
  if (invoices.has(key)) return change(invoices, event, { outcome: 'open', due }, dateOf)
  const { date, adjusts } = dateOf(event.metadata.occurredAt)
  const { amount, currency } = due
  const failedIn = monthOf(date)
  const failedAt = Date.parse(event.metadata.occurredAt)
  invoices.set(key, { cause, failedAt, failedIn, currency, outcome: 'open', amount, date })
  const to = { outcome: 'open' as const, amount }
  return {
    eventId: event.id,
    invoiceRef,
    cause,
    failedIn,
    currency,
    date,
    adjusts,
    from: null,
    to,
    days: null,
    attempts: 1,
  }
}

/** Null keeps the outcome, or the amount. */
function change(
  invoices: FailedInvoices,
  event: FinanceEventOf<InvoiceEventType>,
  { outcome, due }: { readonly outcome: Outcome | null; readonly due: Money | null },
  dateOf: DateOf,
): OutcomeChange | null {
  const { invoiceRef } = event.data
  const invoice = invoices.get(keyOf(event))
  if (invoice === undefined || invoice.outcome === 'recovered') return null
  const { cause, failedAt, failedIn, currency } = invoice
  const attempts = event.type === 'PaymentFailed' ? 1 : 0
  const from = { outcome: invoice.outcome, amount: invoice.amount }
  const to = { outcome: outcome ?? from.outcome, amount: due?.amount ?? invoice.amount }
  if (attempts === 0 && from.outcome === to.outcome && from.amount === to.amount) return null
  invoice.outcome = to.outcome
  invoice.amount = to.amount
  const at = dateOf(event.metadata.occurredAt)
  if (invoice.date < at.date) invoice.date = at.date
  const { date } = invoice
  const elapsed = Math.floor((Date.parse(event.metadata.occurredAt) - failedAt) / msOfDay)
  const days = outcome === 'recovered' ? Math.max(0, elapsed) : null
  const of = { eventId: event.id, invoiceRef, cause, failedIn, currency, ...at, date }
  return { ...of, from, to, days, attempts }
}
