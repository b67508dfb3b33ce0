import type { Map as PersistentMap } from 'immutable'
import type { BillingEvent, SubscriptionEnd } from '#contracts/events/billing'
import {
  noDeductions,
  type Deductions,
  type SubscriptionTerms,
} from '#contracts/events/billing-parts'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { parseSubscriptionId, type SubscriptionId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { StartedStatus } from '#contracts/subscription-status'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import { haveEqualPrice } from '#services/payments/equal-values'
import type { PlannedChange, SubscriptionParts } from '#services/payments/provider-change'

interface SubscriptionIds {
  readonly subscriptionId: SubscriptionId
  readonly subscriptionRef: ProviderRef
}

/** The recorded changes of one part. The count is part of a fact's name: a change can recur. */
interface RecordedChanges {
  readonly count: number
  /** The provider's time of the last change; null without one. */
  readonly lastAt: Instant | null
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
  /** The provider's ids of the proration lines that plan changes have recorded. */
  readonly prorationLines: ReadonlySet<ProviderRef>
  readonly changes: Readonly<Record<keyof SubscriptionParts, RecordedChanges>>
  readonly deductions: Deductions
  readonly deductionChanges: RecordedChanges
}

/** The end is final: an ended subscription has no status, no period and no cancellation. */
interface EndedSubscription extends SubscriptionIds, SubscriptionEnd {
  readonly kind: 'ended'
}

export type SubscriptionState = StartedSubscription | EndedSubscription

type Subscriptions = PersistentMap<SubscriptionId, SubscriptionState>

/** The events that change a started subscription. */
const changeTypes = [
  'SubscriptionRenewed',
  'SubscriptionStatusChanged',
  'SubscriptionPaused',
  'SubscriptionResumed',
  'PlanChangeScheduled',
  'PlanChangeDropped',
  'PlanChanged',
  'RecurringDeductionsChanged',
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
      const { subscriptionId, subscriptionRef } = knownSubscription(
        subscriptions,
        event.data.subscriptionId,
      )
      return withSubscription(subscriptions, {
        kind: 'ended',
        subscriptionId,
        subscriptionRef,
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
  const { subscriptionId, subscriptionRef, status, ...rest } = data
  const { currentPeriodStart, currentPeriodEnd, ...terms } = rest
  return {
    kind: 'started',
    subscriptionId: parseSubscriptionId(subscriptionId),
    subscriptionRef,
    status,
    terms,
    currentPeriodStart,
    currentPeriodEnd,
    cancelAt: null,
    resumesAt: null,
    plannedChange: null,
    prorationLines: new Set(),
    changes: { plan: none, plannedChange: none, cancellation: none, standing: none },
    deductions: noDeductions,
    deductionChanges: none,
  }
}

const none: RecordedChanges = { count: 0, lastAt: null }

function changedBy(known: StartedSubscription, event: SubscriptionChange): StartedSubscription {
  const counted = (part: keyof SubscriptionParts, lastAt: Instant) => ({
    changes: { ...known.changes, [part]: { count: known.changes[part].count + 1, lastAt } },
  })
  switch (event.type) {
    case 'SubscriptionRenewed': {
      const { currentPeriodStart, currentPeriodEnd } = event.data
      return { ...known, currentPeriodStart, currentPeriodEnd }
    }
    case 'SubscriptionStatusChanged':
      return { ...known, status: event.data.to, ...counted('standing', event.data.changedAt) }
    case 'SubscriptionPaused': {
      const { resumesAt, changedAt } = event.data
      return { ...known, status: 'paused', resumesAt, ...counted('standing', changedAt) }
    }
    case 'SubscriptionResumed': {
      const { status, changedAt } = event.data
      return { ...known, status, resumesAt: null, ...counted('standing', changedAt) }
    }
    case 'PlanChangeScheduled': {
      const { to: terms, effectiveAt, changedAt } = event.data
      const plannedChange = { terms, effectiveAt }
      return { ...known, plannedChange, ...counted('plannedChange', changedAt) }
    }
    case 'PlanChangeDropped':
      return {
        ...known,
        plannedChange: null,
        ...counted('plannedChange', event.data.changedAt),
      }
    case 'PlanChanged': {
      const { to, effectiveAt, currentPeriodStart, currentPeriodEnd, prorationLines } = event.data
      const isPlanned =
        known.plannedChange !== null && haveEqualPrice(known.plannedChange.terms, to)
      return {
        ...known,
        terms: to,
        currentPeriodStart,
        currentPeriodEnd,
        plannedChange: isPlanned ? null : known.plannedChange,
        prorationLines: new Set([...known.prorationLines, ...prorationLines]),
        ...counted('plan', effectiveAt),
      }
    }
    case 'RecurringDeductionsChanged': {
      const { discounts, includedTax, changedAt: lastAt } = event.data
      return {
        ...known,
        deductions: { discounts, includedTax },
        deductionChanges: { count: known.deductionChanges.count + 1, lastAt },
      }
    }
    case 'CancellationScheduled': {
      const { effectiveAt: cancelAt, changedAt } = event.data
      return { ...known, cancelAt, ...counted('cancellation', changedAt) }
    }
    case 'CancellationWithdrawn':
      return { ...known, cancelAt: null, ...counted('cancellation', event.data.changedAt) }
    default:
      return unreachable(event)
  }
}

function withSubscription(
  subscriptions: Subscriptions,
  subscription: SubscriptionState,
): Subscriptions {
  return subscriptions.set(subscription.subscriptionId, subscription)
}

/** @throws Error if the stream has no SubscriptionStarted of this subscription. */
function knownSubscription(subscriptions: Subscriptions, subscriptionId: string) {
  const known = subscriptions.get(parseSubscriptionId(subscriptionId))
  if (!known)
    throw new DamagedHistory(
      `The billing stream has no SubscriptionStarted of subscription ${subscriptionId} before another event of it. The stream is damaged: run npm run billing -- events verify.`,
    )
  return known
}
