import type pg from 'pg'
import type { Logger } from 'pino'
import type Stripe from 'stripe'
import type { Billing } from '#services/billing/billing-service'
import { createCustomerOwner, type CustomerLinks } from '#services/billing/webhooks/customer-owner'
import { createProviderEventHandler } from '#services/billing/webhooks/handle-provider-event'
import { createWebhookLog } from '#services/billing/webhooks/webhook-log'
import { systemClock } from '#services/foundation/clock'
import { createEventFeed } from '#services/payments/stripe/event-feed'
import { stripeApi } from '#services/payments/stripe/stripe-api'
import type { PaymentProvider } from '#services/payments/payment-provider'

/** What handles the provider's events: webhooks, replays and the reconciler use the same parts. */
export function createProviderEvents({
  billing,
  provider,
  stripe,
  pool,
  links,
  log,
}: {
  readonly billing: Billing
  readonly provider: PaymentProvider
  readonly stripe: Stripe
  readonly pool: pg.Pool
  readonly links: CustomerLinks
  readonly log: Logger
}) {
  const feed = createEventFeed(stripe)
  const owner = createCustomerOwner({ billing, provider, feed, links })
  const webhookLog = createWebhookLog(pool, systemClock)
  const handle = createProviderEventHandler({
    billing,
    owner,
    webhookLog,
    api: stripeApi,
    log,
  })
  return { feed, owner, links, webhookLog, handle }
}
