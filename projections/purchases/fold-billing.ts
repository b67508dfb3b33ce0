import type { BillingEvent } from '#contracts/events/billing'
import { collectedBy } from '#contracts/events/billing-parts'
import type { DomainEvent, RecordedEvent } from '#contracts/events/catalogue'
import type { Instant } from '#contracts/instant'
import { renewalBeforeEnd } from '#contracts/renewal-before-end'
import { isActivation, statusAfter, type StartedStatus } from '#contracts/subscription-status'
import { intervalText } from '#contracts/billing-interval'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import { streamOwner } from '#services/foundation/stream-names'
import { foldAfterPayment, type AfterPaymentRows } from './after-payment.ts'
import {
  addPlanPeriod,
  paidPeriodOf,
  shortenedBy,
  type PlanPeriod,
} from '#projections/shared/paid-time'
import {
  chargeOf,
  failedChargeOf,
  receiptOf,
  withPaidPeriod,
  writtenOffChargeOf,
} from './charges.ts'
import { partiesOf } from './parties.ts'
import { isPlanned, planChangeRow, planColumns, plannedChangeOf } from './plan-changes.ts'
import type {
  ChangeRow,
  ChargeRow,
  DefaultMethodRow,
  PartiesRow,
  ReceiptRow,
  SubscriptionRow,
  UnpaidInvoiceRow,
} from './rows.ts'
import { changedInvoice, unpaidInvoiceOf } from './unpaid-invoices.ts'

/** The rows that a batch reads and changes, by id. */
export interface BillingRows extends AfterPaymentRows {
  readonly subscriptions: Map<string, SubscriptionRow>
  readonly charges: Map<string, ChargeRow>
  readonly receipts: Map<string, ReceiptRow>
  readonly unpaidInvoices: Map<string, UnpaidInvoiceRow>
  /** By user. */
  readonly defaultMethods: Map<string, DefaultMethodRow>
  readonly changes: Map<string, ChangeRow>
  readonly parties: Map<string, PartiesRow>
}

/**
 * Checkouts, the customer at the provider, what an invoice will have less than the price, and fees
 * that the product pays change no purchase. `provider-customers.ts` folds the
 * link to the customer.
 */
export const purchaseBilling = eventConsumer({
  name: 'purchases',
  concernedBy: ['customer', 'subscription', 'money'],
  ignores: [
    'PaymentCustomerLinked',
    'BillingDetailsChanged',
    'RefundRequested',
    'RefundRefused',
    'RecurringDeductionsChanged',
    'DisputeFeeCharged',
  ],
})

export type FoldedBillingEvent = Extract<DomainEvent, { type: FoldedBy<typeof purchaseBilling> }>

type Event<Type extends BillingEvent['type']> = RecordedEvent<Extract<BillingEvent, { type: Type }>>

/** Folds one event into the rows of its batch. */
export function foldBilling(rows: BillingRows, event: RecordedEvent<FoldedBillingEvent>): void {
  switch (event.type) {
    case 'SubscriptionStarted':
      return setSubscription(rows, startedSubscription(event))
    case 'SubscriptionRenewed':
      return setSubscription(rows, {
        ...subscriptionOf(rows, event.data),
        current_period_start: new Date(event.data.currentPeriodStart),
        current_period_end: new Date(event.data.currentPeriodEnd),
      })
    case 'SubscriptionStatusChanged':
      setStatus(rows, event.data, event.data.to, null)
      return activate(rows, event)
    case 'SubscriptionPaused':
      return setStatus(rows, event.data, 'paused', event.data.resumesAt)
    case 'SubscriptionResumed':
      return setStatus(rows, event.data, event.data.status, null)
    case 'PlanChangeScheduled':
      return schedulePlanChange(rows, event)
    case 'PlanChangeDropped':
      return setSubscription(rows, withoutPlannedChange(rows, event))
    case 'PlanChanged':
      return changePlan(rows, event)
    case 'CancellationScheduled':
      return scheduleCancellation(rows, event)
    case 'CancellationWithdrawn':
      return withdrawCancellation(rows, event)
    case 'SubscriptionEnded':
      return endSubscription(rows, event)
    case 'PaymentSucceeded':
      rows.receipts.set(event.data.paymentId, receiptOf(event))
      closeInvoice(rows, event.data)
      learnMethod(rows, event)
      setParties(rows, partiesOf(event.data.paymentId, event))
      return setCharge(rows, coveringCharge(chargeOf(event), rows))
    case 'PaymentMethodChanged':
      return setMethod(rows, event, event.data.method)
    case 'PaymentFailed':
      rows.unpaidInvoices.set(event.data.paymentId, unpaidInvoiceOf(event))
      return setCharge(rows, failedChargeOf(event))
    case 'UnpaidInvoiceChanged': {
      const { paymentId } = event.data
      const changed = changedInvoice(rows.unpaidInvoices.get(paymentId), event)
      if (changed) rows.unpaidInvoices.set(paymentId, changed)
      return
    }
    case 'InvoiceWrittenOff':
      closeInvoice(rows, event.data)
      return setCharge(rows, writtenOffChargeOf(event))
    case 'RefundRecorded':
      setParties(rows, partiesOf(event.data.refundId, event))
      return foldAfterPayment(rows, event)
    case 'CreditNoteIssued':
      setParties(rows, partiesOf(event.data.creditNoteId, event))
      return foldAfterPayment(rows, event)
    case 'RefundStatusChanged':
    case 'RefundStatusOverridden':
    case 'CreditNoteVoided':
    case 'DisputeOpened':
    case 'DisputeClosed':
      return foldAfterPayment(rows, event)
    default:
      return unreachable(event)
  }
}

