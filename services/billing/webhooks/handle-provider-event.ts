import type { Logger } from 'pino'
import { idAtProvider, providerOf, textOfRef } from '#contracts/events/provider-ref'
import type { CommandContext } from '#services/commands/command-context'
import { storedReason } from '#services/foundation/stored-reason'
import { createOutageLog } from '#services/foundation/outage-log'
import type { ProviderEvent } from '#services/payments/provider-event'
import type { ProviderApi } from '#services/payments/provider-api'
import type { Billing } from '../billing-service.ts'
import type { CustomerOwner } from './customer-owner.ts'
import type { ProviderEventOutcome, ProviderEventSource } from './provider-event-outcome.ts'
import type { WebhookLog } from './webhook-log.ts'

/**
 * Synchronizes the account of a provider event with the provider, and records the outcome in the
 * webhook log. Rejects with the failure of the synchronization after it is recorded.
 */
export type HandleProviderEvent = (
  providerEvent: ProviderEvent,
  source: ProviderEventSource,
) => Promise<ProviderEventOutcome>

export interface ProviderEventParts {
  readonly billing: Pick<Billing, 'sync'>
  readonly owner: CustomerOwner
  readonly webhookLog: Pick<WebhookLog, 'record'>
  readonly api: Pick<ProviderApi, 'version' | 'setUpCommand'>
  readonly log: Logger
}

/**
 * The one path of webhooks, replays and the reconciler. A provider event only names a customer that
 * changed, so repeated, reordered and unknown ones need no special case.
 */
export function createProviderEventHandler({
  billing,
  owner,
  webhookLog,
  api,
  log,
}: ProviderEventParts): HandleProviderEvent {
  const reportedVersions = new Set<string>()
  const recording = createOutageLog(log, {
    began: "Recording a webhook in the webhook log failed; 'billing webhooks list' lacks it.",
    lasts:
      "Webhooks still cannot be recorded in the webhook log; 'billing webhooks list' lacks them.",
    over: 'Webhooks are recorded in the webhook log again.',
  })

  return async (providerEvent, source) => {
    reportOtherVersion(providerEvent)
    let outcome: ProviderEventOutcome
    try {
      outcome = await synchronize(providerEvent, source)
    } catch (error) {
      await record(providerEvent, source, { kind: 'failed', reason: storedReason(error) })
      throw error
    }
    await record(providerEvent, source, outcome)
    return outcome
  }

  async function synchronize(
    providerEvent: ProviderEvent,
    source: ProviderEventSource,
  ): Promise<ProviderEventOutcome> {
    const customer = await owner.customerOf(providerEvent)
    if (customer === null) return { kind: 'ignored', reason: 'The event names no customer.' }
    const userId = await owner.userOf(customer, providerEvent.claimedUserId)
    if (userId === null) {
      // The product links a customer after it has created it, so this event may come first.
      if (providerEvent.type !== 'customer.created')
        log.warn(
          { eventRef: providerEvent.eventRef, type: providerEvent.type, customer },
          'An event of the provider names a customer that no account is linked to. Ignoring the event.',
        )
      return {
        kind: 'ignored',
        reason: `No account is linked to the customer ${idAtProvider(customer)}.`,
      }
    }
    const { facts } = await billing.sync(
      userId,
      contextOf(providerEvent, source),
      providerEvent.changesSince,
    )
    return { kind: 'synchronized', userId, facts }
  }

  /** The synchronization is done, so a failure to note it fails no webhook. */
  async function record(...given: Parameters<WebhookLog['record']>): Promise<void> {
    try {
      await webhookLog.record(...given)
      recording.over()
    } catch (error) {
      recording.failed(error, { eventRef: given[0].eventRef })
    }
  }

  function reportOtherVersion({ eventRef, apiVersion: version }: ProviderEvent): void {
    if (version === null || version === api.version || reportedVersions.has(version)) return
    reportedVersions.add(version)
    log.error(
      { eventRef, apiVersion: version, expected: api.version },
      `The webhooks have another API version than the product. Run '${api.setUpCommand}' to create an endpoint with the product's version.`,
    )
  }
}

function contextOf(
  { eventRef, created, apiVersion }: ProviderEvent,
  source: ProviderEventSource,
): CommandContext {
  return {
    commandId: `${source} ${textOfRef(eventRef)}`,
    correlationId: textOfRef(eventRef),
    causationId: textOfRef(eventRef),
    actor: { kind: 'payment-provider', id: providerOf(eventRef) },
    source,
    provider: { eventRef, created, apiVersion },
  }
}
