import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import { planById } from '#contracts/plans'
import { hasReturnedMoney } from '#contracts/refund-status'
import { billingDecider } from '#services/billing/billing-decider'
import { needsPlanSteps } from '#services/billing/comparison/plan-changes'
import {
  creditNoteIdOf,
  disputeIdOf,
  refundIdOf,
  subscriptionIdOf,
} from '#services/billing/product-ids'
import type { BillingState } from '#services/billing/billing-state'
import { termsOf } from '#services/payments/plan-prices'
import type { ProviderState } from '#services/payments/provider-state'
import { parseCheckoutId } from '#contracts/ids'
import { arbitraryAction, type ProviderAction } from '../support/provider-model/provider-action.ts'
import {
  act,
  emptyProvider,
  instantAt,
  openSession,
  seenBy,
  type ProviderModel,
} from '../support/provider-model/provider-model.ts'

/*
 * The product beside a pure model of the provider. Webhooks are delivered twice, late, in any order
 * or never, to two processes whose steps interleave. A webhook only names the customer: its worker
 * loads the stream, reads the provider and appends with the loaded revision. At the end the
 * reconciler synchronizes once.
 */

interface Worker {
  readonly loaded: { readonly revision: number; readonly state: BillingState } | null
  readonly seen: ProviderState | null
}
const idle: Worker = { loaded: null, seen: null }

interface World {
  readonly model: ProviderModel
  readonly events: readonly BillingEvent[]
  readonly workers: readonly [Worker, Worker]
  readonly clicks: number
}

type Step =
  | { readonly kind: 'provider'; readonly action: ProviderAction }
  /** The next step of a worker that handles a webhook: load, read, append. */
  | { readonly kind: 'worker'; readonly index: 0 | 1 }
  /** The customer clicks Subscribe, and the provider opens a session. */
  | { readonly kind: 'click' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: arbitraryAction.map((action) => ({ kind: 'provider' as const, action })),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom(0 as const, 1 as const).map((index) => ({
      kind: 'worker' as const,
      index,
    })),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'click' as const }) },
)

const stateOf = (events: readonly BillingEvent[]) =>
  events.reduce(billingDecider.evolve, billingDecider.initialState)

/** As the billing stream does it: the steps of a plan are read only if they are needed. */
function answerFor(state: BillingState, model: ProviderModel): ProviderState {
  const seen = seenBy(model)
  return {
    ...seen,
    subscriptions: seen.subscriptions.map((each) => {
      const known = state.subscriptions.get(subscriptionIdOf(each.stripeSubscriptionId))
      const isNeeded = known?.kind !== 'ended' && needsPlanSteps(known, each)
      return isNeeded ? each : { ...each, planSteps: [] }
    }),
  }
}

function reconciled(world: World, state: BillingState, seen: ProviderState): World {
  const decision = billingDecider.decide(
    { type: 'reconcile', providerState: seen, at: instantAt(world.model.now) },
    state,
  )
  if (decision.kind === 'refused') throw new Error('A reconciliation is never refused.')
  return { ...world, events: [...world.events, ...decision.events] }
}

function run(world: World, next: Step): World {
  switch (next.kind) {
    case 'provider':
      return { ...world, model: act(world.model, next.action) }
    case 'worker':
      return work(world, next.index)
    case 'click':
      return click(world)
  }
}

function work(world: World, index: 0 | 1): World {
  const worker = world.workers[index]
  const become = (changed: Worker, from = world): World => ({
    ...from,
    workers: index === 0 ? [changed, from.workers[1]] : [from.workers[0], changed],
  })
  const { loaded, seen } = worker
  if (loaded === null)
    return become({
      loaded: { revision: world.events.length, state: stateOf(world.events) },
      seen: null,
    })
  if (seen === null) return become({ loaded, seen: answerFor(loaded.state, world.model) })
  // A conflict: the worker starts over, the read included.
  if (loaded.revision !== world.events.length) return become(idle)
  return become(idle, reconciled(world, loaded.state, seen))
}

/** The click reads the provider itself, so it never starts a second subscription. */
function click(world: World): World {
  const { model, clicks } = world
  const state = stateOf(world.events)
  const checkoutId = `checkout_${clicks + 1}`
  const decision = billingDecider.decide(
    {
      type: 'start-checkout',
      checkoutId: parseCheckoutId(checkoutId),
      terms: termsOf(planById('monthly'), 'price_monthly'),
      providerState: answerFor(state, model),
      isBlocked: false,
      at: instantAt(model.now),
    },
    state,
  )
  if (decision.kind === 'refused') return { ...world, clicks: clicks + 1 }
  const events = [...world.events, ...decision.events]
  const reserved = stateOf(events)
  if (reserved.openCheckout?.checkoutId !== checkoutId)
    return { ...world, events, clicks: clicks + 1 }
  const sessionId = `cs_${clicks + 1}`
  // The customer gets the page only after its session is recorded.
  const recorded = billingDecider.decide(
    {
      type: 'record-session',
      checkoutId: parseCheckoutId(checkoutId),
      sessionId,
      expiresAt: instantAt(model.now + 24 * 60),
      at: instantAt(model.now),
    },
    reserved,
  )
  return {
    ...world,
    clicks: clicks + 1,
    events: [...events, ...(recorded.kind === 'accepted' ? recorded.events : [])],
    model: openSession(model, checkoutId, sessionId),
  }
}

