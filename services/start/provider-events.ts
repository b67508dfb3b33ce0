import type pg from 'pg'
import type { Logger } from 'pino'
import type { Billing } from '#services/billing/billing-service'
import { createCustomerOwner, type CustomerLinks } from '#services/billing/webhooks/customer-owner'
import { createProviderEventHandler } from '#services/billing/webhooks/handle-provider-event'
import { createWebhookLog } from '#services/billing/webhooks/webhook-log'
import { systemClock } from '#services/foundation/clock'
import type { EventFeed } from '#services/payments/event-feed'
import type { PaymentProvider } from '#services/payments/payment-provider'
import type { ProviderApi } from '#services/payments/provider-api'

/** What handles the provider's events: webhooks, replays and the reconciler use the same parts. */
export function createProviderEvents({
  billing,
  provider,
  feed,
  api,
  pool,
  links,
  log,
}: {
  readonly billing: Billing
  readonly provider: PaymentProvider
  readonly feed: EventFeed
  readonly api: ProviderApi
  readonly pool: pg.Pool
  readonly links: CustomerLinks
  readonly log: Logger
}) {
  const owner = createCustomerOwner({ billing, provider, feed, links })
  const webhookLog = createWebhookLog(pool, systemClock)
  const handle = createProviderEventHandler({
    billing,
    owner,
    webhookLog,
    api,
    log,
  })
  return { feed, owner, links, webhookLog, handle }
}
