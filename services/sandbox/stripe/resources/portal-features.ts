import { z } from 'zod'
import { idOf, type PortalConfiguration } from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { currentPrice } from '../current-price.ts'
import { invalid, missingReference } from '../errors.ts'
import { emptyable, flag, text } from '../params.ts'

type Features = PortalConfiguration['features']
type Product = PortalConfiguration['sandbox']['products'][number]

const prorationBehavior = z.enum(['always_invoice', 'create_prorations', 'none']).optional()
export const featuresParam = z.strictObject({
  customer_update: z
    .strictObject({
      enabled: flag,
      allowed_updates: emptyable(
        z.array(z.enum(['address', 'email', 'name', 'phone', 'shipping', 'tax_id'])),
      ).optional(),
    })
    .optional(),
  invoice_history: z.strictObject({ enabled: flag }).optional(),
  payment_method_update: z.strictObject({ enabled: flag }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: flag,
      cancellation_reason: z
        .strictObject({
          enabled: flag,
          options: emptyable(
            z.array(
              z.enum([
                'customer_service',
                'low_quality',
                'missing_features',
                'other',
                'switched_service',
                'too_complex',
                'too_expensive',
                'unused',
              ]),
            ),
          ),
        })
        .optional(),
      mode: z
        .literal(
          'at_period_end',
          'must be at_period_end: the sandbox’s portal cancels at no other time',
        )
        .optional(),
      proration_behavior: z
        .literal('none', 'must be none: a cancellation at the period’s end has no prorations')
        .optional(),
    })
    .optional(),
  subscription_update: z
    .strictObject({
      enabled: flag,
      default_allowed_updates: emptyable(
        z.array(z.literal('price', 'must be price: the sandbox’s portal changes nothing else')),
      ).optional(),
      products: emptyable(
        z
          .array(z.strictObject({ product: text, prices: z.array(text).min(1) }))
          .max(10, 'has more than 10 products'),
      ).optional(),
      proration_behavior: prorationBehavior,
      schedule_at_period_end: z
        .strictObject({
          conditions: z
            .array(
              z.strictObject({ type: z.enum(['decreasing_item_amount', 'shortening_interval']) }),
            )
            .optional(),
        })
        .optional(),
    })
    .optional(),
})
export type FeaturesParam = z.infer<typeof featuresParam>

export const noFeatures: Features = {
  customer_update: { allowed_updates: [], enabled: false },
  invoice_history: { enabled: false },
  payment_method_update: { enabled: false, payment_method_configuration: null },
  subscription_cancel: {
    cancellation_reason: { enabled: false, feedback_options: null, options: [] },
    enabled: false,
    mode: 'at_period_end',
    proration_behavior: 'none',
  },
  subscription_pause: {
    duration: { interval_options: [], type: 'indefinite' },
    enabled: false,
  },
  subscription_update: {
    billing_cycle_anchor: null,
    default_allowed_updates: [],
    enabled: false,
    proration_behavior: 'none',
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: 'end_trial',
  },
}

/** The features of `before` with the given features in their place. */
export function featuresOf(before: Features, given: FeaturesParam = {}): Features {
  const { customer_update, payment_method_update, subscription_cancel, subscription_update } = given
  return {
    ...before,
    ...(customer_update === undefined
      ? {}
      : {
          customer_update: {
            allowed_updates: customer_update.allowed_updates || [],
            enabled: customer_update.enabled,
          },
        }),
    ...(given.invoice_history === undefined ? {} : { invoice_history: given.invoice_history }),
    ...(payment_method_update === undefined
      ? {}
      : {
          payment_method_update: {
            ...before.payment_method_update,
            enabled: payment_method_update.enabled,
          },
        }),
    ...(subscription_cancel === undefined
      ? {}
      : {
          subscription_cancel: {
            ...before.subscription_cancel,
            enabled: subscription_cancel.enabled,
            ...(subscription_cancel.cancellation_reason === undefined
              ? {}
              : {
                  cancellation_reason: {
                    enabled: subscription_cancel.cancellation_reason.enabled,
                    feedback_options: null,
                    options: subscription_cancel.cancellation_reason.options || [],
                  },
                }),
          },
        }),
    ...(subscription_update === undefined
      ? {}
      : { subscription_update: updateFeatureOf(before.subscription_update, subscription_update) }),
  }
}

function updateFeatureOf(
  before: Features['subscription_update'],
  given: NonNullable<FeaturesParam['subscription_update']>,
): Features['subscription_update'] {
  return {
    ...before,
    enabled: given.enabled,
    ...(given.default_allowed_updates === undefined
      ? {}
      : { default_allowed_updates: given.default_allowed_updates || [] }),
    ...(given.proration_behavior === undefined
      ? {}
      : { proration_behavior: given.proration_behavior }),
    ...(given.schedule_at_period_end?.conditions === undefined
      ? {}
      : { schedule_at_period_end: { conditions: given.schedule_at_period_end.conditions } }),
  }
}

/** Null if the call does not name products. @throws StripeRefusal for an unknown price */
export async function productsOf(
  tx: ReadTransaction,
  features: FeaturesParam | undefined,
): Promise<readonly Product[] | null> {
  const given = features?.subscription_update?.products
  if (given === undefined) return null
  const found: Product[] = []
  for (const [index, { product, prices: ids }] of (given || []).entries()) {
    for (const id of ids) {
      const price = await currentPrice(tx, id)
      if (!price || idOf(price.product) !== product)
        throw missingReference(
          'price',
          id,
          `features[subscription_update][products][${index}][prices]`,
        )
    }
    found.push({
      adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
      prices: ids,
      product,
    })
  }
  return found
}

/** Stripe requires the products and the kinds of updates of an enabled feature. */
export function refuseWithoutPrices({ features, sandbox }: PortalConfiguration): void {
  const { enabled, default_allowed_updates: updates } = features.subscription_update
  if (!enabled) return
  const lacking =
    updates.length === 0
      ? 'default_allowed_updates'
      : sandbox.products.length === 0
        ? 'products'
        : null
  if (lacking === null) return
  const param = `features[subscription_update][${lacking}]`
  throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
}
