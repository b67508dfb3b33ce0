import type Stripe from 'stripe'
import type { Decline } from '../../billing/cards.ts'
import { newId } from '../../store/ids.ts'
import {
  idOrNull,
  type Charge,
  type PaymentIntent,
  type PaymentMethod,
  type Wire,
} from '../../store/stripe-objects.ts'
import { missing } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { reading, type Operation } from '../operation.ts'
import { created, paging, paramsOf, text } from '../params.ts'

/** The charge of one attempt to collect a payment intent from a card. Not saved yet. */
export function chargeOf(
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline | null,
  now: number,
): Charge {
  const isPaid = decline === null
  return {
    id: newId('charge'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    application: intent.application,
    application_fee: null,
    application_fee_amount: intent.application_fee_amount,
    balance_transaction: null,
    billing_details: method.billing_details,
    // The descriptor of a connected account is the merchant's, which the sandbox does not have.
    calculated_statement_descriptor: intent.application === null ? 'AGILE RECEIVABLES' : null,
    captured: isPaid,
    created: now,
    currency: intent.currency,
    customer: idOrNull(intent.customer),
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcome(decline),
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: cardDetails(method, intent.amount), type: 'card' },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isPaid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  } satisfies Charge
}

/** What the network answered. */
export function outcome(decline: Decline | null): Wire<Stripe.Charge.Outcome> {
  const shared = { advice_code: null, network_advice_code: null, risk_level: 'normal' }
  return decline === null
    ? {
        ...shared,
        network_decline_code: null,
        network_status: 'approved_by_network',
        reason: null,
        seller_message: 'Payment complete.',
        type: 'authorized',
      }
    : {
        ...shared,
        network_decline_code: '05',
        network_status: 'declined_by_network',
        reason: decline.declineCode,
        seller_message: 'The bank did not return any further details with this decline.',
        type: 'issuer_declined',
      }
}

function cardDetails(
  { id, card }: PaymentMethod,
  amount: number,
): Wire<Stripe.Charge.PaymentMethodDetails.Card> {
  if (!card) throw new Error(`The payment method ${id} is no card. Use a card.`)
  return {
    amount_authorized: null,
    authorization_code: null,
    brand: card.brand,
    checks: card.checks,
    country: card.country,
    electronic_commerce_indicator: null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    extended_authorization: { status: 'disabled' },
    fingerprint: card.fingerprint ?? null,
    funding: card.funding,
    incremental_authorization: { status: 'unavailable' },
    installments: null,
    last4: card.last4,
    mandate: null,
    multicapture: { status: 'unavailable' },
    network: card.brand,
    network_token: { used: false },
    network_transaction_id: null,
    overcapture: { maximum_amount_capturable: amount, status: 'unavailable' },
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  }
}

const listParams = paramsOf<Stripe.ChargeListParams>()({
  ...paging,
  created: created.optional(),
  customer: text.optional(),
  payment_intent: text.optional(),
})

export const chargeOperations: readonly Operation[] = [
  reading('/v1/charges', listParams, ({ tx, params }) =>
    listPage(tx, 'charge', '/v1/charges', params, [
      ...having(['customer'], params.customer),
      ...having(['payment_intent'], params.payment_intent),
    ]),
  ),
  reading('/v1/charges/:id', paramsOf<Stripe.ChargeRetrieveParams>()({}), async ({ tx, id }) => {
    const charge = await tx.find('charge', id)
    if (!charge) throw missing('charge', id)
    return charge
  }),
]
