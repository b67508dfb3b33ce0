import { idAtProvider, textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import { paidOutside, type SubscriptionTerms } from '#contracts/events/billing-parts'
import { statusAfter } from '#contracts/subscription-status'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import { streamOwner } from '#services/foundation/stream-names'
import { customerOf, type FinanceEvent, type FinanceEventOf } from '../finance-event.ts'
import { noFirstEvent } from '../no-first-event.ts'
import type {
  ComparedField,
  ComparedValues,
  LinkedCustomers,
  LogRecord,
  LogSide,
} from './compared-record.ts'

/** What the log says about the objects of the provider. Plain values: no event is kept. */
export interface LogRecords extends LogSide {
  readonly records: Map<ProviderRef, LogRecord>
  readonly customers: Map<string, LinkedCustomers>
  /** The object at the provider by the product's id, which the later events of an object name. */
  readonly refs: Map<string, ProviderRef>
}

export function noLogRecords(): LogRecords {
  return { records: new Map(), customers: new Map(), refs: new Map() }
}

/** An administrator's override and a plan that will change later are not at the provider. */
const reconciliation = eventConsumer({
  name: 'reconciliation',
  concernedBy: ['customer', 'subscription', 'money', 'platform-fee'],
  ignores: [
    'BillingDetailsChanged',
    'PaymentMethodChanged',
    'PlanChangeScheduled',
    'PlanChangeDropped',
    'RecurringDeductionsChanged',
    'RefundRequested',
    'RefundRefused',
    'RefundStatusOverridden',
    'DisputeFeeCharged',
  ],
})
export const comparedTypes = reconciliation.folds

/**
 * Folds the next event of the log into the records, which it changes. An administrator's override
 * of a refund changes nothing: the provider's status is compared.
 *
 * @throws DamagedHistory if an event names an object that has no first event
 */
export function foldLogRecords(log: LogRecords, event: FinanceEvent): void {
  if (!reconciliation.isFolded(event)) return
  switch (event.type) {
    case 'PaymentCustomerLinked':
      return link(log, event)
    case 'PaymentSucceeded':
      return pay(log, event)
    case 'PaymentFailed':
    case 'UnpaidInvoiceChanged':
      return leaveUnpaid(log, event, 'open')
    case 'InvoiceWrittenOff':
      return leaveUnpaid(log, event, event.data.how === 'voided' ? 'void' : event.data.how)
    case 'RefundRecorded': {
      const { refundId, refundRef: id, amount, status, paymentRef } = event.data
      const values = { payment: idAtProvider(paymentRef), status, ...ofMoney(amount) }
      return add(log, event, { kind: 'refund', id, ownId: refundId, amount, values })
    }
    case 'RefundStatusChanged':
      return change(log, event, event.data.refundId, { status: event.data.to })
    case 'CreditNoteIssued': {
      const { creditNoteId: ownId, creditNoteRef: id, total: amount, invoiceRef } = event.data
      const values = { invoice: idAtProvider(invoiceRef), status: 'issued', ...ofMoney(amount) }
      return add(log, event, { kind: 'credit note', id, ownId, amount, values })
    }
    case 'CreditNoteVoided':
      return change(log, event, event.data.creditNoteId, { status: 'void' })
    case 'DisputeOpened': {
      const { disputeId: ownId, disputeRef: id, amount, kind: status } = event.data
      const values = { payment: idAtProvider(event.data.paymentRef), status, ...ofMoney(amount) }
      if (log.records.has(id)) return change(log, event, ownId, { status, ...ofMoney(amount) })
      return add(log, event, { kind: 'dispute', id, ownId, amount, values })
    }
    case 'DisputeClosed':
      return change(log, event, event.data.disputeId, { status: event.data.outcome })
    case 'PlatformFeeCharged': {
      const { feeRef: id, amount, currency } = event.data
      const money = { amount, currency }
      const values = { ...ofMoney(money), returned: { amount: 0, currency } }
      return add(log, event, { kind: 'fee', id, ownId: textOfRef(id), amount: money, values })
    }
    case 'PlatformFeeReturned':
      return returnFee(log, event)
    case 'SubscriptionStarted': {
      const { subscriptionId: ownId, subscriptionRef: id, status, price } = event.data
      const { currentPeriodEnd } = event.data
      const values = {
        status,
        ...ofTerms(event.data),
        period_end: currentPeriodEnd,
        cancel_at: null,
      }
      return add(log, event, { kind: 'subscription', id, ownId, amount: price, values })
    }
    case 'SubscriptionRenewed':
      return change(log, event, event.data.subscriptionId, {
        period_end: event.data.currentPeriodEnd,
      })
    case 'SubscriptionStatusChanged':
      return change(log, event, event.data.subscriptionId, { status: event.data.to })
    case 'SubscriptionPaused':
      return change(log, event, event.data.subscriptionId, { status: 'paused' })
    case 'SubscriptionResumed':
      return change(log, event, event.data.subscriptionId, { status: event.data.status })
    case 'PlanChanged':
      return change(log, event, event.data.subscriptionId, {
        ...ofTerms(event.data.to),
        period_end: event.data.currentPeriodEnd,
      })
    case 'CancellationScheduled':
      return change(log, event, event.data.subscriptionId, { cancel_at: event.data.effectiveAt })
    case 'CancellationWithdrawn':
      return change(log, event, event.data.subscriptionId, { cancel_at: null })
    case 'SubscriptionEnded':
      return end(log, event)
    default:
      return unreachable(event)
  }
}

function link(
  { customers }: LogRecords,
  { id, stream, data }: FinanceEventOf<'PaymentCustomerLinked'>,
): void {
  const userId = streamOwner(stream)
  const before = customers.get(userId)?.customerRefs ?? []
  customers.set(userId, {
    customerRefs: [...before.filter((each) => each !== data.customerRef), data.customerRef],
    eventId: id,
  })
}

/** A payment is final: a later event about its invoice changes nothing. */
function pay({ records }: LogRecords, event: FinanceEventOf<'PaymentSucceeded'>): void {
  const { invoiceRef: id, amounts, paidBy, paymentRef } = event.data
  if (records.get(id)?.values.status === 'paid') return
  const { currency, total, tax, paid } = amounts
  const money = (amount: number) => ({ amount, currency })
  const values = {
    invoice: idAtProvider(id),
    status: 'paid',
    currency,
    amount: money(total),
    tax: money(tax),
    paid: money(paid),
    // Credit of the customer's balance, or money outside the provider, makes no charge.
    charged: money(paymentRef === null ? 0 : paid - paidOutside(paidBy)),
  }
  records.set(id, {
    ...recordOf(event),
    kind: 'payment',
    id,
    paymentRef,
    amount: money(total),
    values,
    eventIds: eventIdsOf(event.id, values),
  })
}

function leaveUnpaid(
  { records }: LogRecords,
  event: FinanceEventOf<'PaymentFailed' | 'UnpaidInvoiceChanged' | 'InvoiceWrittenOff'>,
  status: 'open' | 'void' | 'uncollectible',
): void {
  const { invoiceRef: id, due } = event.data
  const known = records.get(id)
  if (known?.values.status === 'paid') return
  const values = { invoice: idAtProvider(id), status, currency: due.currency }
  records.set(id, {
    ...(known ?? recordOf(event)),
    kind: 'payment',
    id,
    paymentRef: null,
    amount: due,
    values,
    eventIds: eventIdsOf(event.id, values),
  })
}

function returnFee(log: LogRecords, event: FinanceEventOf<'PlatformFeeReturned'>): void {
  const { feeRef, amount, currency } = event.data
  const before = recordById(log, event, textOfRef(feeRef)).values.returned
  const sum = typeof before === 'object' && before !== null ? before.amount + amount : amount
  change(log, event, textOfRef(feeRef), { returned: { amount: sum, currency } })
}

/** The end is final. Only the provider has a period and a planned end of an ended subscription. */
function end({ records, refs }: LogRecords, event: FinanceEventOf<'SubscriptionEnded'>): void {
  const known = recordById({ records, refs }, event, event.data.subscriptionId)
  const { period_end: _period, cancel_at: _cancel, ...values } = known.values
  records.set(known.id, {
    ...known,
    until: event.data.endedAt,
    values: { ...values, status: statusAfter(event.data.why) },
    eventIds: { ...known.eventIds, status: event.id },
  })
}

function add(
  { records, refs }: LogRecords,
  event: FinanceEvent,
  {
    ownId,
    ...object
  }: Pick<LogRecord, 'kind' | 'id' | 'amount' | 'values'> & { readonly ownId: string },
): void {
  refs.set(ownId, object.id)
  // The id of the event is made from the object: a second first event is a repeat.
  if (records.has(object.id)) return
  records.set(object.id, {
    ...recordOf(event),
    ...object,
    paymentRef: null,
    until: object.kind === 'subscription' ? null : event.metadata.occurredAt,
    eventIds: eventIdsOf(event.id, object.values),
  })
}

function change(
  { records, refs }: LogRecords,
  event: FinanceEvent,
  ownId: string,
  values: ComparedValues,
): void {
  const known = recordById({ records, refs }, event, ownId)
  // The end is final: an event about an ended subscription changes nothing.
  if (known.kind === 'subscription' && known.until !== null) return
  records.set(known.id, {
    ...known,
    values: { ...known.values, ...values },
    eventIds: { ...known.eventIds, ...eventIdsOf(event.id, values) },
  })
}

function recordById(
  { records, refs }: Pick<LogRecords, 'records' | 'refs'>,
  event: FinanceEvent,
  ownId: string,
): LogRecord {
  const ref = refs.get(ownId)
  const known = ref === undefined ? undefined : records.get(ref)
  if (known === undefined) throw noFirstEvent(event, ownId)
  return known
}

function recordOf(event: FinanceEvent) {
  const { id, metadata } = event
  const { occurredAt } = metadata
  return { userId: customerOf(event), eventId: id, at: occurredAt, until: occurredAt }
}

function ofMoney(amount: { readonly amount: number; readonly currency: string }) {
  return { amount, currency: amount.currency }
}

function ofTerms({ priceRef, price, quantity }: SubscriptionTerms) {
  return { price: idAtProvider(priceRef), unit_amount: price, currency: price.currency, quantity }
}

function eventIdsOf(eventId: string, values: ComparedValues): LogRecord['eventIds'] {
  return Object.fromEntries(Object.keys(values).map((field) => [field, eventId])) as Partial<
    Record<ComparedField, string>
  >
}
