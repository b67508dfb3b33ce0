import type Stripe from 'stripe'
import type {
  AccountCharge,
  AccountCreditNote,
  AccountDispute,
  AccountFee,
  AccountInvoice,
  AccountRefund,
  AccountSubscription,
} from '../../account-objects.ts'
import { disputeStageOf, refundStatusOf } from './after-payment.ts'
import { paymentIntentIdOf } from './invoices.ts'
import { idOf, instantOf, instantOrNull, refOf, refOrNull } from './references.ts'
import { cancelAtOf, pauseOf } from './subscriptions.ts'

/*
 * Read from the fields of Stripe's objects, not from what the comparison of a customer makes of
 * them: a fault there would otherwise be on both sides of a reconciliation.
 */

export function accountInvoice(invoice: Stripe.Invoice): AccountInvoice {
  const { currency, total, lines, payments, status_transitions: times } = invoice
  return {
    ref: refOf(invoice.id ?? ''),
    customerRef: refOrNull(invoice.customer),
    status: invoice.status,
    currency,
    total,
    tax: (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
    paid: invoice.amount_paid,
    isOfNothing: !lines.has_more && lines.data.every(({ amount }) => amount === 0),
    isAttempted: invoice.attempted,
    paymentRef: refOrNull(paymentIntentIdOf(invoice)),
    paymentRefs: (payments?.data ?? []).flatMap(
      ({ payment }) => refOrNull(payment.payment_intent) ?? [],
    ),
    at: instantOf(times.paid_at ?? invoice.created),
  }
}

export function accountCharge(charge: Stripe.Charge): AccountCharge {
  return {
    ref: refOf(charge.id),
    customerRef: refOrNull(charge.customer),
    paymentRef: refOrNull(charge.payment_intent),
    status: charge.status,
    currency: charge.currency,
    captured: charge.amount_captured,
    refunded: charge.amount_refunded,
    at: instantOf(charge.created),
  }
}

export function accountRefund(refund: Stripe.Refund): AccountRefund {
  const { id, amount, currency, created } = refund
  return {
    ref: refOf(id),
    chargeRef: refOrNull(refund.charge),
    paymentRef: refOrNull(refund.payment_intent),
    status: refundStatusOf(refund),
    amount: { amount, currency },
    at: instantOf(created),
  }
}

/** Stripe lists the ten newest returns of a fee, and their sum. */
export function accountFee(fee: Stripe.ApplicationFee): AccountFee {
  const { id, account, amount, amount_refunded: returned, currency, created, refunds } = fee
  return {
    ref: refOf(id),
    accountRef: refOf(idOf(account)),
    amount: { amount, currency },
    returned,
    at: instantOf(created),
    changedAt: instantOf(Math.max(created, ...refunds.data.map((each) => each.created))),
  }
}

export function accountCreditNote(note: Stripe.CreditNote): AccountCreditNote {
  return {
    ref: refOf(note.id),
    customerRef: refOrNull(note.customer),
    invoiceRef: refOf(idOf(note.invoice)),
    status: note.status === 'void' ? 'void' : 'issued',
    amount: { amount: note.total, currency: note.currency },
    at: instantOf(note.created),
  }
}

export function accountDispute(dispute: Stripe.Dispute): AccountDispute {
  const { id, amount, currency, created } = dispute
  return {
    ref: refOf(id),
    chargeRef: refOf(idOf(dispute.charge)),
    paymentRef: refOrNull(dispute.payment_intent),
    stage: disputeStageOf(dispute),
    amount: { amount, currency },
    at: instantOf(created),
  }
}

export function accountSubscription(subscription: Stripe.Subscription): AccountSubscription {
  const [item] = subscription.items.data
  const isEnded = ['canceled', 'incomplete_expired'].includes(subscription.status)
  const periodEnd = instantOf(item?.current_period_end ?? subscription.start_date)
  return {
    ref: refOf(subscription.id),
    customerRef: refOf(idOf(subscription.customer)),
    status: !isEnded && pauseOf(subscription) !== null ? 'paused' : subscription.status,
    item:
      item === undefined
        ? null
        : {
            priceRef: refOf(item.price.id),
            price: { amount: item.price.unit_amount ?? 0, currency: item.price.currency },
            quantity: item.quantity ?? 1,
            currentPeriodEnd: periodEnd,
          },
    cancelAt: cancelAtOf(subscription, periodEnd),
    startedAt: instantOf(subscription.start_date),
    endedAt: isEnded
      ? instantOf(subscription.ended_at ?? subscription.canceled_at ?? subscription.start_date)
      : instantOrNull(subscription.ended_at),
  }
}
