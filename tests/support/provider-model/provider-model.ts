import { collectedBy, noDeductions, type SubscriptionTerms } from '#contracts/events/billing-parts'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { parseCheckoutId } from '#contracts/ids'
import type { RefundStatus } from '#contracts/refund-status'
import type {
  Proration,
  ProviderCheckout,
  ProviderCreditNote,
  ProviderDispute,
  ProviderInvoice,
  ProviderState,
  ProviderSubscription,
} from '#services/payments/provider-state'
import { noHistory } from '#services/payments/provider-change'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { amountsOf, failedAttempt, providerInvoice } from '../data/provider-invoice.ts'
import { historyAfter } from './model-history.ts'
import type { ModelSubscription, ProviderModel } from './model-state.ts'
import type { ProviderAction } from './provider-action.ts'

/*
 * A pure model of one customer at the payment provider. `act` makes the next state, `seenBy` is the
 * answer of the provider to a synchronization. An action that is not possible changes nothing.
 */

type Period = Pick<ProviderSubscription, 'currentPeriodStart' | 'currentPeriodEnd'>

export const emptyProvider: ProviderModel = {
  now: 0,
  checkouts: [],
  running: [],
  ended: [],
  invoices: [],
  refunds: [],
  creditNotes: [],
  disputes: [],
  history: noHistory,
}

const first = Date.parse('2026-03-01T00:00:00.000Z')
const minute = 60_000
const month = 30 * 24 * 60

export function instantAt(minutes: number): string {
  return new Date(first + minutes * minute).toISOString()
}

/** A session of the hosted checkout, as the product opens it. */
export function openSession(
  model: ProviderModel,
  checkoutId: string,
  sessionRef: ProviderRef,
): ProviderModel {
  const session: ProviderCheckout = {
    checkoutId: parseCheckoutId(checkoutId),
    sessionRef,
    status: 'open',
    openedAt: instantAt(model.now),
    expiresAt: instantAt(model.now + 24 * 60),
    subscriptionRef: null,
  }
  return { ...model, checkouts: [...model.checkouts, session] }
}

export function act(before: ProviderModel, action: ProviderAction): ProviderModel {
  const after = effectOf({ ...before, now: before.now + 1 }, action)
  return { ...after, history: historyAfter(before, after, instantAt(after.now)) }
}

function effectOf(model: ProviderModel, action: ProviderAction): ProviderModel {
  switch (action.kind) {
    case 'pay-checkout':
      return payCheckout(model, action.terms)
    case 'close-checkout':
      return {
        ...model,
        checkouts: model.checkouts.map((each) =>
          each.status === 'open' ? { ...each, status: 'expired' } : each,
        ),
      }
    case 'renew':
      return withRunning(model, (running) => renew(model, running, action.fails))
    case 'recover':
      return withRunning(model, (running) =>
        running.status === 'past_due'
          ? {
              ...withSubscription(model, { ...running, status: 'active' }),
              invoices: model.invoices.map((each) =>
                each.outcome.kind === 'open' ? paid(each, model) : each,
              ),
            }
          : model,
      )
    case 'wait':
      return { ...model, now: model.now + 24 * 60 }
    case 'change-plan':
      return withRunning(model, (running) =>
        changePlan(model, running, action.terms, action.proration),
      )
    case 'plan-change':
      return withRunning(model, (running) =>
        withSubscription(model, {
          ...running,
          plannedChange:
            action.terms === null || action.terms === running.terms
              ? null
              : { terms: action.terms, effectiveAt: running.currentPeriodEnd },
        }),
      )
    case 'cancel':
      return withRunning(model, (running) =>
        withSubscription(model, {
          ...running,
          cancelAt: action.isWithdrawn ? null : running.currentPeriodEnd,
        }),
      )
    case 'pause':
      return withRunning(model, (running) =>
        withSubscription(model, {
          ...running,
          pause: action.isResumed ? null : { resumesAt: running.currentPeriodEnd },
        }),
      )
    case 'end':
      return withRunning(model, (running) => ({
        ...model,
        running: model.running.filter((each) => each !== running),
        ended: [
          ...model.ended,
          { ...running, end: { endedAt: instantAt(model.now), why: action.why } },
        ],
      }))
    case 'refund':
      return refund(model, action.part, action.status)
    case 'settle-refund':
      return {
        ...model,
        refunds: model.refunds.map((each) =>
          canBecome(each.status, action.status) ? { ...each, status: action.status } : each,
        ),
      }
    case 'credit':
      return credit(model)
    case 'void-credit':
      return {
        ...model,
        creditNotes: model.creditNotes.map((each) => ({
          ...each,
          isVoid: true,
          voidedAt: each.voidedAt ?? instantAt(model.now),
        })),
      }
    case 'dispute':
      return dispute(model)
    case 'close-dispute':
      return {
        ...model,
        disputes: model.disputes.map((each) => ({
          ...each,
          kind: 'chargeback' as const,
          outcome: each.outcome ?? action.outcome,
        })),
      }
    default:
      return action satisfies never
  }
}

