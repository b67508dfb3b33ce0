import { idOf, type PortalConfiguration } from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { prices, products } from '../catalogue.ts'
import { invalid, missingReference } from '../errors.ts'
import { noFeatures } from './portal-features.ts'

/** The configuration of sessions that name none: every feature, and every plan of the catalogue. */
export const defaultConfiguration: PortalConfiguration = {
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
