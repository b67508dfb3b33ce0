import { systemClock } from '#services/foundation/clock'
import type { OutsideServices } from '#services/health/outside-services'
import type { AccountReader } from '#services/payments/account-reader'
import type { ClientPayments, ConnectedAccountEvent } from '#services/payments/client-payments'
import type { ConnectedAccounts } from '#services/payments/connected-accounts'
import type { EventFeed } from '#services/payments/event-feed'
import type { PaymentProvider } from '#services/payments/payment-provider'
import { createPlanPrices, type PlanPrices } from '#services/payments/plan-prices'
import type { ReadPrice } from '#services/payments/price-reader'
import type { ProviderApi } from '#services/payments/provider-api'
import { createAccountReader } from '#services/payments/stripe/account-reader'
import { createStripeClientPayments } from '#services/payments/stripe/client-payments'
import { connectedAccountEventOf } from '#services/payments/stripe/connected-account-event-of'
import { createStripeConnectedAccounts } from '#services/payments/stripe/connected-accounts'
import { createEventFeed } from '#services/payments/stripe/event-feed'
import { createStripePaymentProvider } from '#services/payments/stripe/payment-provider'
import { createPriceReader } from '#services/payments/stripe/price-reader'
import { providerEventOf } from '#services/payments/stripe/provider-event-of'
import { stripeScriptHosts } from '#services/payments/stripe/script-hosts'
import { stripeApi } from '#services/payments/stripe/stripe-api'
import { createWebhookVerifier } from '#services/payments/stripe/webhook-verifier'
import type { WebhookVerifier } from '#services/payments/webhook-verifier'
import type { ProvidedSandbox } from '#services/sandbox-process/provide-sandbox'
import type { Config } from '#services/settings/config'
import { dashboardUrl } from '#services/settings/dashboard-url'
import { createStripeClient } from './stripe-client.ts'

/** The ports of one payment provider. */
export interface ProviderPorts {
  readonly api: ProviderApi
  readonly prices: PlanPrices
  readonly feed: EventFeed
  readonly readPrice: ReadPrice
  readonly connectedAccounts: ConnectedAccounts
  readonly clientPayments: ClientPayments
  /** What the provider's script reaches, as origins for a content security policy. */
  readonly scriptHosts: typeof stripeScriptHosts
  /** Where a checkout leads back to. `success` can contain `{CHECKOUT_SESSION_ID}`. */
  payments(urls: { readonly success: string; readonly cancel: string }): PaymentProvider
  reader(options: { readonly onObjects: (count: number) => void }): AccountReader
  /** @throws Error if a secret is empty */
  webhookVerifier(): WebhookVerifier
  /** Null without a secret: nothing could be believed. */
  connectWebhookVerifier(): WebhookVerifier<ConnectedAccountEvent> | null
}

/** The ports of the payment provider that the product calls. No other file selects it. */
export function createProviderPorts(
  config: Config,
  sandbox: Pick<ProvidedSandbox, 'url'> | null,
  outside?: Pick<OutsideServices, 'provider'>,
): ProviderPorts {
  const stripe = createStripeClient(config, sandbox, outside)
  const { priceIds, portalConfiguration, webhookSecrets, connectWebhookSecrets, livemode } =
    config.stripe
  const prices = createPlanPrices(stripeApi.name, priceIds)
  return {
    api: stripeApi,
    prices,
    feed: createEventFeed(stripe),
    readPrice: createPriceReader(stripe),
    connectedAccounts: createStripeConnectedAccounts(stripe, {
      dashboardUrl: dashboardUrl(config),
    }),
    clientPayments: createStripeClientPayments(stripe),
    scriptHosts: stripeScriptHosts,
    payments: (urls) =>
      createStripePaymentProvider(stripe, prices, { ...urls, portalConfiguration }),
    reader: (options) => createAccountReader(stripe, options),
    webhookVerifier: () =>
      createWebhookVerifier(stripe, {
        name: 'STRIPE_WEBHOOK_SECRET',
        read: providerEventOf,
        secrets: webhookSecrets,
        livemode,
        clock: systemClock,
      }),
    connectWebhookVerifier: () =>
      connectWebhookSecrets.length === 0
        ? null
        : createWebhookVerifier(stripe, {
            name: 'STRIPE_CONNECT_WEBHOOK_SECRET',
            read: connectedAccountEventOf,
            secrets: connectWebhookSecrets,
            livemode,
            clock: systemClock,
          }),
  }
}
