import type { Logger } from 'pino'
import { signedWebhookRoute } from '#services/http/signed-webhook-route'
import type { DocumentedRouter } from '#services/http/openapi/documented-call'
import type { WebhookVerifier } from '#services/payments/webhook-verifier'
import type { HandleProviderEvent } from './handle-provider-event.ts'

export interface WebhookParts {
  readonly verifier: WebhookVerifier
  readonly handle: HandleProviderEvent
  readonly log: Logger
}

/** Events of the product's own account at the payment provider. */
export function webhookRoute({ verifier, handle, log }: WebhookParts): DocumentedRouter {
  return signedWebhookRoute({
    path: '/api/stripe/webhook',
    summary: 'Receive an event of the payment provider',
    secret: 'STRIPE_WEBHOOK_SECRET',
    verifier,
    handle: (providerEvent) => handle(providerEvent, 'webhook'),
    log,
  })
}