function payCheckout(model: ProviderModel, terms: SubscriptionTerms): ProviderModel {
  const open = model.checkouts.find(({ status }) => status === 'open')
  if (open === undefined) return model
  const startedAt = instantAt(model.now)
  const subscription: ModelSubscription = {
    subscriptionRef: refOf(`sub_${model.ended.length + model.running.length + 1}`),
    terms,
    status: 'active',
    startedAt,
    ...periodFrom(startedAt),
    prorations: [],
    pause: null,
    cancelAt: null,
    plannedChange: null,
    deductions: noDeductions,
    discountedAt: null,
    end: null,
  }
  const { subscriptionRef } = subscription
  const checkouts = model.checkouts.map((each) =>
    each === open ? { ...each, status: 'complete' as const, subscriptionRef } : each,
  )
  return billed({ ...model, checkouts }, subscription, 'paid')
}

/** The clock moves to the end of the period. A planned change takes effect. */
function renew(model: ProviderModel, running: ModelSubscription, fails: boolean): ProviderModel {
  const end = running.currentPeriodEnd
  const then = { ...model, now: Math.max(model.now, minutesAt(end)) }
  const { plannedChange } = running
  const isDue = plannedChange !== null && plannedChange.effectiveAt <= end
  const planned = isDue ? { terms: plannedChange.terms, plannedChange: null } : {}
  const renewed = { ...running, ...planned, ...periodFrom(end) }
  return fails
    ? billed(then, { ...renewed, status: 'past_due' }, 'failed')
    : billed(then, renewed, 'paid')
}

function minutesAt(instant: string): number {
  return (Date.parse(instant) - first) / minute
}

/** More than the difference of two plans, so that a charge stays positive. */
const credited = 10_000

function changePlan(
  model: ProviderModel,
  running: ModelSubscription,
  terms: SubscriptionTerms,
  amount: number,
): ProviderModel {
  if (terms === running.terms) return model
  const at = instantAt(model.now)
  const count = running.prorations.length
  const credit: Proration = {
    ref: refOf(`ii_${count + 1}`),
    at,
    amount: -credited,
    priceRef: running.terms.priceRef,
    quantity: running.terms.quantity,
  }
  const charge: Proration = {
    ref: refOf(`ii_${count + 2}`),
    at,
    amount: credited + amount,
    priceRef: terms.priceRef,
    quantity: terms.quantity,
  }
  return withSubscription(model, {
    ...running,
    terms,
    plannedChange: running.plannedChange?.terms === terms ? null : running.plannedChange,
    prorations: [...running.prorations, credit, charge],
  })
}

function refund(model: ProviderModel, part: number, status: RefundStatus): ProviderModel {
  const invoice = model.invoices.findLast(({ outcome }) => outcome.kind === 'paid')
  if (invoice === undefined) return model
  const left = invoice.amounts.paid - returnedOf(model, invoice.invoiceRef)
  const amount = Math.floor(left * part)
  if (amount < 1) return model
  const { currency } = invoice.amounts
  return {
    ...model,
    refunds: [
      ...model.refunds,
      {
        refundRef: refOf(`re_${model.refunds.length + 1}`),
        paymentRef: invoice.paymentRef,
        invoiceRef: invoice.invoiceRef,
        amount: { amount, currency },
        captured: { amount: invoice.amounts.paid, currency },
        status,
        reason: null,
        requestId: null,
        statedKind: null,
        method: collectedBy(invoice.paidBy),
        at: instantAt(model.now),
      },
    ],
  }
}

/** What refunds and credit notes give back of an invoice, or will give back. Minor units. */
function returnedOf({ refunds, creditNotes }: ProviderModel, invoiceRef: ProviderRef): number {
  const refunded = refunds
    .filter((each) => each.invoiceRef === invoiceRef && !hasFailed(each.status))
    .reduce((sum, { amount }) => sum + amount.amount, 0)
  const credited = creditNotes
    .filter((each) => each.invoiceRef === invoiceRef)
    .reduce((sum, { toBalance }) => sum + toBalance, 0)
  return refunded + credited
}

const hasFailed = (status: RefundStatus) => status === 'failed' || status === 'canceled'

/** A refund succeeds or fails after it was pending, and fails after it succeeded. */
function canBecome(from: RefundStatus, to: RefundStatus): boolean {
  return from === 'pending' ? to !== 'pending' : from === 'succeeded' && to === 'failed'
}

