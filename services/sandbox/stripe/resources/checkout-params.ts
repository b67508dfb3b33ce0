import type Stripe from 'stripe'
import { z } from 'zod'
import { absoluteUrl, count, integer, mailAddress, metadata, paramsOf, text } from '../params.ts'

const auto = z.enum(['auto', 'never']).optional()
const off = (what: string) =>
  z
    .strictObject({
      enabled: z.literal('false', `must be false: the sandbox ${what}`).transform(() => false),
    })
    .optional()

const item = z.strictObject({
  price: text.optional(),
  price_data: z
    .strictObject({
      currency: z.string().regex(/^[a-z]{3}$/i, 'must be a three-letter ISO code'),
      product_data: z.strictObject({
        name: text,
        description: text.optional(),
        metadata: metadata.optional(),
      }),
      unit_amount: integer.pipe(z.number().min(0, 'must be at least 0')),
    })
    .optional(),
  quantity: count.optional(),
})

export const createParams = paramsOf<Stripe.Checkout.SessionCreateParams>()({
  adaptive_pricing: off('converts no amounts'),
  mode: z.enum(['subscription', 'payment'], 'must be subscription or payment'),
  line_items: z.array(item).min(1, 'must hold an item').max(100, 'must hold at most 100 items'),
  success_url: absoluteUrl,
  cancel_url: absoluteUrl.optional(),
  customer: text.optional(),
  customer_creation: z
    .literal('if_required', 'must be if_required: the sandbox makes no customer of a payment')
    .optional(),
  customer_email: mailAddress.optional(),
  customer_update: z.strictObject({ address: auto, name: auto }).optional(),
  client_reference_id: z.string().max(200).optional(),
  metadata: metadata.optional(),
  payment_intent_data: z
    .strictObject({
      application_fee_amount: count.optional(),
      description: z.string().max(1_000).optional(),
      metadata: metadata.optional(),
    })
    .optional(),
  subscription_data: z
    .strictObject({ description: z.string().max(500).optional(), metadata: metadata.optional() })
    .optional(),
  expires_at: integer.optional(),
  submit_type: z.enum(['auto', 'pay']).optional(),
  ui_mode: z.literal('hosted_page', 'must be hosted_page').optional(),
  locale: z.enum(['auto', 'en']).optional(),
  payment_method_collection: z.literal('always', 'must be always').optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  allow_promotion_codes: z
    .literal('false', 'must be false: the sandbox has no promotion codes')
    .transform(() => false)
    .optional(),
  automatic_tax: off('calculates no tax'),
  tax_id_collection: off('collects no tax ids'),
})
export type CreateParams = z.infer<typeof createParams>
export type OrderedItem = CreateParams['line_items'][number]
