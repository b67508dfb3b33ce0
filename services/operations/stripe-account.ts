import type Stripe from 'stripe'
import { plans, priceSettingOf, sandboxPriceIdOf, type PlanId } from '#contracts/plans'
import { StartupError } from '#services/foundation/startup-error'
import { parseSettings } from '#services/settings/settings'
import { withSettingsFromFiles } from '#services/settings/settings-from-files'
import { createStripeClient } from '#services/start/stripe-client'
import { sandboxUrlOf } from './provider-runs.ts'

/** The account at Stripe that the settings name, or the sandbox in its place. */
export interface StripeAccount {
  readonly stripe: Stripe
  /** The address of the sandbox. Null if the account is at Stripe. */
  readonly sandboxUrl: string | null
  readonly isLive: boolean
  readonly priceIds: Readonly<Record<PlanId, string>>
  /** Without a slash at the end. */
  readonly publicUrl: string
}

const sandboxKey = 'sk_test_sandbox'

/**
 * Reads only the settings that name the account, because a command can prepare the other settings.
 * The key of the sandbox selects the sandbox at SANDBOX_URL, or of the product on this machine.
 * @throws StartupError that names each missing setting
 */
export function stripeAccountOf(env: NodeJS.ProcessEnv): StripeAccount {
  const settings = parseSettings(withSettingsFromFiles(env))
  const { STRIPE_SECRET_KEY: secretKey, PORT } = settings
  if (secretKey === undefined)
    throw new StartupError(
      `STRIPE_SECRET_KEY is not set, so there is no account at Stripe. Set it to a secret key of your account, or to ${sandboxKey} to try the command with the sandbox of a running product.`,
    )
  const isSandbox = secretKey === sandboxKey
  const missing = plans
    .map(({ id }) => priceSettingOf(id))
    .filter((name) => settings[name] === undefined)
  if (!isSandbox && missing.length > 0)
    throw new StartupError(
      `These settings are missing: ${missing.join(', ')}. Set them to the ids of the prices in your account at Stripe.`,
    )
  const sandboxUrl = isSandbox ? sandboxUrlOf(settings) : null
  return {
    stripe: createStripeClient(
      { stripe: { secretKey }, sandbox: { simulatesStripe: isSandbox } },
      sandboxUrl === null ? null : { url: sandboxUrl },
    ),
    sandboxUrl,
    isLive: /^[a-z]+_live_/.test(secretKey),
    priceIds: Object.fromEntries(
      plans.map(({ id }) => [id, settings[priceSettingOf(id)] ?? sandboxPriceIdOf(id)]),
    ) as Record<PlanId, string>,
    publicUrl: (settings.PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, ''),
  }
}