const begin: World = { model: emptyProvider, events: [], workers: [idle, idle], clicks: 0 }

/** All steps, and then the reconciler. */
function finished(steps: readonly Step[]): World {
  const world = steps.reduce(run, begin)
  const state = stateOf(world.events)
  return reconciled(world, state, answerFor(state, world.model))
}

const histories = fc.array(step, { maxLength: 80, size: 'max' })
const of = <Type extends BillingEvent['type']>(events: readonly BillingEvent[], type: Type) =>
  events.filter((event): event is Extract<BillingEvent, { type: Type }> => event.type === type)
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

describe('after any interleaving, repetition and loss of webhooks, the stream', () => {
  it("has the provider's subscriptions, invoices, refunds, credit notes and disputes", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { events, model } = finished(steps)
        const state = stateOf(events)
        const seen = seenBy(model)
        for (const each of seen.subscriptions) {
          const known = state.subscriptions.get(subscriptionIdOf(each.stripeSubscriptionId))
          if (each.kind === 'ended') {
            const { why, endedAt } = each
            expect(known).toMatchObject({ kind: 'ended', why, endedAt })
          } else {
            const { terms, currentPeriodEnd, cancelAt, plannedChange, pause, status } = each
            expect(known).toMatchObject({
              kind: 'started',
              terms,
              currentPeriodEnd,
              cancelAt,
              plannedChange: plannedChange?.terms === terms ? null : plannedChange,
              status: pause === null ? status : 'paused',
            })
          }
        }
        expect(state.subscriptions.size).toBe(seen.subscriptions.length)
        for (const { invoiceId, outcome } of seen.invoices)
          expect(state.invoices.get(invoiceId)?.kind).toBe(
            outcome.kind === 'paid' ? 'paid' : 'unpaid',
          )
        for (const { stripeRefundId, status } of seen.refunds)
          expect(state.refunds.get(refundIdOf(stripeRefundId))?.status).toBe(status)
        for (const { stripeCreditNoteId, isVoid } of seen.creditNotes)
          expect(state.creditNotes.get(creditNoteIdOf(stripeCreditNoteId))).toBe(
            isVoid ? 'void' : 'issued',
          )
        for (const { stripeDisputeId, outcome } of seen.disputes)
          expect(state.disputes.get(disputeIdOf(stripeDisputeId))?.isOpen).toBe(outcome === null)
      }),
      { numRuns: 400 },
    )
  })

  it("has the provider's sums of payments, refunds and prorations", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { events, model } = finished(steps)
        const paid = sum(of(events, 'PaymentSucceeded').map(({ data }) => data.amounts.paid))
        const paidAtProvider = model.invoices
          .filter(({ outcome }) => outcome.kind === 'paid')
          .map(({ amounts }) => amounts.paid)
        expect(paid).toBe(sum(paidAtProvider))

        const statuses = stateOf(events).refunds
        const refunded = sum(
          of(events, 'RefundRecorded')
            .filter(({ data }) => hasReturnedMoney(statuses.get(data.refundId)!.status))
            .map(({ data }) => data.amount.amount),
        )
        const refundedAtProvider = model.refunds
          .filter(({ status }) => hasReturnedMoney(status))
          .map(({ amount }) => amount.amount)
        expect(refunded).toBe(sum(refundedAtProvider))
        expect(refunded).toBeLessThanOrEqual(paid)

        const prorated = sum(
          of(events, 'PlanChanged').map(({ data }) => data.proration?.amount ?? 0),
        )
        const atProvider = seenBy(model).subscriptions.flatMap(({ prorations }) =>
          prorations.map(({ amount }) => amount),
        )
        expect(prorated).toBe(sum(atProvider))
      }),
      { numRuns: 400 },
    )
  })

  it('has the same plan history as the provider, each change once', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { events, model } = finished(steps)
        for (const { stripeSubscriptionId, planSteps } of seenBy(model).subscriptions) {
          const changes = of(events, 'PlanChanged').filter(
            ({ data }) => data.subscriptionId === subscriptionIdOf(stripeSubscriptionId),
          )
          expect(changes.map(({ data }) => [data.from, data.to, data.effectiveAt])).toEqual(
            planSteps.map(({ from, to, at }) => [from.terms, to.terms, at]),
          )
          expect(changes.every(({ data }) => !data.isInferred)).toBe(true)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('records nothing again: a second reconciliation adds no event', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const world = finished(steps)
        const state = stateOf(world.events)
        const again = reconciled(world, state, answerFor(state, world.model))
        expect(again.events.slice(world.events.length)).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  it('never has a second running subscription', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { events } = finished(steps)
        const running = [...stateOf(events).subscriptions.values()].filter(
          ({ kind }) => kind === 'started',
        )
        expect(running.length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 400 },
    )
  })
})
