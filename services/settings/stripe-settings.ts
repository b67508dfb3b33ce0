import { plans, priceSettingOf, sandboxPriceIdOf, type PlanId } from '#contracts/plans'
import { StartupError } from '#services/foundation/startup-error'
import type { Config } from './config.ts'
import { refuseSharedPrices } from './refuse-shared-prices.ts'
import { required } from './required.ts'
import type { Settings } from './settings.ts'

/**
 * The account at Stripe, or at the sandbox. `generatedSecret`: of webhooks, if no setting has one.
 * @throws StartupError that names a missing or wrong setting
 */
export function stripeSettingsOf(
  settings: Settings,
  generatedSecret: string | undefined,
): Config['stripe'] {
  const priceIds = priceIdsOf(settings, settings.STRIPE_SECRET_KEY === undefined)
  refuseSharedPrices(priceIds)
  const webhookSecrets = webhookSecretsOf(
    required(settings.STRIPE_WEBHOOK_SECRET ?? generatedSecret, 'STRIPE_WEBHOOK_SECRET'),
    'STRIPE_WEBHOOK_SECRET',
  )
  const secretKey = settings.STRIPE_SECRET_KEY ?? 'sk_test_sandbox'
  return {
    secretKey,
    publishableKey: publishableKeyOf(settings, secretKey),
    webhookSecrets,
    connectWebhookSecrets: connectSecretsOf(settings, webhookSecrets[0]),
    livemode: isLiveKey(secretKey),
    priceIds,
    portalConfiguration: settings.STRIPE_PORTAL_CONFIGURATION ?? null,
  }
}

/** @throws StartupError for an empty secret: any caller could forge webhooks with it */
function webhookSecretsOf(setting: string, name: string): readonly string[] {
  const secrets = setting.split(',').map((secret) => secret.trim())
  if (secrets.includes(''))
    throw new StartupError(`${name} has an empty secret beside a comma. Remove the comma.`)
  return secrets
}

/**
 * The sandbox's secret follows from the other one, so that kept secrets and processes that share a
 * sandbox need no further setting.
 */
function connectSecretsOf(settings: Settings, webhookSecret = ''): readonly string[] {
  const setting = settings.STRIPE_CONNECT_WEBHOOK_SECRET
  if (setting !== undefined) return webhookSecretsOf(setting, 'STRIPE_CONNECT_WEBHOOK_SECRET')
  return settings.STRIPE_SECRET_KEY === undefined ? [`${webhookSecret}_connect`] : []
}

/**
 * With the sandbox no page loads anything from Stripe.
 * @throws StartupError if one key is of the test mode and the other one is not
 */
function publishableKeyOf(
  { STRIPE_PUBLISHABLE_KEY: key, STRIPE_SECRET_KEY: isReal }: Settings,
  secretKey: string,
): string | null {
  if (key === undefined || isReal === undefined) return null
  if (key.startsWith('pk_live_') !== isLiveKey(secretKey))
    throw new StartupError(
      'STRIPE_PUBLISHABLE_KEY and STRIPE_SECRET_KEY are of different modes: one is live, the other one is a test key. Set both from the same mode of your account at Stripe.',
    )
  return key
}

const isLiveKey = (secretKey: string) => /^[a-z]+_live_/.test(secretKey)

/**
 * The price of each plan. Only the sandbox's Stripe knows the sandbox's prices.
 * @throws StartupError if Stripe is real and a price is not set
 */
function priceIdsOf(
  settings: Settings,
  simulatesStripe: boolean,
): Readonly<Record<PlanId, string>> {
  return Object.fromEntries(
    plans.map(({ id }) => {
      const name = priceSettingOf(id)
      return [
        id,
        settings[name] ?? required(simulatesStripe ? sandboxPriceIdOf(id) : undefined, name),
      ]
    }),
  ) as Record<PlanId, string>
}
