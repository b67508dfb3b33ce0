import type Stripe from 'stripe'
import type { Decline } from '../../billing/cards.ts'
import { newId, randomText } from '../../store/ids.ts'
import type { PaymentIntent, PaymentMethod, Wire } from '../../store/stripe-objects.ts'
import { missing } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { reading, type Operation } from '../operation.ts'
import { created, paging, paramsOf, text } from '../params.ts'

interface Details {
  readonly customer: string | null
  readonly description: string | null
  readonly now: number
  readonly metadata?: Record<string, string>
  /** Whether the card may be charged later without the card holder. */
  readonly isForLater?: boolean
  /** Of a direct charge on a connected account: the platform's application and its fee. */
  readonly application?: string | null
  readonly applicationFee?: number | null
}

/** An amount to collect by card. Not saved and not charged yet. */
export function newPaymentIntent(
  amount: { readonly amount: number; readonly currency: string },
  details: Details,
): PaymentIntent {
  const id = newId('payment_intent')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount: amount.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: details.application ?? null,
    application_fee_amount: details.applicationFee ?? null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: details.now,
    currency: amount.currency,
    customer: details.customer,
    customer_account: null,
    description: details.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: details.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: (details.isForLater ?? true) ? 'off_session' : null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  } satisfies PaymentIntent
}

/**
 * The last error of an intent whose card was declined. The error holds the card; the intent no
 * longer does.
 */
export function paymentError(
  decline: Decline,
  method: PaymentMethod,
  charge: string,
): Wire<Stripe.PaymentIntent.LastPaymentError> {
  return {
    charge,
    code: decline.code,
    decline_code: decline.declineCode,
    message: decline.message,
    payment_method: method,
    type: 'card_error',
  }
}

const listParams = paramsOf<Stripe.PaymentIntentListParams>()({
  ...paging,
  created: created.optional(),
  customer: text.optional(),
})

export const paymentIntentOperations: readonly Operation[] = [
  reading('/v1/payment_intents', listParams, ({ tx, params }) =>
    listPage(
      tx,
      'payment_intent',
      '/v1/payment_intents',
      params,
      having(['customer'], params.customer),
    ),
  ),
  reading(
    '/v1/payment_intents/:id',
    paramsOf<Stripe.PaymentIntentRetrieveParams>()({}),
    async ({ tx, id }) => {
      const intent = await tx.find('payment_intent', id)
      if (!intent) throw missing('payment_intent', id)
      return intent
    },
  ),
]