function subscriptionOf(
  rows: BillingRows,
  { subscriptionId }: { subscriptionId: string },
): SubscriptionRow {
  const known = rows.subscriptions.get(subscriptionId)
  if (!known)
    throw new DamagedHistory(
      `Subscription ${subscriptionId} has no SubscriptionStarted before this event. Run 'billing events verify'.`,
    )
  return known
}

function setSubscription(rows: BillingRows, subscription: SubscriptionRow): void {
  rows.subscriptions.set(subscription.subscription_id, subscription)
}

/** An end is final: the status of an ended subscription does not change. */
function setStatus(
  rows: BillingRows,
  of: { subscriptionId: string },
  status: StartedStatus,
  resumesAt: Instant | null,
): void {
  const subscription = subscriptionOf(rows, of)
  if (subscription.ended_at !== null) return
  const resumes_at = resumesAt === null ? null : new Date(resumesAt)
  setSubscription(rows, { ...subscription, status, resumes_at })
}

function activate(rows: BillingRows, { data, metadata }: Event<'SubscriptionStatusChanged'>): void {
  const subscription = subscriptionOf(rows, data)
  if (subscription.ended_at !== null || !isActivation(data.from, data.to)) return
  setSubscription(rows, { ...subscription, activated_at: new Date(metadata.occurredAt) })
}

/** The charge as plan changes that are known before it shorten its period. */
function coveringCharge(charge: ChargeRow, { subscriptions }: BillingRows): ChargeRow {
  const known = subscriptions.get(charge.subscription_id ?? '')?.plan_periods ?? []
  return withPaidPeriod(charge, (period) => paidPeriodOf(period, known))
}

/** A plan change shortens the earlier charges of its subscription. */
function shortenCharges(
  rows: BillingRows,
  { subscriptionId }: { readonly subscriptionId: string },
  change: PlanPeriod,
): void {
  for (const charge of rows.charges.values())
    if (charge.subscription_id === subscriptionId)
      setCharge(
        rows,
        withPaidPeriod(charge, (period) => shortenedBy(period, change)),
      )
}

function setParties({ parties }: BillingRows, row: PartiesRow): void {
  parties.set(row.document_id, row)
}

function setCharge(rows: BillingRows, charge: ChargeRow): void {
  rows.charges.set(charge.charge_id, charge)
}

/** The provider no longer collects the invoice, because it is paid or written off. */
function closeInvoice(rows: BillingRows, { paymentId }: { readonly paymentId: string }): void {
  const known = rows.unpaidInvoices.get(paymentId)
  if (known) rows.unpaidInvoices.set(paymentId, { ...known, is_open: false })
}

/**
 * The first payment shows the means. Later, only the provider's default for the next payment
 * counts.
 */
function learnMethod(rows: BillingRows, event: Event<'PaymentSucceeded'>): void {
  const method = collectedBy(event.data.paidBy)
  if (method !== null && !rows.defaultMethods.has(streamOwner(event.stream)))
    setMethod(rows, event, method)
}

function setMethod(
  rows: BillingRows,
  { stream }: { readonly stream: string },
  method: DefaultMethodRow['method'],
): void {
  const user_id = streamOwner(stream)
  rows.defaultMethods.set(user_id, { user_id, method })
}

function startedSubscription({
  stream,
  data,
  metadata,
}: Event<'SubscriptionStarted'>): SubscriptionRow {
  return {
    subscription_id: data.subscriptionId,
    user_id: streamOwner(stream),
    subscription_ref: data.subscriptionRef,
    ...planColumns(data),
    status: data.status,
    started_at: new Date(metadata.occurredAt),
    activated_at: isActivation(null, data.status) ? new Date(metadata.occurredAt) : null,
    current_period_start: new Date(data.currentPeriodStart),
    current_period_end: new Date(data.currentPeriodEnd),
    cancel_at: null,
    cancellation_id: null,
    planned_change: null,
    plan_periods: [],
    resumes_at: null,
    ended_at: null,
  }
}

/** A planned change replaces an earlier planned change of the subscription. */
function schedulePlanChange(rows: BillingRows, event: Event<'PlanChangeScheduled'>): void {
  const subscription = withoutPlannedChange(rows, event)
  rows.changes.set(event.id, planChangeRow(subscription, event, null))
  setSubscription(rows, { ...subscription, planned_change: plannedChangeOf(event) })
}

