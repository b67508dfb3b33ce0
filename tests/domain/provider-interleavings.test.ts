import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { eventMoney, type EventType } from '#contracts/event-labels'
import type { BillingEvent } from '#contracts/events/billing'
import { planById } from '#contracts/plans'
import { hasReturnedMoney } from '#contracts/refund-status'
import { billingDecider } from '#services/billing/billing-decider'
import { needsHistory } from '#services/billing/comparison/needs-history'
import {
  creditNoteIdOf,
  disputeIdOf,
  refundIdOf,
  subscriptionIdOf,
} from '#services/billing/product-ids'
import type { BillingState } from '#services/billing/billing-state'
import { termsOf } from '#services/payments/plan-prices'
import { noChanges, noHistory } from '#services/payments/provider-change'
import type { ProviderState } from '#services/payments/provider-state'
import { parseCheckoutId } from '#contracts/ids'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import type { ProviderModel } from '../support/provider-model/model-state.ts'
import { arbitraryAction, type ProviderAction } from '../support/provider-model/provider-action.ts'
import {
  expectedHistory,
  historySince,
  recordedHistory,
} from '../support/provider-model/compared-history.ts'
import {
  act,
  emptyProvider,
  instantAt,
  openSession,
  seenBy,
} from '../support/provider-model/provider-model.ts'

/*
 * The product beside a pure model of the provider. Webhooks are delivered twice, late, in any order
 * or never, to two processes whose steps interleave. A webhook names the customer and the time of a
 * change. Its worker loads the stream, reads the state, then the events, then the state again, and
 * appends with the loaded revision. The reconciler handles the changes whose webhooks were lost, in
 * between and at the end.
 */

interface Worker {
  readonly loaded: {
    readonly revision: number
    readonly state: BillingState
    /** The change that the webhook reports; null for a synchronization without a webhook. */
    readonly changesSince: string | null
  } | null
  readonly present: ProviderState | null
  /** The state with the history that was read after it. */
  readonly explained: ProviderState | null
  readonly seen: ProviderState | null
}
const idle: Worker = { loaded: null, present: null, explained: null, seen: null }

interface World {
  readonly model: ProviderModel
  readonly events: readonly BillingEvent[]
  readonly workers: readonly [Worker, Worker]
  readonly clicks: number
  /** The times of the changes that no webhook has reported yet, oldest first. */
  readonly unreported: readonly string[]
  /** Every earlier change is handled. */
  readonly handledUntil: string | null
}

type Step =
  | { readonly kind: 'provider'; readonly action: ProviderAction }
  /** The next step of a worker: load, read, read the events, append. */
  | {
      readonly kind: 'worker'
      readonly index: 0 | 1
      /** The webhook that the worker begins with. */
      readonly webhook: 'oldest' | 'newest' | null
    }
  | { readonly kind: 'reconciler' }
  /** The customer clicks Subscribe, and the provider opens a session. */
  | { readonly kind: 'click' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: arbitraryAction.map((action) => ({ kind: 'provider' as const, action })),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('worker' as const),
      index: fc.constantFrom(0 as const, 1 as const),
      webhook: fc.constantFrom('oldest' as const, 'newest' as const, null),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'reconciler' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'click' as const }) },
)

const stateOf = (events: readonly BillingEvent[]) =>
  events.reduce(billingDecider.evolve, billingDecider.initialState)

/** As the billing stream does it: events are read only if they are needed. */
function answerFor(
  { model, handledUntil }: Pick<World, 'model' | 'handledUntil'>,
  state: BillingState,
  present: ProviderState,
  changesSince: string | null,
): ProviderState {
  if (changesSince === null && !needsHistory(state, present)) return present
  const isHandled = changesSince === null || handledUntil === null || handledUntil < changesSince
  return { ...present, history: historySince(model, isHandled ? handledUntil : changesSince) }
}

const presentOf = (model: ProviderModel): ProviderState => ({
  ...seenBy(model),
  history: noHistory,
})

/** A synchronization without an interruption. */
function synchronized(world: World, changesSince: string | null): World {
  const state = stateOf(world.events)
  const present = presentOf(world.model)
  return reconciled(world, state, answerFor(world, state, present, changesSince))
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
    case 'provider': {
      const model = act(world.model, next.action)
      const isReported = !isDeepStrictEqual(
        model.history.subscriptions,
        world.model.history.subscriptions,
      )
      const at = instantAt(model.now)
      return {
        ...world,
        model,
        unreported: isReported ? [...world.unreported, at] : world.unreported,
      }
    }
    case 'worker':
      return work(world, next)
    case 'reconciler':
      return reconcilerRun(world)
    case 'click':
      return click(world)
  }
}

/** Every lost change at once, as the reconciler handles the events of one customer. */
function reconcilerRun(world: World): World {
  const [oldest = null] = world.unreported
  return {
    ...(oldest === null ? world : synchronized(world, oldest)),
    unreported: [],
    handledUntil: instantAt(world.model.now),
  }
}

