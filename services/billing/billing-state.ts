import { Map as PersistentMap, Set as PersistentSet } from 'immutable'
import type { BillingEvent } from '#contracts/events/billing'
import {
  billedToOf,
  collectedBy,
  paidOutside,
  type BilledTo,
  type PaymentMethod,
  type SubscriptionTerms,
} from '#contracts/events/billing-parts'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { parseCheckoutId, type CheckoutId, type SubscriptionId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import type { RefundOverride, RefundStatus } from '#contracts/refund-status'
import { blocksSecondSubscription, isLive } from '#contracts/subscription-status'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import { partiesOf, type Parties } from './parties.ts'
import { evolveRefundRequests, type RefundRequestState } from './refund-requests.ts'
import {
  evolveSubscriptions,
  type StartedSubscription,
  type SubscriptionState,
} from './subscription-state.ts'

export interface OpenCheckout {
  readonly checkoutId: CheckoutId
  readonly terms: SubscriptionTerms
  /** When the reservation can be released, if it has no session by then. */
  readonly lapsesAt: Instant
  /**
   * Null until the provider's session is recorded. After a crash, the next click finds the session
   * at the provider or requests it again.
   */
  readonly session: { readonly sessionRef: ProviderRef; readonly expiresAt: Instant } | null
}

/** What later events about the payment of an invoice repeat. */
export interface PaymentOrigin {
  readonly subscriptionId: string | null
  readonly planName: string | null
}

/** What an unpaid invoice asks for, and when the provider tries to collect it next. */
interface Collection {
  readonly subscriptionId: string | null
  readonly due: Money
  readonly nextAttemptAt: Instant | null
}

/** The latest recorded outcome of an invoice. A paid invoice stays paid. */
export type InvoiceState =
  | {
      readonly kind: 'paid'
      readonly origin: PaymentOrigin
      /** Who the receipt names, for the documents that correct it. */
      readonly parties: Parties
      /** Every line is a proration. */
      readonly isProration: boolean
      /** What the provider collected: the most that it can refund. */
      readonly collected: Money
      readonly paymentRef: ProviderRef | null
    }
  | {
      readonly kind: 'unpaid'
      /** The recorded failed attempts, from 1; 0 without an attempt. */
      readonly attempt: number
      readonly writtenOff: 'voided' | 'uncollectible' | null
      /** As of the last attempt or change; null without an attempt. */
      readonly collection: Collection | null
      /** The changes of `collection` without an attempt: part of a fact's name. */
      readonly changes: number
    }

interface RefundState {
  readonly invoiceRef: ProviderRef | null
  readonly amount: Money
  readonly status: RefundStatus
  readonly override: RefundOverride | null
  readonly statusChanges: number
}

interface CreditNoteState {
  readonly total: Money
  readonly isVoid: boolean
}

type DisputeState =
  | {
      readonly kind: 'inquiry' | 'chargeback'
      readonly invoiceRef: ProviderRef | null
      readonly amount: Money
      readonly isOpen: true
    }
  | { readonly isOpen: false; readonly invoiceRef: ProviderRef | null; readonly isLost: boolean }

/**
 * The collections are persistent: a copy with one entry more shares the rest, so a stream folds in
 * time that grows with its length, not with its square.
 */
export interface BillingState {
  readonly customerRef: ProviderRef | null
  /**
   * The customers that were deleted at the provider. Their payments still belong to the account.
   */
  readonly formerCustomerRefs: readonly ProviderRef[]
  /** What the last payment used, or a later change. Null before the first payment. */
  readonly billed: BilledTo | null
  readonly method: { readonly current: PaymentMethod | null } | null
  /** The changes of `billed` and `method`: part of a fact's name. */
  readonly detailChanges: number
  readonly openCheckout: OpenCheckout | null
  readonly closedCheckouts: PersistentSet<CheckoutId>
  /** By the product's subscription id. */
  readonly subscriptions: PersistentMap<SubscriptionId, SubscriptionState>
  /** By the invoice at the provider. */
  readonly invoices: PersistentMap<ProviderRef, InvoiceState>
  /** By the id of the request. */
  readonly refundRequests: PersistentMap<string, RefundRequestState>
  /** By the product's refund id. */
  readonly refunds: PersistentMap<string, RefundState>
  /** By the product's credit note id. */
  readonly creditNotes: PersistentMap<string, CreditNoteState>
  /** By the product's dispute id. */
  readonly disputes: PersistentMap<string, DisputeState>
  /** The provider's balance transactions whose fees are recorded. */
  readonly disputeFees: PersistentSet<ProviderRef>
}

export const initialBillingState: BillingState = {
  customerRef: null,
  formerCustomerRefs: [],
  billed: null,
  method: null,
  detailChanges: 0,
  openCheckout: null,
  closedCheckouts: PersistentSet(),
  subscriptions: PersistentMap(),
  invoices: PersistentMap(),
  refundRequests: PersistentMap(),
  refunds: PersistentMap(),
  creditNotes: PersistentMap(),
  disputes: PersistentMap(),
  disputeFees: PersistentSet(),
}

/** The subscriptions that the provider can still charge. */
export function liveSubscriptions(state: BillingState): readonly StartedSubscription[] {
  return startedSubscriptions(state).filter(({ status }) => isLive(status))
}

/** Whether the customer has a subscription that blocks a second subscription. */
export function isSecondSubscriptionBlocked(state: BillingState): boolean {
  return startedSubscriptions(state).some(({ status }) => blocksSecondSubscription(status))
}

/**
 * The oldest invoice at the provider that the subscription's customer can still pay; null
 * without one.
 */
export function payableInvoiceOf(
  { invoices }: Pick<BillingState, 'invoices'>,
  subscriptionId: SubscriptionId,
): ProviderRef | null {
  const found = [...invoices].find(
    ([, each]) =>
      each.kind === 'unpaid' &&
      each.writtenOff === null &&
      each.collection?.subscriptionId === subscriptionId,
  )
  return found?.[0] ?? null
}

export function startedSubscriptions(
  state: Pick<BillingState, 'subscriptions'>,
): readonly StartedSubscription[] {
  return [...state.subscriptions.values()].filter((each) => each.kind === 'started')
}

/**
 * Folds one event into the state. The state holds only what decisions need.
 * @throws Error if an event names a subscription that has no SubscriptionStarted.
 */
// oxlint-disable-next-line max-lines-per-function -- A table: one case per event.
export function evolveBilling(state: BillingState, event: BillingEvent): BillingState {
  switch (event.type) {
    case 'PaymentCustomerLinked':
      return {
        ...state,
        customerRef: event.data.customerRef,
        formerCustomerRefs:
          state.customerRef === null
            ? state.formerCustomerRefs
            : [...state.formerCustomerRefs, state.customerRef],
      }
    case 'BillingDetailsChanged':
      return { ...state, billed: event.data, detailChanges: state.detailChanges + 1 }
    case 'PaymentMethodChanged':
      return {
        ...state,
        method: { current: event.data.method },
        detailChanges: state.detailChanges + 1,
      }
    case 'CheckoutStarted': {
      const { checkoutId: text, lapsesAt, ...terms } = event.data
      const checkoutId = parseCheckoutId(text)
      return { ...state, openCheckout: { checkoutId, terms, lapsesAt, session: null } }
    }
    case 'CheckoutSessionOpened': {
      if (state.openCheckout?.checkoutId !== event.data.checkoutId) return state
      const { sessionRef, expiresAt } = event.data
      return {
        ...state,
        openCheckout: { ...state.openCheckout, session: { sessionRef, expiresAt } },
      }
    }
    case 'CheckoutCompleted':
    case 'CheckoutExpired':
    case 'CheckoutFailed':
      return closeCheckout(state, parseCheckoutId(event.data.checkoutId))
    case 'SubscriptionStarted':
    case 'SubscriptionRenewed':
    case 'SubscriptionStatusChanged':
    case 'SubscriptionPaused':
    case 'SubscriptionResumed':
    case 'PlanChangeScheduled':
    case 'PlanChangeDropped':
    case 'PlanChanged':
    case 'RecurringDeductionsChanged':
    case 'CancellationScheduled':
    case 'CancellationWithdrawn':
    case 'SubscriptionEnded':
      return { ...state, subscriptions: evolveSubscriptions(state.subscriptions, event) }
    case 'PaymentSucceeded':
      return pay(state, event.data)
    case 'PaymentFailed': {
      const { invoiceRef, attempt, subscriptionId, due, nextAttemptAt } = event.data
      const collection = { subscriptionId, due, nextAttemptAt }
      return withUnpaid(state, invoiceRef, { attempt, collection })
    }
    case 'UnpaidInvoiceChanged': {
      const { invoiceRef, subscriptionId, due, nextAttemptAt } = event.data
      const changes = (unpaid(state, invoiceRef)?.changes ?? 0) + 1
      const collection = { subscriptionId, due, nextAttemptAt }
      return withUnpaid(state, invoiceRef, { collection, changes })
    }
    case 'InvoiceWrittenOff': {
      const { invoiceRef, how: writtenOff } = event.data
      return withUnpaid(state, invoiceRef, { writtenOff })
    }
    case 'RefundRequested':
    case 'RefundRefused':
      return { ...state, refundRequests: evolveRefundRequests(state.refundRequests, event) }
    case 'RefundRecorded': {
      const { refundId, invoiceRef, amount, status } = event.data
      const refundRequests = evolveRefundRequests(state.refundRequests, event)
      return withRefund({ ...state, refundRequests }, refundId, {
        invoiceRef,
        amount,
        status,
        override: null,
        statusChanges: 0,
      })
    }
    case 'RefundStatusChanged': {
      const { refundId, to } = event.data
      return changeRefund(state, refundId, (known) => ({
        ...known,
        status: to,
        override: null,
        statusChanges: known.statusChanges + 1,
      }))
    }
    case 'RefundStatusOverridden': {
      const { refundId, to } = event.data
      return changeRefund(state, refundId, (known) => ({ ...known, override: to }))
    }
    case 'CreditNoteIssued':
    case 'CreditNoteVoided': {
      const { creditNoteId, total } = event.data
      const isVoid = event.type === 'CreditNoteVoided'
      return withCreditNote(state, creditNoteId, { total, isVoid })
    }
    case 'DisputeOpened': {
      const { disputeId, kind, invoiceRef, amount } = event.data
      return withDispute(state, disputeId, { kind, invoiceRef, amount, isOpen: true })
    }
    case 'DisputeFeeCharged': {
      const { balanceTransactionRef } = event.data
      return { ...state, disputeFees: state.disputeFees.add(balanceTransactionRef) }
    }
    case 'DisputeClosed': {
      const { disputeId, outcome } = event.data
      const invoiceRef = state.disputes.get(disputeId)?.invoiceRef ?? null
      const isLost = outcome === 'lost'
      return withDispute(state, disputeId, { isOpen: false, invoiceRef, isLost })
    }
    default:
      return unreachable(event)
  }
}

function closeCheckout(state: BillingState, checkoutId: CheckoutId): BillingState {
  const openCheckout = state.openCheckout?.checkoutId === checkoutId ? null : state.openCheckout
  return { ...state, openCheckout, closedCheckouts: state.closedCheckouts.add(checkoutId) }
}

/** The first payment also shows the means and the details that later changes are compared with. */
function pay(
  state: BillingState,
  data: Extract<BillingEvent, { type: 'PaymentSucceeded' }>['data'],
): BillingState {
  const { invoiceRef, subscriptionId, planName, lines, paidBy, amounts } = data
  const method = collectedBy(paidBy)
  const paid = withInvoice(state, invoiceRef, {
    kind: 'paid',
    origin: { subscriptionId, planName },
    parties: partiesOf(data),
    isProration: lines.length > 0 && lines.every(({ isProration }) => isProration),
    collected: { amount: amounts.paid - paidOutside(paidBy), currency: amounts.currency },
    paymentRef: data.paymentRef,
  })
  return {
    ...paid,
    billed: state.billed ?? billedToOf(data),
    method: state.method ?? (method === null ? null : { current: method }),
  }
}

function withInvoice(
  state: BillingState,
  invoiceRef: ProviderRef,
  outcome: InvoiceState,
): BillingState {
  return { ...state, invoices: state.invoices.set(invoiceRef, outcome) }
}

type UnpaidInvoice = Extract<InvoiceState, { kind: 'unpaid' }>

function withUnpaid(
  state: BillingState,
  invoiceRef: ProviderRef,
  change: Partial<UnpaidInvoice>,
): BillingState {
  const known = unpaid(state, invoiceRef) ?? {
    kind: 'unpaid',
    attempt: 0,
    writtenOff: null,
    collection: null,
    changes: 0,
  }
  return withInvoice(state, invoiceRef, { ...known, ...change })
}

function unpaid({ invoices }: BillingState, invoiceRef: ProviderRef) {
  const known = invoices.get(invoiceRef)
  return known?.kind === 'unpaid' ? known : null
}

function withRefund(state: BillingState, refundId: string, refund: RefundState): BillingState {
  return { ...state, refunds: state.refunds.set(refundId, refund) }
}

/** @throws Error if the stream has no RefundRecorded of this refund. */
function changeRefund(
  state: BillingState,
  refundId: string,
  change: (known: RefundState) => RefundState,
): BillingState {
  const known = state.refunds.get(refundId)
  if (!known)
    throw new DamagedHistory(
      `The billing stream has no RefundRecorded of refund ${refundId} before another event of it. The stream is damaged: run npm run billing -- events verify.`,
    )
  return withRefund(state, refundId, change(known))
}

function withCreditNote(
  state: BillingState,
  creditNoteId: string,
  creditNote: CreditNoteState,
): BillingState {
  return { ...state, creditNotes: state.creditNotes.set(creditNoteId, creditNote) }
}

function withDispute(state: BillingState, disputeId: string, dispute: DisputeState): BillingState {
  return { ...state, disputes: state.disputes.set(disputeId, dispute) }
}
