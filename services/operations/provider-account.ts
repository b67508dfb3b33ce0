import { stripeApi } from '#services/payments/stripe/stripe-api'
import type { Config } from '#services/settings/config'
import { createProviderPorts } from '#services/start/provider-ports'
import { sandboxOf } from './operator-billing.ts'

/** The payment provider's API that the product calls. */
export const providerApi = stripeApi

/** The account at the payment provider, for commands that only read it. */
export function openProviderAccount(
  config: Config,
  options: { readonly onObjects: (count: number) => void },
) {
  const { reader, feed } = createProviderPorts(config, sandboxOf(config))
  return { reader: reader(options), feed }
}

export function modeOfProvider({ sandbox, stripe }: Pick<Config, 'sandbox' | 'stripe'>): string {
  if (sandbox?.simulatesStripe === true) return 'sandbox'
  return stripe.livemode ? 'live mode' : 'test mode'
}
