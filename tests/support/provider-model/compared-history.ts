import type { BillingEvent } from '#contracts/events/billing'
import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { ProviderHistory, SubscriptionHistory } from '#services/payments/provider-change'
import type { ProviderModel } from './model-state.ts'

/** The part of the model's history that a look at the provider's events since `since` finds. */
export function historySince({ history }: ProviderModel, since: string | null): ProviderHistory {
  const after = <Each extends { readonly at: string }>(all: readonly Each[]) =>
    all.filter(({ at }) => since === null || at >= since)
  return {
    subscriptions: mapped(history.subscriptions, (each) => ({
      plan: after(each.plan),
      plannedChange: after(each.plannedChange),
      cancellation: after(each.cancellation),
      standing: after(each.standing),
    })),
    refunds: mapped(history.refunds, (each) => after(each)),
    disputes: mapped(history.disputes, (each) => after(each)),
    checkouts: mapped(history.checkouts, (each) => after(each)),
  }
}

function mapped<Value>(
  values: ReadonlyMap<ProviderRef, Value>,
  change: (value: Value) => Value,
): ReadonlyMap<ProviderRef, Value> {
  return new Map([...values].map(([ref, value]) => [ref, change(value)]))
}

/** The changes of a subscription by part: the time and the value after the change. */
interface ComparedHistory {
  readonly plan: readonly (readonly [string, SubscriptionTerms])[]
  readonly plannedChange: readonly (readonly [string, SubscriptionTerms | null])[]
  readonly cancellation: readonly (readonly [string, string | null])[]
  readonly standing: readonly (readonly [string, string, string | null])[]
}

/** A planned change that takes effect is a plan change only. */
export function expectedHistory(history: SubscriptionHistory): ComparedHistory {
  const tookEffect = new Set(history.plan.map(({ at }) => at))
  return {
    plan: history.plan.map(({ at, to }) => [at, to.terms]),
    plannedChange: history.plannedChange
      .filter(({ at, to }) => to !== null || !tookEffect.has(at))
      .map(({ at, to }) => [at, to?.terms ?? null]),
    cancellation: history.cancellation.map(({ at, to }) => [at, to]),
    standing: history.standing.map(({ at, to }) => [at, to.status, to.resumesAt]),
  }
}

/** What the events of one subscription record. An inferred change has no time to compare. */
export function recordedHistory(events: readonly BillingEvent[]): ComparedHistory {
  const history = {
    plan: [] as [string, SubscriptionTerms][],
    plannedChange: [] as [string, SubscriptionTerms | null][],
    cancellation: [] as [string, string | null][],
    standing: [] as [string, string, string | null][],
  }
  for (const { type, data } of events) {
    if ('isInferred' in data && data.isInferred) throw new Error(`${type} is inferred.`)
    switch (type) {
      case 'PlanChanged':
        history.plan.push([data.effectiveAt, data.to])
        break
      case 'PlanChangeScheduled':
        history.plannedChange.push([data.changedAt, data.to])
        break
      case 'PlanChangeDropped':
        history.plannedChange.push([data.changedAt, null])
        break
      case 'CancellationScheduled':
        history.cancellation.push([data.changedAt, data.effectiveAt])
        break
      case 'CancellationWithdrawn':
        history.cancellation.push([data.changedAt, null])
        break
      case 'SubscriptionPaused':
        history.standing.push([data.changedAt, 'paused', data.resumesAt])
        break
      case 'SubscriptionResumed':
        history.standing.push([data.changedAt, data.status, null])
        break
      case 'SubscriptionStatusChanged':
        history.standing.push([data.changedAt, data.to, null])
        break
      default:
    }
  }
  return history
}
