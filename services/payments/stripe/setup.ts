import Stripe from 'stripe'
import { idOf } from './from-stripe/references.ts'
import { providerEventTypes } from './provider-event-types.ts'
import { calling } from './calls.ts'
import { connectedAccountEventTypes } from './client-payments.ts'

/** `secret` is null for an endpoint that existed: the provider returns a secret only once. */
export interface SetUpEndpoint {
  readonly id: string
  readonly secret: string | null
  /** Endpoints of the same address with another API version. They still send webhooks. */
  readonly outdated: readonly { readonly id: string; readonly apiVersion: string | null }[]
}

/** Marks the objects that `billing stripe setup` made. */
const mark = { madeBy: 'billing stripe setup' } as const
const everything = { limit: 1_000 } as const

/** Whose events an endpoint gets: those of the product's own account, or of merchants' accounts. */
export type EndpointSource = 'own-account' | 'connected-accounts'

const typesFrom = {
  'own-account': providerEventTypes,
  'connected-accounts': connectedAccountEventTypes,
} as const

/**
 * Finds the webhook endpoint of this address with the product's API version, or creates it, with
 * all event types from this source that the product handles. With `isNew`, always creates one.
 * @throws PaymentProviderRefused, PaymentProviderUnavailable
 */
export function setUpWebhookEndpoint(
  stripe: Stripe,
  {
    url,
    source,
    isNew,
  }: { readonly url: string; readonly source: EndpointSource; readonly isNew: boolean },
): Promise<SetUpEndpoint> {
  return calling('setting up the webhook endpoint', async () => {
    const all = await stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray(everything)
    const ours = all.filter((endpoint) => endpoint.url === url)
    const current = ours.find(({ api_version }) => api_version === Stripe.API_VERSION)
    const outdated = ours
      .filter(({ api_version }) => api_version !== Stripe.API_VERSION)
      .map(({ id, api_version }) => ({ id, apiVersion: api_version }))
    const enabled_events = [...typesFrom[source]]
    if (current !== undefined && !isNew) {
      await stripe.webhookEndpoints.update(current.id, { enabled_events, disabled: false })
      return { id: current.id, secret: null, outdated }
    }
    const created = await stripe.webhookEndpoints.create({
      url,
      enabled_events,
      // The version of an endpoint cannot be changed later.
      api_version: Stripe.API_VERSION,
      ...(source === 'connected-accounts' ? { connect: true } : {}),
      description: 'The billing platform',
      metadata: mark,
    })
    return { id: created.id, secret: created.secret ?? null, outdated }
  })
}

/**
 * Finds the portal configuration by its metadata, or creates it: plan changes between the prices
 * with an invoice at once, downgrades and cancellations at the period's end, payment method,
 * customer details and invoices. Returns its id.
 * @throws PaymentProviderRefused, PaymentProviderUnavailable
 */
export function setUpPortal(
  stripe: Stripe,
  { priceIds, returnUrl }: { readonly priceIds: readonly string[]; readonly returnUrl: string },
): Promise<string> {
  return calling('setting up the portal configuration', async () => {
    const given = {
      features: featuresOf(await productsOf(stripe, priceIds)),
      default_return_url: returnUrl,
    }
    const all = await stripe.billingPortal.configurations
      .list({ limit: 100, is_default: false })
      .autoPagingToArray(everything)
    const ours = all.find(({ metadata }) => metadata?.['madeBy'] === mark.madeBy)
    if (ours === undefined) {
      const { id } = await stripe.billingPortal.configurations.create({ ...given, metadata: mark })
      return id
    }
    await stripe.billingPortal.configurations.update(ours.id, { ...given, active: true })
    return ours.id
  })
}

/** The portal offers prices per product. */
async function productsOf(stripe: Stripe, priceIds: readonly string[]) {
  const products = new Map<string, string[]>()
  for (const price of priceIds) {
    const product = idOf((await stripe.prices.retrieve(price)).product)
    products.set(product, [...(products.get(product) ?? []), price])
  }
  return [...products].map(([product, prices]) => ({ product, prices }))
}

function featuresOf(
  products: { product: string; prices: string[] }[],
): Stripe.BillingPortal.ConfigurationCreateParams.Features {
  return {
    customer_update: { enabled: true, allowed_updates: ['name', 'email', 'address', 'phone'] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end', proration_behavior: 'none' },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price'],
      products,
      proration_behavior: 'always_invoice',
      schedule_at_period_end: {
        conditions: [{ type: 'decreasing_item_amount' }, { type: 'shortening_interval' }],
      },
    },
  }
}
