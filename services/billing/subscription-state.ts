import type { BillingEvent, SubscriptionEnd } from '#contracts/events/billing'
import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import { parseSubscriptionId, type SubscriptionId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { StartedStatus } from '#contracts/subscription-status'
import { unreachable } from '#services/foundation/decider'
import { haveEqualPrice } from '#services/payments/equal-price'

interface SubscriptionIds {
  readonly subscriptionId: SubscriptionId
  readonly stripeSubscriptionId: string
}

/** The recorded changes of each kind: part of a fact's name, because a change can happen again. */
interface ChangeCounts {
  readonly status: number
  readonly plan: number
  readonly plannedChange: number
  readonly cancellation: number
  readonly pause: number
}

interface PlannedChange {
  readonly terms: SubscriptionTerms
  readonly effectiveAt: Instant
}

export interface StartedSubscription extends SubscriptionIds {
  readonly kind: 'started'
  readonly status: StartedStatus
  readonly terms: SubscriptionTerms
  readonly currentPeriodStart: Instant
  readonly currentPeriodEnd: Instant
  readonly cancelAt: Instant | null
  /** The planned end of a pause; null without one. */
  readonly resumesAt: Instant | null
  readonly plannedChange: PlannedChange | null
  /** When the current plan began. */
  readonly planSince: Instant
  /** The sum of the proration lines that plan changes have recorded, in minor units. */
  readonly prorated: number
  readonly changes: ChangeCounts
}

/** The end is final: an ended subscription has no status, no period and no cancellation. */
interface EndedSubscription extends SubscriptionIds, SubscriptionEnd {
  readonly kind: 'ended'
}

export type SubscriptionState = StartedSubscription | EndedSubscription

type Subscriptions = ReadonlyMap<SubscriptionId, SubscriptionState>

/** The events that change a started subscription. */
const changeTypes = [
  'SubscriptionRenewed',
  'SubscriptionStatusChanged',
  'SubscriptionPaused',
  'SubscriptionResumed',
  'PlanChangeScheduled',
  'PlanChangeDropped',
  'PlanChanged',
  'CancellationScheduled',
  'CancellationWithdrawn',
] as const satisfies readonly BillingEvent['type'][]

export type SubscriptionEvent = Extract<
  BillingEvent,
  { type: (typeof changeTypes)[number] | 'SubscriptionStarted' | 'SubscriptionEnded' }
>
type SubscriptionChange = Extract<BillingEvent, { type: (typeof changeTypes)[number] }>

/** @throws Error if an event names a subscription that has no SubscriptionStarted. */
export function evolveSubscriptions(
  subscriptions: Subscriptions,
  event: SubscriptionEvent,
): Subscriptions {
  switch (event.type) {
    case 'SubscriptionStarted':
      return withSubscription(subscriptions, startedBy(event))
    case 'SubscriptionEnded': {
      const { endedAt, why } = event.data
      const { subscriptionId, stripeSubscriptionId } = knownSubscription(
        subscriptions,
        event.data.subscriptionId,
      )
      return withSubscription(subscriptions, {
        kind: 'ended',
        subscriptionId,
        stripeSubscriptionId,
        endedAt,
        why,
      })
    }
    default: {
      const known = knownSubscription(subscriptions, event.data.subscriptionId)
      // The end is final: an event about an ended subscription changes nothing.
      return known.kind === 'ended'
        ? subscriptions
        : withSubscription(subscriptions, changedBy(known, event))
    }
  }
}

function startedBy({
  data,
}: Extract<BillingEvent, { type: 'SubscriptionStarted' }>): StartedSubscription {
  const { subscriptionId, stripeSubscriptionId, status, ...rest } = data
  const { currentPeriodStart, currentPeriodEnd, ...terms } = rest
  return {
    kind: 'started',
    subscriptionId: parseSubscriptionId(subscriptionId),
    stripeSubscriptionId,
    status,
    terms,
    currentPeriodStart,
    currentPeriodEnd,
    cancelAt: null,
    resumesAt: null,
    plannedChange: null,
    planSince: currentPeriodStart,
    prorated: 0,
    changes: { status: 0, plan: 0, plannedChange: 0, cancellation: 0, pause: 0 },
  }
}

function changedBy(known: StartedSubscription, event: SubscriptionChange): StartedSubscription {
  switch (event.type) {
    case 'SubscriptionRenewed': {
      const { currentPeriodStart, currentPeriodEnd } = event.data
      return { ...known, currentPeriodStart, currentPeriodEnd }
    }
    case 'SubscriptionStatusChanged':
      return { ...counted(known, 'status'), status: event.data.to }
    case 'SubscriptionPaused':
      return { ...counted(known, 'pause'), status: 'paused', resumesAt: event.data.resumesAt }
    case 'SubscriptionResumed':
      return { ...counted(known, 'pause'), status: event.data.status, resumesAt: null }
    case 'PlanChangeScheduled': {
      const { to: terms, effectiveAt } = event.data
      return { ...counted(known, 'plannedChange'), plannedChange: { terms, effectiveAt } }
    }
    case 'PlanChangeDropped':
      return { ...counted(known, 'plannedChange'), plannedChange: null }
    case 'PlanChanged': {
      const { to, effectiveAt, currentPeriodStart, currentPeriodEnd, proration } = event.data
      const isPlanned =
        known.plannedChange !== null && haveEqualPrice(known.plannedChange.terms, to)
      return {
        ...counted(known, 'plan'),
        terms: to,
        currentPeriodStart,
        currentPeriodEnd,
        plannedChange: isPlanned ? null : known.plannedChange,
        planSince: effectiveAt,
        prorated: known.prorated + (proration?.amount ?? 0),
      }
    }
    case 'CancellationScheduled':
      return { ...counted(known, 'cancellation'), cancelAt: event.data.effectiveAt }
    case 'CancellationWithdrawn':
      return { ...counted(known, 'cancellation'), cancelAt: null }
    default:
      return unreachable(event)
  }
}

function counted(known: StartedSubscription, kind: keyof ChangeCounts): StartedSubscription {
  return { ...known, changes: { ...known.changes, [kind]: known.changes[kind] + 1 } }
}

function withSubscription(
  subscriptions: Subscriptions,
  subscription: SubscriptionState,
): Subscriptions {
  return new Map(subscriptions).set(subscription.subscriptionId, subscription)
}

/** @throws Error if the stream has no SubscriptionStarted of this subscription. */
function knownSubscription(subscriptions: Subscriptions, subscriptionId: string) {
  const known = subscriptions.get(parseSubscriptionId(subscriptionId))
  if (!known)
    throw new Error(
      `The billing stream has no SubscriptionStarted of subscription ${subscriptionId} before another event of it. The stream is damaged: run npm run billing -- events verify.`,
    )
  return known
}