/** The subscription without its planned change, whose row is marked as withdrawn. */
function withoutPlannedChange(
  rows: BillingRows,
  event: Event<'PlanChangeScheduled' | 'PlanChangeDropped' | 'SubscriptionEnded'>,
): SubscriptionRow {
  const subscription = subscriptionOf(rows, event.data)
  const planned = rows.changes.get(subscription.planned_change?.change_id ?? '')
  if (planned)
    rows.changes.set(planned.change_id, {
      ...planned,
      withdrawn_at: new Date(event.metadata.occurredAt),
    })
  return { ...subscription, planned_change: null }
}

/** A planned change that takes effect keeps its row: the request stays dated. */
function changePlan(rows: BillingRows, event: Event<'PlanChanged'>): void {
  const { to, currentPeriodStart, currentPeriodEnd } = event.data
  const subscription = subscriptionOf(rows, event.data)
  const nextBilling = new Date(currentPeriodEnd)
  const change = planChangeRow(subscription, event, nextBilling)
  const wasPlanned = isPlanned(subscription, event.data)
  const planned = wasPlanned
    ? rows.changes.get(subscription.planned_change?.change_id ?? '')
    : undefined
  const row = planned
    ? { ...change, change_id: planned.change_id, requested_at: planned.requested_at }
    : change
  rows.changes.set(row.change_id, row)
  const planPeriod = { at: event.data.effectiveAt, until: currentPeriodEnd }
  shortenCharges(rows, event.data, planPeriod)
  setSubscription(rows, {
    ...subscription,
    ...planColumns(to),
    plan_periods: addPlanPeriod(subscription.plan_periods, planPeriod),
    planned_change: wasPlanned ? null : subscription.planned_change,
    current_period_start: new Date(currentPeriodStart),
    current_period_end: nextBilling,
  })
}

/**
 * Adds a change at the first request. A repeated request only changes the effective date of the
 * same change.
 */
function scheduleCancellation(rows: BillingRows, event: Event<'CancellationScheduled'>): void {
  const subscription = subscriptionOf(rows, event.data)
  const effectiveAt = new Date(event.data.effectiveAt)
  const change = changeOf(rows, subscription) ?? cancellationOf(subscription, event, effectiveAt)
  rows.changes.set(change.change_id, {
    ...change,
    effective_at: effectiveAt,
    new_next_billing: billingBefore(effectiveAt, subscription),
  })
  setSubscription(rows, {
    ...subscription,
    cancel_at: effectiveAt,
    cancellation_id: change.change_id,
  })
}

function withdrawCancellation(rows: BillingRows, event: Event<'CancellationWithdrawn'>): void {
  const subscription = subscriptionOf(rows, event.data)
  const change = changeOf(rows, subscription)
  if (change)
    rows.changes.set(change.change_id, {
      ...change,
      withdrawn_at: new Date(event.metadata.occurredAt),
    })
  setSubscription(rows, { ...subscription, cancel_at: null, cancellation_id: null })
}

/**
 * If no cancellation was scheduled, the end adds a cancellation that takes effect at once. The end
 * of a subscription that was never paid is no cancellation.
 */
function endSubscription(rows: BillingRows, event: Event<'SubscriptionEnded'>): void {
  const subscription = withoutPlannedChange(rows, event)
  const endedAt = new Date(event.data.endedAt)
  const ended = {
    ...subscription,
    status: statusAfter(event.data.why),
    resumes_at: null,
    ended_at: endedAt,
  }
  if (event.data.why === 'expired') return setSubscription(rows, ended)
  const change = changeOf(rows, subscription) ?? cancellationOf(subscription, event, endedAt)
  rows.changes.set(change.change_id, {
    ...change,
    effective_at: endedAt,
    new_next_billing: null,
  })
  setSubscription(rows, { ...ended, cancellation_id: change.change_id })
}

/** The next billing; null if the cancellation takes effect before. */
function billingBefore(effectiveAt: Date, { current_period_end: end }: SubscriptionRow) {
  return renewalBeforeEnd(end.toISOString(), effectiveAt.toISOString()) === null ? null : end
}

function changeOf(rows: BillingRows, { cancellation_id }: SubscriptionRow): ChangeRow | undefined {
  return cancellation_id === null ? undefined : rows.changes.get(cancellation_id)
}

function cancellationOf(
  subscription: SubscriptionRow,
  event: RecordedEvent<FoldedBillingEvent>,
  effectiveAt: Date,
): ChangeRow {
  return {
    change_id: event.id,
    user_id: subscription.user_id,
    subscription_id: subscription.subscription_id,
    change_type: 'cancellation',
    requested_at: new Date(event.metadata.occurredAt),
    effective_at: effectiveAt,
    withdrawn_at: null,
    old_plan_name: subscription.plan_name,
    new_plan_name: null,
    old_interval: intervalText({
      count: subscription.interval_count,
      unit: subscription.interval_unit,
    }),
    new_interval: null,
    old_next_billing: subscription.current_period_end,
    new_next_billing: null,
    proration_minor: null,
    currency: subscription.currency,
  }
}
