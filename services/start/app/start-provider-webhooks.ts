import { webhookRoute } from '#services/billing/webhooks/webhook-route'
import { joinedRouters } from '#services/http/joined-routers'
import { isWithin } from '#services/http/limits'
import type { DocumentedRouter } from '#services/http/openapi/documented-call'
import { reportRoute } from '#services/notifications/returned/report-route'
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
  { storage: { store }, commands, clock, side: { ports, events }, metrics }: AppParts,
  { limits, stops, receivables, checkouts }: SharedParts,
): Promise<DocumentedRouter> {
  const { config, log } = context
  const returned = await startReturnedMails(context, {
    commands,
    store,
    clock,
    receivables,
    onOutcome: metrics.reportTaken,
  })
  return joinedRouters([
    webhookRoute({ verifier: ports.webhookVerifier(), handle: events.handle, log }),
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

  function connectWebhooks(): readonly DocumentedRouter[] {
    const verifier = ports.connectWebhookVerifier()
    const handle = checkouts.handleConnectedAccountEvent
    return verifier === null ? [] : [connectWebhookRoute({ verifier, handle, log })]
  }
}
