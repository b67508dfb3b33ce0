import Stripe from 'stripe'
import type { Config } from '#services/settings/config'
import type { OutsideServices } from '#services/health/outside-services'
import { notingHttpClient } from '#services/payments/stripe/noting-http-client'
import type { ProvidedSandbox } from '#services/sandbox-process/provide-sandbox'

/**
 * Three attempts of 5 s each, with pauses of 0.5 to 1 s: a call fails after at most 17 s. A person
 * gets an answer within 22 s, also from a busy product.
 */
const limits = { timeout: 5_000, maxNetworkRetries: 2 }

/** Stripe's library. It calls the sandbox if the sandbox simulates Stripe. */
export function createStripeClient(
  config: {
    readonly stripe: Pick<Config['stripe'], 'secretKey'>
    readonly sandbox: Pick<NonNullable<Config['sandbox']>, 'simulatesStripe'> | null
  },
  sandbox: Pick<ProvidedSandbox, 'url'> | null,
  outside?: Pick<OutsideServices, 'provider'>,
): Stripe {
  return new Stripe(config.stripe.secretKey, {
    ...(sandbox !== null && config.sandbox?.simulatesStripe ? stripeAt(new URL(sandbox.url)) : {}),
    ...limits,
    ...(outside && {
      httpClient: notingHttpClient(Stripe.createNodeHttpClient(), outside.provider),
    }),
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
