import { textOfRef } from '#contracts/events/provider-ref'
import { haveEqualStanding } from '#services/payments/equal-values'
import type { Standing } from '#services/payments/provider-change'
import type { StartedSubscription } from '../subscription-state.ts'
import type { Fact, Observed } from './fact.ts'

/** A pause, its end, or another status. */
export function standingFacts(
  known: StartedSubscription,
  to: Standing,
  observed: Observed,
): Fact[] {
  if (haveEqualStanding(known, to)) return []
  const { subscriptionId, subscriptionRef, status, changes } = known
  const nth = `${textOfRef(subscriptionRef)} standing ${changes.standing.count + 1}`
  const occurredAt = observed.changedAt
  if (to.status === 'paused')
    return [
      {
        type: 'SubscriptionPaused',
        data: { subscriptionId, resumesAt: to.resumesAt, ...observed },
        occurredAt,
        fact: `${nth} paused until ${to.resumesAt ?? 'further notice'}`,
      },
    ]
  if (status === 'paused')
    return [
      {
        type: 'SubscriptionResumed',
        data: { subscriptionId, status: to.status, ...observed },
        occurredAt,
        fact: `${nth} resumed ${to.status}`,
      },
    ]
  return [
    {
      type: 'SubscriptionStatusChanged',
      data: { subscriptionId, from: status, to: to.status, ...observed },
      occurredAt,
      fact: `${nth} ${to.status}`,
    },
  ]
}
