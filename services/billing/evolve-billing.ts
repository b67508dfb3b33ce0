import type { BillingEvent } from '#contracts/events/billing'
import { billedToOf, collectedBy, paidOutside } from '#contracts/events/billing-parts'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { parseCheckoutId, type CheckoutId } from '#contracts/ids'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import type {
  BillingState,
  CreditNoteState,
  DisputeState,
  InvoiceState,
  RefundState,
} from './billing-state.ts'
import { partiesOf } from './parties.ts'
import { evolveRefundRequests } from './refund-requests.ts'
import { evolveSubscriptions } from './subscription-state.ts'

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
