import type Stripe from 'stripe'
import { z } from 'zod'
import { newId } from '../../store/ids.ts'
import { idOf, type PortalConfiguration } from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { prices, products } from '../catalogue.ts'
import { currentPrice } from '../current-price.ts'
import { invalid, missing, missingReference } from '../errors.ts'
import { listPage } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import {
  absoluteUrl,
  emptiableText,
  emptyable,
  flag,
  mergeMetadata,
  metadata,
  paging,
  paramsOf,
  text,
} from '../params.ts'

type Features = PortalConfiguration['features']
type Product = PortalConfiguration['sandbox']['products'][number]

const prorationBehavior = z.enum(['always_invoice', 'create_prorations', 'none']).optional()
const featuresParam = z.strictObject({
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
type FeaturesParam = z.infer<typeof featuresParam>

const shared = {
  business_profile: z
    .strictObject({
      headline: z.string().max(60, 'is longer than 60 characters').optional(),
      privacy_policy_url: absoluteUrl.optional(),
      terms_of_service_url: absoluteUrl.optional(),
    })
    .optional(),
  default_return_url: emptyable(absoluteUrl).optional(),
  metadata: metadata.optional(),
  name: emptiableText.optional(),
}
const createParams = paramsOf<Stripe.BillingPortal.ConfigurationCreateParams>()({
  ...shared,
  features: featuresParam,
})
const updateParams = paramsOf<Stripe.BillingPortal.ConfigurationUpdateParams>()({
  ...shared,
  active: flag.optional(),
  features: featuresParam.optional(),
})

const noFeatures: Features = {
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

/** The configuration of sessions that name none: every feature, and every plan of the catalogue. */
const defaultConfiguration: PortalConfiguration = {
  id: 'bpc_sandbox',
  object: 'billing_portal.configuration',
  active: true,
  application: null,
  business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
  created: products[0]?.created ?? 0,
  default_return_url: null,
  features: {
    ...noFeatures,
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true, payment_method_configuration: null },
    subscription_cancel: { ...noFeatures.subscription_cancel, enabled: true },
    subscription_update: {
      ...noFeatures.subscription_update,
      default_allowed_updates: ['price'],
      enabled: true,
      proration_behavior: 'always_invoice',
      schedule_at_period_end: {
        conditions: [{ type: 'decreasing_item_amount' }, { type: 'shortening_interval' }],
      },
    },
  },
  is_default: true,
  livemode: false,
  login_page: { enabled: false, url: null },
  metadata: {},
  name: null,
  sandbox: {
    products: products.map(({ id }) => ({
      adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
      prices: prices.filter(({ product }) => idOf(product) === id).map((price) => price.id),
      product: id,
    })),
  },
  updated: products[0]?.created ?? 0,
}

export async function configurationById(
  tx: ReadTransaction,
  id: string,
): Promise<PortalConfiguration | null> {
  return id === defaultConfiguration.id
    ? defaultConfiguration
    : tx.find('billing_portal.configuration', id)
}

/** An active configuration; without an id the default one. @throws StripeRefusal */
export async function usableConfiguration(
  tx: ReadTransaction,
  id: string = defaultConfiguration.id,
): Promise<PortalConfiguration> {
  const configuration = await configurationById(tx, id)
  if (!configuration) throw missingReference('configuration', id, 'configuration')
  if (!configuration.active)
    throw invalid(`The portal configuration ${id} is inactive. Activate it, or use another one.`, {
      param: 'configuration',
    })
  return configuration
}

export const portalConfigurationOperations: readonly Operation[] = [
  changing('post', '/v1/billing_portal/configurations', createParams, async ({ tx, params }) => {
    const { business_profile: profile } = params
    const configuration = {
      id: newId('billing_portal.configuration'),
      object: 'billing_portal.configuration',
      active: true,
      application: null,
      business_profile: {
        headline: profile?.headline ?? null,
        privacy_policy_url: profile?.privacy_policy_url ?? null,
        terms_of_service_url: profile?.terms_of_service_url ?? null,
      },
      created: tx.now,
      default_return_url: params.default_return_url || null,
      features: featuresOf(noFeatures, params.features),
      is_default: false,
      livemode: false,
      login_page: { enabled: false, url: null },
      metadata: mergeMetadata({}, params.metadata),
      name: params.name || null,
      sandbox: { products: (await productsOf(tx, params.features)) ?? [] },
      updated: tx.now,
    } satisfies PortalConfiguration
    refuseWithoutPrices(configuration)
    await tx.add(configuration)
    await tx.emit('billing_portal.configuration.created', configuration)
    return configuration
  }),
  reading(
    '/v1/billing_portal/configurations',
    paramsOf<Stripe.BillingPortal.ConfigurationListParams>()({
      ...paging,
      active: flag.optional(),
      is_default: flag.optional(),
    }),
    async ({ tx, params: { active, is_default, ...page } }) => {
      const stored = await listPage(
        tx,
        'billing_portal.configuration',
        '/v1/billing_portal/configurations',
        page,
        active === undefined ? [] : [{ path: ['active'], isOneOf: [String(active)] }],
      )
      // The default configuration is the oldest one.
      const isLastPage = !stored.has_more && page.ending_before === undefined
      const data = [
        ...(is_default === true ? [] : stored.data),
        ...(isLastPage && active !== false && is_default !== false ? [defaultConfiguration] : []),
      ]
      return { ...stored, data }
    },
  ),
  reading(
    '/v1/billing_portal/configurations/:id',
    paramsOf<Stripe.BillingPortal.ConfigurationRetrieveParams>()({}),
    async ({ tx, id }) => {
      const configuration = await configurationById(tx, id)
      if (!configuration) throw missing('configuration', id)
      return configuration
    },
  ),
  changing(
    'post',
    '/v1/billing_portal/configurations/:id',
    updateParams,
    async ({ tx, params, id }) => {
      const before = await tx.find('billing_portal.configuration', id)
      if (!before) throw missing('configuration', id)
      const configuration: PortalConfiguration = {
        ...before,
        active: params.active ?? before.active,
        business_profile: { ...before.business_profile, ...params.business_profile },
        ...(params.default_return_url === undefined
          ? {}
          : { default_return_url: params.default_return_url || null }),
        features: featuresOf(before.features, params.features),
        metadata: mergeMetadata(before.metadata ?? {}, params.metadata),
        ...(params.name === undefined ? {} : { name: params.name || null }),
        sandbox: { products: (await productsOf(tx, params.features)) ?? before.sandbox.products },
        updated: tx.now,
      }
      refuseWithoutPrices(configuration)
      await tx.save(configuration)
      await tx.emit('billing_portal.configuration.updated', configuration)
      return configuration
    },
  ),
]

/** The features of `before` with the given features in their place. */
function featuresOf(before: Features, given: FeaturesParam = {}): Features {
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
async function productsOf(
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
function refuseWithoutPrices({ features, sandbox }: PortalConfiguration): void {
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
