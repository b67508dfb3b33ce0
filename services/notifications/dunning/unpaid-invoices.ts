import type { BillingEvent } from '#contracts/events/billing'
import type { PaymentMethod, WayOfPayment } from '#contracts/events/billing-parts'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { declineReason } from '#contracts/decline-reason'
import type { Instant } from '#contracts/instant'
import type { DunningEvent } from '#contracts/events/dunning'
import type { EventMetadata } from '#contracts/events/envelope'
import type { Money } from '#contracts/money'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import { isSameCard } from '../reminders/reminder-decider.ts'

type DunnedInvoice = Extract<DunningEvent, { type: 'DunningStarted' }>['data']

/** An invoice of a subscription whose payment failed at least once. */
export interface FailedInvoice extends DunnedInvoice {
  /** What the invoice asks for now: a credit note can have reduced it. */
  readonly open: Money
  /** Why the latest attempt failed: a sentence. */
  readonly reason: string
  /** The provider's next attempt, by the latest failure; null if it plans none. */
  readonly nextAttemptAt: Instant | null
  /** The means of the latest failed payment. */
  readonly method: PaymentMethod | null
  /**
   * The means that the customer entered after a failure, and that has not failed for this invoice:
   * the next attempt uses it. Null without one.
   */
  readonly newMethod: PaymentMethod | null
  /** `unpaid`: the provider still collects it, and the subscription has not ended. */
  readonly standing: 'unpaid' | 'recovered' | 'canceled' | 'written-off'
  /** The money that paid the invoice, and the ways. Null while it is not paid. */
  readonly payment: { readonly paid: Money; readonly paidBy: readonly WayOfPayment[] } | null
}

export type DatedBillingEvent = BillingEvent & {
  readonly metadata: Pick<EventMetadata, 'occurredAt'>
}

const unpaidInvoices = eventConsumer({
  name: 'unpaid invoices',
  concernedBy: ['standing', 'payment', 'customer'],
  ignores: [
    'PaymentCustomerLinked',
    'BillingDetailsChanged',
    'SubscriptionPaused',
    'SubscriptionResumed',
  ],
})

/**
 * The invoices that a customer was or is reminded of, in the order of their first failure. The
 * first payment of a new subscription is none of them: its customer sees the failure on the
 * checkout page.
 */
export function failedInvoices(history: readonly DatedBillingEvent[]): readonly FailedInvoice[] {
  const failed = new Map<ProviderRef, DunnedInvoice>()
  const latest = new Map<
    ProviderRef,
    Pick<FailedInvoice, 'open' | 'nextAttemptAt' | 'method' | 'reason'>
  >()
  const failedMethods = new Map<ProviderRef, PaymentMethod[]>()
  const entered = new Map<ProviderRef, PaymentMethod | null>()
  const payments = new Map<ProviderRef, NonNullable<FailedInvoice['payment']>>()
  const writtenOff = new Set<ProviderRef>()
  const standings = new Map<string, 'incomplete' | 'begun' | 'ended'>()
  for (const event of history) {
    if (!unpaidInvoices.isFolded(event)) continue
    switch (event.type) {
      case 'SubscriptionStarted':
        standings.set(event.data.subscriptionId, begunBy(event.data.status))
        break
      case 'SubscriptionStatusChanged':
        if (standings.get(event.data.subscriptionId) !== 'ended')
          standings.set(event.data.subscriptionId, begunBy(event.data.to))
        break
      case 'SubscriptionEnded':
        standings.set(event.data.subscriptionId, 'ended')
        break
      case 'PaymentFailed': {
        const { invoiceRef, paymentId, subscriptionId, planName, due, nextAttemptAt, method } =
          event.data
        const reason = declineReason(event.data.code, event.data.reason)
        latest.set(invoiceRef, { open: due, nextAttemptAt, method, reason })
        if (method !== null)
          failedMethods.set(invoiceRef, [...(failedMethods.get(invoiceRef) ?? []), method])
        // A later attempt for the same invoice changes nothing: the days count from the first one.
        if (subscriptionId === null || failed.has(invoiceRef)) break
        const startedAt = event.metadata.occurredAt
        failed.set(invoiceRef, { invoiceRef, paymentId, subscriptionId, planName, due, startedAt })
        break
      }
      case 'UnpaidInvoiceChanged': {
        const { invoiceRef, due: open, nextAttemptAt } = event.data
        const known = latest.get(invoiceRef)
        if (known !== undefined) latest.set(invoiceRef, { ...known, open, nextAttemptAt })
        break
      }
      case 'PaymentMethodChanged':
        for (const invoiceRef of failed.keys()) entered.set(invoiceRef, event.data.method)
        break
      case 'PaymentSucceeded': {
        const { invoiceRef, amounts, paidBy } = event.data
        const paid = { amount: amounts.paid, currency: amounts.currency }
        payments.set(invoiceRef, { paid, paidBy })
        break
      }
      case 'InvoiceWrittenOff':
        writtenOff.add(event.data.invoiceRef)
        break
      default:
        unreachable(event)
    }
  }
  return [...failed.values()].flatMap((invoice) => {
    const subscription = standings.get(invoice.subscriptionId) ?? 'incomplete'
    if (subscription === 'incomplete') return []
    const payment = payments.get(invoice.invoiceRef) ?? null
    const standing =
      payment !== null
        ? 'recovered'
        : writtenOff.has(invoice.invoiceRef)
          ? 'written-off'
          : subscription === 'ended'
            ? 'canceled'
            : 'unpaid'
    const known = latest.get(invoice.invoiceRef)
    if (known === undefined) return []
    const newest = entered.get(invoice.invoiceRef) ?? null
    const hasFailed = failedMethods
      .get(invoice.invoiceRef)
      ?.some((each) => isSameCard(each, newest))
    const newMethod = hasFailed === true ? null : newest
    return [{ ...invoice, ...known, newMethod, standing, payment }]
  })
}

function begunBy(status: string): 'incomplete' | 'begun' {
  return status === 'incomplete' ? 'incomplete' : 'begun'
}
