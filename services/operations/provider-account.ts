import { createAccountReader } from '#services/payments/stripe/account-reader'
import { createEventFeed } from '#services/payments/stripe/event-feed'
import { stripeApi } from '#services/payments/stripe/stripe-api'
import type { Config } from '#services/settings/config'
import { createStripeClient } from '#services/start/stripe-client'
import { sandboxOf } from './operator-billing.ts'

/** The payment provider's API that the product calls. */
export const providerApi = stripeApi

/** The account at the payment provider, for commands that only read it. */
export function openProviderAccount(
  config: Config,
  options: { readonly onObjects: (count: number) => void },
) {
  const stripe = createStripeClient(config, sandboxOf(config))
  return { reader: createAccountReader(stripe, options), feed: createEventFeed(stripe) }
}

export function modeOfProvider({ sandbox, stripe }: Pick<Config, 'sandbox' | 'stripe'>): string {
  if (sandbox?.simulatesStripe === true) return 'sandbox'
  return stripe.livemode ? 'live mode' : 'test mode'
}
