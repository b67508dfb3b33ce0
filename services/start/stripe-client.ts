import Stripe from 'stripe'
import type { Config } from './config.ts'
import type { ProvidedSandbox } from './provide-sandbox.ts'

/** Stripe's library. It calls the sandbox if the sandbox simulates Stripe. */
export function createStripeClient(
  config: {
    readonly stripe: Pick<Config['stripe'], 'secretKey'>
    readonly sandbox: Pick<NonNullable<Config['sandbox']>, 'simulatesStripe'> | null
  },
  sandbox: Pick<ProvidedSandbox, 'url'> | null,
): Stripe {
  return new Stripe(config.stripe.secretKey, {
    ...(sandbox !== null && config.sandbox?.simulatesStripe ? stripeAt(new URL(sandbox.url)) : {}),
    timeout: 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
  })
}

/** The options by which Stripe's library calls the sandbox. */
function stripeAt({ protocol, hostname, port }: URL): Stripe.StripeConfig {
  const isHttps = protocol === 'https:'
  return {
    host: hostname,
    port: port === '' ? (isHttps ? '443' : '80') : port,
    protocol: isHttps ? 'https' : 'http',
  }
}
