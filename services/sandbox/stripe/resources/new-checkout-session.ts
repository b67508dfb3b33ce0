import { newId } from '../../store/ids.ts'
import type { CheckoutSession } from '../../store/stripe-objects.ts'
import { invalid } from '../errors.ts'
import type { CallContext } from '../operation.ts'
import { mergeMetadata } from '../params.ts'
import type { Order } from './checkout-order.ts'
import type { CreateParams } from './checkout-params.ts'

const day = 86_400

/**
 * An open session. Not saved yet.
 * @throws StripeRefusal if it would expire too early or too late
 */
export function newCheckoutSession(
  params: CreateParams,
  { lines, total, currency, payment }: Order,
  { customer, email }: { readonly customer: string | null; readonly email: string | null },
  now: number,
  { ownUrl }: CallContext,
): CheckoutSession {
  const expiresAt = params.expires_at ?? now + day
  if (expiresAt < now + 1_800 || expiresAt > now + day) {
    throw invalid(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    )
  }
  const id = newId('checkout.session')
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: params.adaptive_pricing ?? null,
    after_expiration: null,
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer,
    customer_account: null,
    customer_creation: customer !== null ? null : payment === null ? 'always' : 'if_required',
    customer_details: null,
    customer_email: email,
    discounts: [],
    expires_at: expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: params.locale ?? null,
    managed_payments: null,
    metadata: mergeMetadata({}, params.metadata),
    mode: params.mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: payment === null ? 'always' : 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: params.submit_type ?? null,
    subscription: null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${ownUrl}/checkout/${id}`,
    wallet_options: null,
    sandbox: {
      lineItems: lines,
      ...(payment === null ? {} : { payment }),
      subscriptionMetadata: mergeMetadata({}, params.subscription_data?.metadata),
      subscriptionDescription: params.subscription_data?.description ?? null,
      updateCustomer: {
        address: params.customer_update?.address === 'auto',
        name: params.customer_update?.name === 'auto',
      },
      paymentIntent: null,
    },
  } satisfies CheckoutSession
}
