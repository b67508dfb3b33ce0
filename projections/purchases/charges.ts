import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { paymentMethodText } from '#projections/shared/payment-method-text'
import { streamOwner } from '#services/foundation/stream-names'
import type { ChargeRow } from './rows.ts'

type Event<Type extends BillingEvent['type']> = RecordedEvent<Extract<BillingEvent, { type: Type }>>

export function chargeOf({ stream, data, metadata }: Event<'PaymentSucceeded'>): ChargeRow {
  return {
    charge_id: data.paymentId,
    user_id: streamOwner(stream),
    payment_id: data.paymentId,
    invoice_id: data.invoiceId,
    stripe_payment_intent_id: data.stripePaymentIntentId,
    subscription_id: data.subscriptionId,
    status: 'paid',
    amount_minor: data.total.amount,
    currency: data.total.currency,
    plan_id: data.planId,
    plan_name: data.planName,
    payment_method: paymentMethodText(data.method),
    period_end: new Date(data.periodEnd),
    occurred_at: new Date(metadata.occurredAt),
  }
}

/** Each failed attempt stays in the history, even if a later attempt succeeds. */
export function failedChargeOf({ stream, data, metadata }: Event<'PaymentFailed'>): ChargeRow {
  return {
    charge_id: `${data.paymentId}_attempt_${data.attempt}`,
    user_id: streamOwner(stream),
    payment_id: data.paymentId,
    invoice_id: data.invoiceId,
    stripe_payment_intent_id: data.stripePaymentIntentId,
    subscription_id: data.subscriptionId,
    status: 'failed',
    amount_minor: data.due.amount,
    currency: data.due.currency,
    plan_id: null,
    plan_name: data.planName,
    payment_method: paymentMethodText(data.method),
    period_end: null,
    occurred_at: new Date(metadata.occurredAt),
  }
}
