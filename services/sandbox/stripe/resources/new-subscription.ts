import type Stripe from 'stripe'
import { periodEnd } from '../../billing/periods.ts'
import { newId } from '../../store/ids.ts'
import type { Customer, Price, Subscription } from '../../store/stripe-objects.ts'
import { planOfPrice } from '../catalogue.ts'
import { wholeList } from '../list-page.ts'

interface NewSubscription {
  readonly customer: Customer
  readonly price: Price
  readonly quantity: number
  readonly paymentMethod: string
  readonly metadata: Stripe.Metadata
  readonly description: string | null
  readonly now: number
}

/** An active subscription whose first period begins now. Not saved yet. */
export function newSubscription({
  customer,
  price,
  quantity,
  paymentMethod,
  metadata: given,
  description,
  now,
}: NewSubscription): Subscription {
  const id = newId('subscription')
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: price.currency,
    customer: customer.id,
    customer_account: null,
    days_until_due: null,
    default_payment_method: paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: wholeList(`/v1/subscription_items?subscription=${id}`, [
      {
        id: newId('subscription_item'),
        object: 'subscription_item' as const,
        billing_thresholds: null,
        created: now,
        current_period_end: periodEnd(now, now, price),
        current_period_start: now,
        current_trial: null,
        discounts: [],
        metadata: {},
        plan: planOfPrice(price),
        price,
        quantity,
        subscription: id,
        tax_rates: [],
      },
    ]),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: given,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'active',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: null,
  } satisfies Subscription
}
