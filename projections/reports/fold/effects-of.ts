import type { ReportName } from '#contracts/finance/report-columns'
import type { AccountingDates } from '#services/finance/accounting-date'
import type { FinanceEvent } from '#services/finance/finance-event'
import { foldFailedPayments } from '#services/finance/failed-payments/fold-failed-payments'
import { bookEvent } from '#services/finance/ledger/book-event'
import { bookingTimeOf, type BookingTime } from '#services/finance/ledger/booking-time'
import type { Booking, CustomerBooks } from '#services/finance/ledger/books'
import { foldRefunds } from '#services/finance/refunds/fold-refunds'
import {
  balanceContributions,
  recognizedContributions,
  revenueContributions,
} from '#services/finance/reports/entry-contributions'
import {
  mrrContributions,
  outcomeContributions,
  payingContributions,
  refundContributions,
  statusContributions,
} from '#services/finance/reports/change-contributions'
import type { Contribution } from '#services/finance/reports/report-types'
import { foldSubscriptions } from '#services/finance/subscriptions/fold-subscriptions'
import type { SubscriptionChange } from '#services/finance/subscriptions/subscription-change'
import { unreachable } from '#services/foundation/decider'
import type { CustomerState } from './customer-states.ts'

/** What an event adds to a figure. */
export interface Addition {
  readonly report: ReportName
  readonly contribution: Contribution
}

/** A booking, and when it is booked. */
export type DatedBooking = Booking & { readonly time: BookingTime }

interface Effects {
  readonly booked: CustomerBooks
  /** Null if the event books nothing. */
  readonly booking: DatedBooking | null
  /** Without recognition, which has no fixed day. */
  readonly additions: readonly Addition[]
}

/**
 * Folds one event by the rules of finance. Changes the state of the customer, and not the books.
 */
export function effectsOf(
  { subscriptions, invoices, refunds }: CustomerState,
  books: CustomerBooks,
  event: FinanceEvent,
  dates: AccountingDates,
): Effects {
  const rules = { dayOf: dates.dayOf, closedThrough: dates.closedThrough() }
  const { books: booked, booking } = bookEvent(books, event, rules)
  const outcome = foldFailedPayments(invoices, event, dates.dateOf)
  const refund = foldRefunds(refunds, event, dates.dateOf)
  return {
    booked,
    booking:
      booking.entries.length === 0 && booking.schedule === null
        ? null
        : { ...booking, time: bookingTimeOf(event.metadata.occurredAt, rules) },
    additions: [
      ...booking.entries.flatMap((entry) => [
        ...of('revenue', revenueContributions(entry)),
        ...of('recognized', recognizedContributions(entry)),
        ...of('trial-balance', balanceContributions(entry)),
      ]),
      ...foldSubscriptions(subscriptions, event, dates.dateOf).flatMap(additionsOf),
      ...(outcome === null ? [] : of('failed-payments', outcomeContributions(outcome))),
      ...(refund === null ? [] : of('refunds', refundContributions(refund))),
    ],
  }
}

function additionsOf(change: SubscriptionChange): readonly Addition[] {
  switch (change.type) {
    case 'mrr':
      return of('mrr', mrrContributions(change))
    case 'status':
      return of('subscriptions', statusContributions(change))
    case 'paying':
      return of('retention', payingContributions(change))
    default:
      return unreachable(change)
  }
}

function of(report: ReportName, contributions: readonly Contribution[]): readonly Addition[] {
  return contributions.map((contribution) => ({ report, contribution }))
}
