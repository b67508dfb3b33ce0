import type Stripe from 'stripe'
import { newId } from '../../store/ids.ts'
import type { PaymentMethod } from '../../store/stripe-objects.ts'
import { brandOf, fingerprintOf } from '../../billing/cards.ts'
import { missing } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { reading, type Operation } from '../operation.ts'
import { paging, paramsOf, text } from '../params.ts'
import { z } from 'zod'

/** A validated card form. The card number is not stored. */
export interface TypedCard {
  readonly number: string
  readonly expiryMonth: number
  readonly expiryYear: number
  readonly name: string
  readonly email: string
  readonly country: string
  readonly postalCode: string | null
}

/** The payment method of a card, attached to the customer if there is a customer. Not saved yet. */
export function cardMethod(card: TypedCard, customer: string | null, now: number): PaymentMethod {
  const brand = brandOf(card.number)
  return {
    id: newId('payment_method'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: {
      address: addressOf(card),
      email: card.email,
      name: card.name,
      phone: null,
      tax_id: null,
    },
    card: {
      brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: card.postalCode === null ? null : 'pass',
        cvc_check: 'pass',
      },
      country: 'US',
      display_brand: brand,
      exp_month: card.expiryMonth,
      exp_year: card.expiryYear,
      fingerprint: fingerprintOf(card.number),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: now,
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  } satisfies PaymentMethod
}

export function addressOf(card: Pick<TypedCard, 'country' | 'postalCode'>): Stripe.Address {
  return {
    city: null,
    country: card.country,
    line1: null,
    line2: null,
    postal_code: card.postalCode,
    state: null,
  }
}

const listParams = paramsOf<Stripe.PaymentMethodListParams>()({
  ...paging,
  customer: text.optional(),
  type: z.literal('card').optional(),
})

export const paymentMethodOperations: readonly Operation[] = [
  reading('/v1/payment_methods', listParams, ({ tx, params }) =>
    listPage(
      tx,
      'payment_method',
      '/v1/payment_methods',
      params,
      having(['customer'], params.customer),
    ),
  ),
  reading(
    '/v1/payment_methods/:id',
    paramsOf<Stripe.PaymentMethodRetrieveParams>()({}),
    async ({ tx, id }) => {
      const method = await tx.find('payment_method', id)
      if (!method) throw missing('PaymentMethod', id)
      return method
    },
  ),
]
