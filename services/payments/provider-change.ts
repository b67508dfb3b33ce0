import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { DisputeStage } from '#contracts/dispute'
import type { Instant } from '#contracts/instant'
import type { RefundStatus } from '#contracts/refund-status'
import type { StartedStatus } from '#contracts/subscription-status'

/**
 * A change that an event of the provider reports: when, and the values before and after. The
 * provider dates events by the second.
 */
export interface Change<Value> {
  readonly at: Instant
  readonly from: Value
  readonly to: Value
}

export interface PlanAndPeriod {
  readonly terms: SubscriptionTerms
  readonly currentPeriodStart: Instant
  readonly currentPeriodEnd: Instant
}

/** A plan that a schedule sets later. */
export interface PlannedChange {
  readonly terms: SubscriptionTerms
  readonly effectiveAt: Instant
}

/** A subscription's status. `resumesAt` is the planned end of a pause; null without one. */
export interface Standing {
  readonly status: StartedStatus
  readonly resumesAt: Instant | null
}

/**
 * The parts of a subscription that can change and change back between two synchronizations.
 * `cancellation` is the time at which a scheduled cancellation ends the subscription.
 */
export interface SubscriptionParts {
  readonly plan: PlanAndPeriod
  readonly plannedChange: PlannedChange | null
  readonly cancellation: Instant | null
  readonly standing: Standing
}

/** The changes of one subscription, those of each part oldest first. */
export type SubscriptionHistory = {
  readonly [Part in keyof SubscriptionParts]: readonly Change<SubscriptionParts[Part]>[]
}

/** A value that an object had at a time. */
export interface Reading<Value> {
  readonly at: Instant
  readonly value: Value
}

/**
 * What the provider's events report, oldest first, by the objects. Not every event of a refund or a
 * dispute has the values before the change.
 */
export interface ProviderHistory {
  readonly subscriptions: ByRef<SubscriptionHistory>
  readonly refunds: ByRef<readonly Reading<RefundStatus>[]>
  readonly disputes: ByRef<readonly Reading<DisputeStage>[]>
  /** By the checkout sessions. */
  readonly checkouts: ByRef<readonly Reading<'complete' | 'expired'>[]>
}

type ByRef<Value> = ReadonlyMap<ProviderRef, Value>

export const noChanges: SubscriptionHistory = {
  plan: [],
  plannedChange: [],
  cancellation: [],
  standing: [],
}

export const noHistory: ProviderHistory = {
  subscriptions: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  checkouts: new Map(),
}
