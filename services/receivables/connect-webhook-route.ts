import type { Logger } from 'pino'
import { signedWebhookRoute } from '#services/http/signed-webhook-route'
import type { DocumentedRouter } from '#services/http/openapi/documented-call'
import type { ConnectedAccountEvent } from '#services/payments/client-payments'
import type { WebhookVerifier } from '#services/payments/webhook-verifier'
import type { createConnectedAccountEventHandler } from './checkout/handle-connected-account-event.ts'

/** Events of merchants' accounts: they have an endpoint with a secret of its own. */
export function connectWebhookRoute({
  verifier,
  handle,
  log,
}: {
  readonly verifier: WebhookVerifier<ConnectedAccountEvent>
  readonly handle: ReturnType<typeof createConnectedAccountEventHandler>
  readonly log: Logger
}): DocumentedRouter {
  return signedWebhookRoute({
    path: '/api/webhooks/stripe-connect',
    summary: "Receive an event of a merchant's account",
    secret: 'STRIPE_CONNECT_WEBHOOK_SECRET',
    verifier,
    handle,
    log,
  })
}
