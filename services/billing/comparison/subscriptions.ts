import type { SubscriptionId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { unreachable } from '#services/foundation/decider'
import type {
  ProviderSubscription,
  StartedProviderSubscription,
} from '#services/payments/provider-state'
import { evolveBilling, type BillingState } from '../billing-state.ts'
import { subscriptionIdOf } from '../product-ids.ts'
import type { StartedSubscription } from '../subscription-state.ts'
import type { Fact } from './fact.ts'
import { firstPlan, plannedChangeFacts, planFacts } from './plan-changes.ts'

/** The differences of one subscription. `seenAt` dates the changes that the provider does not. */
export function subscriptionFacts(
  state: BillingState,
  seen: ProviderSubscription,
  seenAt: Instant,
): Fact[] {
  const subscriptionId = subscriptionIdOf(seen.stripeSubscriptionId)
  const known = state.subscriptions.get(subscriptionId)
  // The end is final: a later answer about an ended subscription adds no facts.
  if (known?.kind === 'ended') return []
  if (known !== undefined) return changeFacts(known, seen, seenAt)
  // The customer never had this subscription.
  if (seen.kind === 'ended' && seen.why === 'expired') return []
  const started = startedFact(subscriptionId, seen)
  const afterStart = evolveBilling(state, started).subscriptions.get(subscriptionId)
  return afterStart?.kind === 'started'
    ? [started, ...changeFacts(afterStart, seen, seenAt)]
    : [started]
}

function startedFact(subscriptionId: SubscriptionId, seen: ProviderSubscription): Fact {
  const { stripeSubscriptionId } = seen
  const { terms, currentPeriodStart, currentPeriodEnd } = firstPlan(seen)
  return {
    type: 'SubscriptionStarted',
    data: {
      subscriptionId,
      stripeSubscriptionId,
      ...terms,
      status: seen.kind === 'ended' ? 'active' : seen.status,
      currentPeriodStart,
      currentPeriodEnd,
    },
    occurredAt: seen.startedAt,
    fact: `${stripeSubscriptionId} started`,
  }
}

function changeFacts(
  known: StartedSubscription,
  seen: ProviderSubscription,
  seenAt: Instant,
): Fact[] {
  const plan = planFacts(known, seen, seenAt)
  switch (seen.kind) {
    // The provider reports no cancellation and no planned change of an ended subscription.
    case 'ended': {
      const { endedAt, why } = seen
      return [
        ...plan,
        {
          type: 'SubscriptionEnded',
          data: { subscriptionId: known.subscriptionId, why, endedAt },
          occurredAt: endedAt,
          fact: `${seen.stripeSubscriptionId} ended`,
        },
      ]
    }
    case 'started':
      return [
        ...plan,
        ...plannedChangeFacts(known, seen, seenAt),
        ...cancellationFacts(known, seen, seenAt),
        ...statusFacts(known, seen, seenAt),
      ]
    default:
      return unreachable(seen)
  }
}

function cancellationFacts(
  { subscriptionId, cancelAt, changes }: StartedSubscription,
  seen: StartedProviderSubscription,
  seenAt: Instant,
): Fact[] {
  if (seen.cancelAt === cancelAt) return []
  const nth = `${seen.stripeSubscriptionId} cancellation ${changes.cancellation + 1}`
  return seen.cancelAt === null
    ? [
        {
          type: 'CancellationWithdrawn',
          data: { subscriptionId },
          occurredAt: seenAt,
          fact: `${nth} withdrawn`,
        },
      ]
    : [
        {
          type: 'CancellationScheduled',
          data: { subscriptionId, effectiveAt: seen.cancelAt },
          occurredAt: seenAt,
          fact: `${nth} at ${seen.cancelAt}`,
        },
      ]
}

function statusFacts(
  { subscriptionId, status, resumesAt, changes }: StartedSubscription,
  seen: StartedProviderSubscription,
  seenAt: Instant,
): Fact[] {
  const id = seen.stripeSubscriptionId
  const nthPause = `${id} pause ${changes.pause + 1}`
  if (seen.pause !== null) {
    if (status === 'paused' && seen.pause.resumesAt === resumesAt) return []
    return [
      {
        type: 'SubscriptionPaused',
        data: { subscriptionId, resumesAt: seen.pause.resumesAt },
        occurredAt: seenAt,
        fact: `${nthPause} until ${seen.pause.resumesAt ?? 'further notice'}`,
      },
    ]
  }
  if (status === 'paused')
    return [
      {
        type: 'SubscriptionResumed',
        data: { subscriptionId, status: seen.status },
        occurredAt: seenAt,
        fact: `${nthPause} resumed ${seen.status}`,
      },
    ]
  if (seen.status === status) return []
  return [
    {
      type: 'SubscriptionStatusChanged',
      data: { subscriptionId, from: status, to: seen.status },
      occurredAt: seenAt,
      fact: `${id} status ${changes.status + 1} ${seen.status}`,
    },
  ]
}
