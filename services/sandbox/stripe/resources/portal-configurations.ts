import type Stripe from 'stripe'
import { z } from 'zod'
import { newId } from '../../store/ids.ts'
import type { PortalConfiguration } from '../../store/stripe-objects.ts'
import { missing } from '../errors.ts'
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
} from '../params.ts'
import { configurationById, defaultConfiguration } from './default-portal-configuration.ts'
import {
  featuresOf,
  featuresParam,
  noFeatures,
  productsOf,
  refuseWithoutPrices,
} from './portal-features.ts'

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
      await tx.emit('billing_portal.configuration.updated', configuration, before)
      return configuration
    },
  ),
]
