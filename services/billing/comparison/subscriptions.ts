import { textOfRef } from '#contracts/events/provider-ref'
import type { SubscriptionId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { UnpausedStatus } from '#contracts/subscription-status'
import { unreachable } from '#services/foundation/decider'
import type { Change, Standing, SubscriptionHistory } from '#services/payments/provider-change'
import { haveEqualPrice } from '#services/payments/equal-values'
import type {
  EndedProviderSubscription,
  Proration,
  ProviderInvoice,
  ProviderSubscription,
} from '#services/payments/provider-state'
import type { BillingState } from '../billing-state.ts'
import { evolveBilling } from '../evolve-billing.ts'
import { subscriptionIdOf } from '../product-ids.ts'
import type { StartedSubscription } from '../subscription-state.ts'
import { cancellationFacts } from './cancellations.ts'
import { deductionFacts } from './deductions.ts'
import type { Fact } from './fact.ts'
import { planChangeFacts } from './plan-changes.ts'
import { linesByChange, type ProratedChange } from './prorations.ts'
import { plannedChangeFacts } from './planned-changes.ts'
import { standingFacts } from './standings.ts'
import { standingOf, subscriptionSteps, type SubscriptionStep } from './subscription-steps.ts'

/**
 * The differences of one subscription. First each change that the provider's events report, then
 * what is still different, as inferred changes at `seenAt`.
 */
export function subscriptionChanges(
  state: BillingState,
  seen: ProviderSubscription,
  {
    history,
    invoices,
  }: {
    readonly history: SubscriptionHistory
    /** The invoices without a recorded payment, also those of other subscriptions. */
    readonly invoices: readonly ProviderInvoice[]
  },
  seenAt: Instant,
): Fact[] {
  const subscriptionId = subscriptionIdOf(seen.subscriptionRef)
  const facts: Fact[] = []
  let billing = state
  const record = (found: readonly Fact[]) => {
    facts.push(...found)
    billing = found.reduce(evolveBilling, billing)
  }
  /** Each comparison sees the facts of the earlier comparisons. The end is final. */
  const compare = (factsOf: (known: StartedSubscription) => readonly Fact[]) => {
    const known = billing.subscriptions.get(subscriptionId)
    if (known?.kind === 'started') record(factsOf(known))
  }

  const newSince = state.subscriptions.has(subscriptionId) ? null : seen.startedAt
  if (newSince !== null) {
    // The customer never had this subscription.
    if (seen.kind === 'ended' && seen.why === 'expired') return []
    record([startedFact(subscriptionId, seen, { history, invoices })])
  }
  const known = billing.subscriptions.get(subscriptionId)
  if (known?.kind !== 'started') return facts
  const steps = subscriptionSteps(known, seen, history)
  const linesOf = linesOfSteps(known, seen, steps, seenAt)
  for (const step of steps) {
    if (seen.currentPeriodStart < step.at) compare((each) => renewalFacts(each, seen))
    compare((each) => stepFacts(each, step, { seen, lines: linesOf(step) }))
  }
  const inferred = { changedAt: seenAt, isInferred: true }
  compare((each) => planChangeFacts(each, seen, inferred, { seen, lines: linesOf(null) }))
  compare((each) => renewalFacts(each, seen))
  switch (seen.kind) {
    // The provider reports no cancellation and no planned change of an ended subscription.
    case 'ended':
      compare((each) => [endedFact(each, seen, seenAt)])
      break
    case 'started':
      compare((each) => plannedChangeFacts(each, seen.plannedChange, inferred))
      compare((each) => cancellationFacts(each, seen.cancelAt, inferred))
      compare((each) => standingFacts(each, standingOf(seen), inferred))
      compare((each) => deductionFacts(each, seen, { newSince, seenAt }))
      break
    default:
      return unreachable(seen)
  }
  return facts
}

/**
 * The proration lines of each step that changes the plan, and, for null, those of the change that
 * no event reports.
 */
function linesOfSteps(
  known: StartedSubscription,
  seen: ProviderSubscription,
  steps: readonly SubscriptionStep[],
  seenAt: Instant,
): (step: SubscriptionStep | null) => readonly Proration[] {
  const plans = steps.filter((step) => step.part === 'plan')
  const from = plans.at(-1)?.to.terms ?? known.terms
  const changes: ProratedChange[] = [
    ...plans.map(({ at, from: before, to }) => ({ at, from: before.terms, to: to.terms })),
    ...(haveEqualPrice(from, seen.terms) ? [] : [{ at: seenAt, from, to: seen.terms }]),
  ]
  const lines = linesByChange(known, seen, changes)
  return (step) =>
    lines[step === null ? plans.length : plans.findIndex((each) => each === step)] ?? []
}

/** The subscription as it began, as far as the provider's events and invoices show it. */
function startedFact(
  subscriptionId: SubscriptionId,
  seen: ProviderSubscription,
  { history, invoices }: Parameters<typeof subscriptionChanges>[2],
): Fact {
  const { plan, standing } = history
  const { subscriptionRef } = seen
  const { terms, currentPeriodStart, currentPeriodEnd } = plan[0]?.from ?? {
    ...seen,
    ...firstPeriodOf(seen, invoices),
  }
  return {
    type: 'SubscriptionStarted',
    data: {
      subscriptionId,
      subscriptionRef,
      ...terms,
      status: firstStatus(seen, standing[0]),
      currentPeriodStart,
      currentPeriodEnd,
    },
    occurredAt: seen.startedAt,
    fact: `${textOfRef(subscriptionRef)} started`,
  }
}

/** The period of the first invoice. Null if the invoice is not among `invoices`. */
function firstPeriodOf(
  { subscriptionRef, startedAt }: ProviderSubscription,
  invoices: readonly ProviderInvoice[],
) {
  const first = invoices.find(
    (each) => each.subscriptionRef === subscriptionRef && each.periodStart <= startedAt,
  )
  return first === undefined
    ? null
    : { currentPeriodStart: first.periodStart, currentPeriodEnd: first.periodEnd }
}

/** A checkout's subscription is `incomplete` for the seconds before its first payment. */
function firstStatus(
  seen: ProviderSubscription,
  first: Change<Standing> | undefined,
): UnpausedStatus {
  const status = first?.from.status === 'incomplete' ? first.to.status : first?.from.status
  if (status !== undefined && status !== 'paused') return status
  return seen.kind === 'ended' ? 'active' : seen.status
}

function stepFacts(
  known: StartedSubscription,
  step: SubscriptionStep,
  prorations: Parameters<typeof planChangeFacts>[3],
): readonly Fact[] {
  const observed = { changedAt: step.at, isInferred: false }
  switch (step.part) {
    case 'plan':
      return planChangeFacts(known, step.to, observed, prorations)
    case 'plannedChange':
      return plannedChangeFacts(known, step.to, observed)
    case 'cancellation':
      return cancellationFacts(known, step.to, observed)
    case 'standing':
      return standingFacts(known, step.to, observed)
    default:
      return unreachable(step)
  }
}

function renewalFacts(known: StartedSubscription, seen: ProviderSubscription): readonly Fact[] {
  const { subscriptionRef: id, currentPeriodStart, currentPeriodEnd } = seen
  if (currentPeriodEnd <= known.currentPeriodEnd) return []
  return [
    {
      type: 'SubscriptionRenewed',
      data: { subscriptionId: known.subscriptionId, currentPeriodStart, currentPeriodEnd },
      occurredAt: currentPeriodStart,
      fact: `${textOfRef(id)} period_end ${currentPeriodEnd}`,
    },
  ]
}

function endedFact(
  { subscriptionId }: StartedSubscription,
  seen: EndedProviderSubscription,
  seenAt: Instant,
): Fact {
  const { why, subscriptionRef } = seen
  const endedAt = seen.endedAt ?? seenAt
  return {
    type: 'SubscriptionEnded',
    data: { subscriptionId, why, endedAt },
    occurredAt: endedAt,
    fact: `${textOfRef(subscriptionRef)} ended`,
  }
}
