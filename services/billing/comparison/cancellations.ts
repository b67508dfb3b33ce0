import { textOfRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { StartedSubscription } from '../subscription-state.ts'
import type { Fact, Observed } from './fact.ts'

/** `to` is when the scheduled cancellation ends the subscription; null for its withdrawal. */
export function cancellationFacts(
  { subscriptionId, subscriptionRef, cancelAt, changes }: StartedSubscription,
  to: Instant | null,
  observed: Observed,
): Fact[] {
  if (to === cancelAt) return []
  const nth = `${textOfRef(subscriptionRef)} cancellation ${changes.cancellation.count + 1}`
  const occurredAt = observed.changedAt
  return to === null
    ? [
        {
          type: 'CancellationWithdrawn',
          data: { subscriptionId, ...observed },
          occurredAt,
          fact: `${nth} withdrawn`,
        },
      ]
    : [
        {
          type: 'CancellationScheduled',
          data: { subscriptionId, effectiveAt: to, ...observed },
          occurredAt,
          fact: `${nth} at ${to}`,
        },
      ]
}
