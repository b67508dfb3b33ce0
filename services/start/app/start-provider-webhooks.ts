import { webhookRoute } from '#services/billing/webhooks/webhook-route'
import { systemClock } from '#services/foundation/clock'
import { joinedRouters } from '#services/http/joined-routers'
import { isWithin } from '#services/http/limits'
import type { DocumentedRouter } from '#services/http/openapi/documented-call'
import { reportRoute } from '#services/notifications/returned/report-route'
import { connectedAccountEventOf } from '#services/payments/stripe/connected-account-event-of'
import { providerEventOf } from '#services/payments/stripe/provider-event-of'
import { createWebhookVerifier } from '#services/payments/stripe/webhook-verifier'
import { connectWebhookRoute } from '#services/receivables/connect-webhook-route'
import { inboundTextRoute } from '#services/receivables/stops/inbound-text-route'
import type { StartContext } from '../start-context.ts'
import { startReturnedMails } from '../start-returned-mails.ts'
import { textAccountOf } from '#services/settings/text-account'
import type { AppParts } from './app-parts.ts'
import type { SharedParts } from './shared-parts.ts'

/**
 * Starts the listener for mails that come back, and composes the routes that services outside the
 * product call: the payment provider, the mail server and the sender of texts.
 * @throws StartupError if BOUNCE_PORT cannot be used
 */
export async function startProviderWebhooks(
  context: StartContext,
  { storage: { store }, commands, clock, side: { stripe, events }, metrics }: AppParts,
  { limits, stops, receivables, checkouts }: SharedParts,
): Promise<DocumentedRouter> {
  const { config, log } = context
  const { webhookSecrets, connectWebhookSecrets, livemode } = config.stripe
  const returned = await startReturnedMails(context, {
    commands,
    store,
    clock,
    receivables,
    onOutcome: metrics.reportTaken,
  })
  const verifier = createWebhookVerifier(stripe, {
    name: 'STRIPE_WEBHOOK_SECRET',
    read: providerEventOf,
    secrets: webhookSecrets,
    livemode,
    clock: systemClock,
  })
  return joinedRouters([
    webhookRoute({ verifier, handle: events.handle, log }),
    ...connectWebhooks(),
    reportRoute({ returned, secret: config.bounces?.secret ?? null, log }),
    inboundTextRoute({
      stops,
      mayAnswerUnread: (phone) => isWithin(limits.unreadText, phone),
      publicUrl: config.publicUrl,
      authToken: textAccountOf(config)?.authToken ?? null,
      log,
    }),
  ])

  /** None without a secret: nothing could be believed. */
  function connectWebhooks(): readonly DocumentedRouter[] {
    if (connectWebhookSecrets.length === 0) return []
    const account = createWebhookVerifier(stripe, {
      name: 'STRIPE_CONNECT_WEBHOOK_SECRET',
      secrets: connectWebhookSecrets,
      livemode,
      clock: systemClock,
      read: connectedAccountEventOf,
    })
    return [
      connectWebhookRoute({
        verifier: account,
        handle: checkouts.handleConnectedAccountEvent,
        log,
      }),
    ]
  }
}
