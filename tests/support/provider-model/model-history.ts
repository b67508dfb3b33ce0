import { disputeKinds, type DisputeStage } from '#contracts/dispute'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { haveEqualPlannedChange, haveEqualStanding } from '#services/payments/equal-values'
import {
  noChanges,
  type Change,
  type ProviderHistory,
  type Reading,
  type SubscriptionHistory,
  type SubscriptionParts,
} from '#services/payments/provider-change'
import type { ProviderDispute } from '#services/payments/provider-state'
import type { ModelSubscription, ProviderModel } from './model-state.ts'

/** The history of `before`, with what an event of the provider reports about each difference. */
export function historyAfter(
  before: ProviderModel,
  after: ProviderModel,
  at: string,
): ProviderHistory {
  const { subscriptions, refunds, disputes, checkouts } = before.history
  return {
    subscriptions: new Map([
      ...subscriptions,
      ...after.running.map((now) => {
        const id = now.subscriptionRef
        const old = before.running.find((each) => each.subscriptionRef === id)
        const history = subscriptions.get(id) ?? noChanges
        return [id, withChanges(history, old ?? now, now, at)] as const
      }),
    ]),
    refunds: new Map([
      ...refunds,
      ...readings(before.refunds, after.refunds, at, refunds, ({ refundRef, status }) => [
        refundRef,
        status,
      ]),
    ]),
    disputes: new Map([
      ...disputes,
      ...readings(before.disputes, after.disputes, at, disputes, (each) => [
        each.disputeRef,
        stageOf(each),
      ]),
    ]),
    checkouts: new Map([
      ...checkouts,
      ...readings(before.checkouts, after.checkouts, at, checkouts, ({ sessionRef, status }) => [
        sessionRef,
        status === 'open' ? null : status,
      ]),
    ]),
  }
}

function withChanges(
  history: SubscriptionHistory,
  before: ModelSubscription,
  after: ModelSubscription,
  at: string,
): SubscriptionHistory {
  const from = partsOf(before)
  const to = partsOf(after)
  const changed = <Part extends keyof SubscriptionParts>(
    part: Part,
    isEqual: boolean,
  ): readonly Change<SubscriptionParts[Part]>[] =>
    isEqual ? history[part] : [...history[part], { at, from: from[part], to: to[part] }]
  return {
    plan: changed('plan', from.plan.terms === to.plan.terms),
    plannedChange: changed(
      'plannedChange',
      haveEqualPlannedChange(from.plannedChange, to.plannedChange),
    ),
    cancellation: changed('cancellation', from.cancellation === to.cancellation),
    standing: changed('standing', haveEqualStanding(from.standing, to.standing)),
  }
}

function partsOf(subscription: ModelSubscription): SubscriptionParts {
  const { terms, currentPeriodStart, currentPeriodEnd, plannedChange, cancelAt, status, pause } =
    subscription
  return {
    plan: { terms, currentPeriodStart, currentPeriodEnd },
    plannedChange,
    cancellation: cancelAt,
    standing: pause === null ? { status, resumesAt: null } : { status: 'paused', ...pause },
  }
}

function stageOf({ kind, outcome }: ProviderDispute): DisputeStage {
  return outcome ?? disputeKinds.find((each) => each === kind) ?? 'inquiry'
}

function readings<Item, Value>(
  before: readonly Item[],
  after: readonly Item[],
  at: string,
  known: ReadonlyMap<ProviderRef, readonly Reading<Value>[]>,
  readingOf: (item: Item) => readonly [ProviderRef, Value | null],
): readonly (readonly [ProviderRef, readonly Reading<Value>[]])[] {
  const old = new Map(before.map(readingOf))
  return after.map(readingOf).flatMap(([ref, value]) => {
    const isNew = old.has(ref) && old.get(ref) !== value
    return isNew && value !== null ? [[ref, [...(known.get(ref) ?? []), { at, value }]]] : []
  })
}
