import { Map as PersistentMap, Set as PersistentSet } from 'immutable'
import {
  type BilledTo,
  type PaymentMethod,
  type SubscriptionTerms,
} from '#contracts/events/billing-parts'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { type CheckoutId, type SubscriptionId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import type { RefundOverride, RefundStatus } from '#contracts/refund-status'
import { blocksSecondSubscription, isLive } from '#contracts/subscription-status'
import { type Parties } from './parties.ts'
import { type RefundRequestState } from './refund-requests.ts'
import { type StartedSubscription, type SubscriptionState } from './subscription-state.ts'

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

export interface RefundState {
  readonly invoiceRef: ProviderRef | null
  readonly amount: Money
  readonly status: RefundStatus
  readonly override: RefundOverride | null
  readonly statusChanges: number
}

export interface CreditNoteState {
  readonly total: Money
  readonly isVoid: boolean
}

export type DisputeState =
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
