import { textOfRef } from '#contracts/events/provider-ref'
import type { HandleProviderEvent } from '#services/billing/webhooks/handle-provider-event'
import type { Spans } from '#services/tracing/spans'

/**
 * Handles each event of the provider in a trace, that of the event's id: its repeats and what they
 * record are one trace. A webhook with a wrong signature has no trace.
 */
export function tracedProviderEvents(
  handle: HandleProviderEvent,
  spans: Spans,
): HandleProviderEvent {
  return (providerEvent, source) =>
    spans.inTrace(
      {
        name: source === 'webhook' ? 'POST /api/stripe/webhook' : 'reconcile provider event',
        kind: source === 'webhook' ? 'server' : 'internal',
        correlationId: textOfRef(providerEvent.eventRef),
        attributes: { 'correlation.id': textOfRef(providerEvent.eventRef) },
      },
      async (span) => {
        const outcome = await handle(providerEvent, source)
        span.set({ 'notice.outcome': outcome.kind })
        return outcome
      },
    )
}
