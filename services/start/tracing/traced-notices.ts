import { textOfRef } from '#contracts/events/provider-ref'
import type { HandleNotice } from '#services/billing/webhooks/handle-notice'
import type { Spans } from '#services/tracing/spans'

/**
 * Handles each event of the provider in a trace, that of the event's id: its repeats and what they
 * record are one trace. A webhook with a wrong signature has no trace.
 */
export function tracedNotices(handle: HandleNotice, spans: Spans): HandleNotice {
  return (notice, source) =>
    spans.inTrace(
      {
        name: source === 'webhook' ? 'POST /api/stripe/webhook' : 'reconcile provider event',
        kind: source === 'webhook' ? 'server' : 'internal',
        correlationId: textOfRef(notice.eventRef),
        attributes: { 'correlation.id': textOfRef(notice.eventRef) },
      },
      async (span) => {
        const outcome = await handle(notice, source)
        span.set({ 'notice.outcome': outcome.kind })
        return outcome
      },
    )
}