function credit(model: ProviderModel): ProviderModel {
  const invoice = model.invoices.findLast(({ outcome }) => outcome.kind === 'paid')
  if (invoice === undefined) return model
  const toBalance = Math.floor((invoice.amounts.paid - returnedOf(model, invoice.invoiceRef)) / 2)
  if (toBalance < 1) return model
  const note: ProviderCreditNote = {
    creditNoteRef: refOf(`cn_${model.creditNotes.length + 1}`),
    number: `${invoice.invoiceNumber ?? ''}-CN-01`,
    invoiceRef: invoice.invoiceRef,
    isVoid: false,
    total: { amount: toBalance, currency: invoice.amounts.currency },
    tax: 0,
    beforePayment: 0,
    refunded: 0,
    toBalance,
    outOfBand: 0,
    reason: null,
    memo: null,
    isProration: false,
    refundRefs: [],
    at: instantAt(model.now),
    voidedAt: null,
  }
  return { ...model, creditNotes: [...model.creditNotes, note] }
}

function dispute(model: ProviderModel): ProviderModel {
  const invoice = model.invoices.findLast(({ outcome }) => outcome.kind === 'paid')
  const isOpen = model.disputes.some(({ outcome }) => outcome === null)
  if (invoice === undefined || isOpen) return model
  const { paid: amount, currency } = invoice.amounts
  const opened: ProviderDispute = {
    disputeRef: refOf(`dp_${model.disputes.length + 1}`),
    paymentRef: invoice.paymentRef,
    invoiceRef: invoice.invoiceRef,
    kind: 'inquiry',
    amount: { amount, currency },
    reason: 'fraudulent',
    evidenceDueAt: null,
    fees: [],
    at: instantAt(model.now),
    outcome: null,
  }
  return { ...model, disputes: [...model.disputes, opened] }
}

function billed(
  model: ProviderModel,
  subscription: ModelSubscription,
  outcome: 'paid' | 'failed',
): ProviderModel {
  const { terms, subscriptionRef, currentPeriodStart, currentPeriodEnd } = subscription
  const number = model.invoices.length + 1
  const amount = terms.price.amount * terms.quantity
  const at = instantAt(model.now)
  const invoice = providerInvoice({
    invoiceRef: refOf(`in_${number}`),
    invoiceNumber: `AR-${number}`,
    paymentRef: refOf(`pi_${number}`),
    subscriptionRef,
    amounts: amountsOf(outcome === 'paid' ? amount : 0),
    due: amount,
    periodStart: currentPeriodStart,
    periodEnd: currentPeriodEnd,
    failures: outcome === 'paid' ? [] : [{ ...failedAttempt, at }],
    outcome: outcome === 'paid' ? { kind: 'paid', at } : { kind: 'open' },
  })
  return { ...withSubscription(model, subscription), invoices: [...model.invoices, invoice] }
}

function paid(invoice: ProviderInvoice, { now }: ProviderModel): ProviderInvoice {
  return {
    ...invoice,
    amounts: amountsOf(invoice.due),
    outcome: { kind: 'paid', at: instantAt(now) },
  }
}

function periodFrom(start: string): Period {
  return {
    currentPeriodStart: start,
    currentPeriodEnd: new Date(Date.parse(start) + month * minute).toISOString(),
  }
}

function withRunning(
  model: ProviderModel,
  change: (running: ModelSubscription) => ProviderModel,
): ProviderModel {
  const latest = model.running.at(-1)
  return latest === undefined ? model : change(latest)
}

/** Adds the subscription, or replaces its earlier state. */
function withSubscription(model: ProviderModel, subscription: ModelSubscription): ProviderModel {
  const others = model.running.filter(
    ({ subscriptionRef }) => subscriptionRef !== subscription.subscriptionRef,
  )
  return { ...model, running: [...others, subscription] }
}

/** The provider's answer to a synchronization. */
export function seenBy(model: ProviderModel): ProviderState {
  const all = [...model.ended, ...model.running]
  return {
    customer: null,
    checkouts: model.checkouts,
    subscriptions: all.map(reportedAs),
    invoices: model.invoices,
    refunds: model.refunds,
    creditNotes: model.creditNotes,
    disputes: model.disputes,
    history: model.history,
  }
}

function reportedAs({ end, ...subscription }: ModelSubscription): ProviderSubscription {
  if (end === null) return { ...subscription, kind: 'started' }
  const { subscriptionRef, terms, startedAt, prorations } = subscription
  const { currentPeriodStart, currentPeriodEnd } = subscription
  return {
    kind: 'ended',
    subscriptionRef,
    terms,
    startedAt,
    currentPeriodStart,
    currentPeriodEnd,
    prorations,
    ...end,
  }
}