function work(world: World, { index, webhook }: Extract<Step, { kind: 'worker' }>): World {
  const worker = world.workers[index]
  const become = (changed: Worker, from = world): World => ({
    ...from,
    workers: index === 0 ? [changed, from.workers[1]] : [from.workers[0], changed],
  })
  const { loaded, present, explained, seen } = worker
  if (loaded === null) {
    const changesSince =
      webhook === null ? null : (world.unreported.at(webhook === 'oldest' ? 0 : -1) ?? null)
    const revision = world.events.length
    return become({ ...idle, loaded: { revision, state: stateOf(world.events), changesSince } })
  }
  if (present === null) return become({ ...worker, present: presentOf(world.model) })
  if (explained === null)
    return become({
      ...worker,
      explained: answerFor(world, loaded.state, present, loaded.changesSince),
    })
  if (seen === null) {
    const isStill = explained === present || isDeepStrictEqual(present, presentOf(world.model))
    return become(isStill ? { ...worker, seen: explained } : { ...idle, loaded })
  }
  // A conflict: the worker starts over, the read included.
  if (loaded.revision !== world.events.length) return become(idle)
  const done = reconciled(world, loaded.state, seen)
  const unreported = done.unreported.filter((at) => at !== loaded.changesSince)
  return become(idle, { ...done, unreported })
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
      terms: termsOf(planById('monthly'), refOf('price_monthly')),
      providerState: answerFor(world, state, presentOf(model), null),
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
  const sessionRef = refOf(`cs_${clicks + 1}`)
  // The customer gets the page only after its session is recorded.
  const recorded = billingDecider.decide(
    {
      type: 'record-session',
      checkoutId: parseCheckoutId(checkoutId),
      sessionRef,
      expiresAt: instantAt(model.now + 24 * 60),
      at: instantAt(model.now),
    },
    reserved,
  )
  return {
    ...world,
    clicks: clicks + 1,
    events: [...events, ...(recorded.kind === 'accepted' ? recorded.events : [])],
    model: openSession(model, checkoutId, sessionRef),
  }
}

const begin: World = {
  model: emptyProvider,
  events: [],
  workers: [idle, idle],
  clicks: 0,
  unreported: [],
  handledUntil: null,
}

/** All steps, then the reconciler over the events, then over all customers. */
function finished(steps: readonly Step[]): World {
  return synchronized(reconcilerRun(steps.reduce(run, begin)), null)
}

const histories = fc.array(step, { maxLength: 80, size: 'max' })
const of = <Type extends BillingEvent['type']>(
  events: readonly BillingEvent[],
  ...types: readonly Type[]
) =>
  events.filter((event): event is Extract<BillingEvent, { type: Type }> =>
    types.some((type) => type === event.type),
  )
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
const shownAmounts = (events: readonly BillingEvent[]) =>
  sum(events.map((event) => eventMoney<EventType>(event)?.amount ?? 0))

describe('after any interleaving, repetition and loss of webhooks, the stream', () => {
  it("has the provider's subscriptions, invoices, refunds, credit notes and disputes", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { events, model } = finished(steps)
        const state = stateOf(events)
        const seen = seenBy(model)
        for (const each of seen.subscriptions) {
          const known = state.subscriptions.get(subscriptionIdOf(each.subscriptionRef))
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
        for (const { invoiceRef, outcome } of seen.invoices)
          expect(state.invoices.get(invoiceRef)?.kind).toBe(
            outcome.kind === 'paid' ? 'paid' : 'unpaid',
          )
        for (const { refundRef, status } of seen.refunds)
          expect(state.refunds.get(refundIdOf(refundRef))?.status).toBe(status)
        for (const { creditNoteRef, isVoid } of seen.creditNotes)
          expect(state.creditNotes.get(creditNoteIdOf(creditNoteRef))?.isVoid).toBe(isVoid)
        for (const { disputeRef, outcome } of seen.disputes)
          expect(state.disputes.get(disputeIdOf(disputeRef))?.isOpen).toBe(outcome === null)
      }),
      { numRuns: 400 },
    )
  })

  it("has the provider's sums of payments, refunds and prorations, and its failed attempts", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { events, model } = finished(steps)
        const paid = sum(of(events, 'PaymentSucceeded').map(({ data }) => data.amounts.paid))
        const paidAtProvider = model.invoices
          .filter(({ outcome }) => outcome.kind === 'paid')
          .map(({ amounts }) => amounts.paid)
        expect(paid).toBe(sum(paidAtProvider))

        expect(of(events, 'PaymentFailed').map(({ data }) => data.invoiceRef)).toEqual(
          model.invoices
            .filter(({ failures }) => failures.length > 0)
            .map((each) => each.invoiceRef),
        )

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

        expect(shownAmounts(of(events, 'RefundRecorded', 'RefundStatusChanged'))).toBe(0 - refunded)
        expect(shownAmounts(of(events, 'CreditNoteIssued', 'CreditNoteVoided'))).toBe(
          0 -
            sum(model.creditNotes.filter(({ isVoid }) => !isVoid).map(({ total }) => total.amount)),
        )
        expect(shownAmounts(of(events, 'DisputeOpened', 'DisputeClosed'))).toBe(
          0 -
            sum(
              model.disputes
                .filter(({ kind, outcome }) => kind === 'chargeback' && outcome !== 'won')
                .map(({ amount }) => amount.amount),
            ),
        )

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

  it('has the same history of each subscription as the provider, each change once', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { events, model } = finished(steps)
        for (const { subscriptionRef: id } of seenBy(model).subscriptions) {
          const own = events.filter(
            ({ data }) => 'subscriptionId' in data && data.subscriptionId === subscriptionIdOf(id),
          )
          const history = model.history.subscriptions.get(id) ?? noChanges
          expect(recordedHistory(own)).toEqual(expectedHistory(history))
        }
      }),
      { numRuns: 400 },
    )
  })

  it('records nothing again: a second reconciliation adds no event', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const world = finished(steps)
        const again = synchronized(world, instantAt(0))
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
