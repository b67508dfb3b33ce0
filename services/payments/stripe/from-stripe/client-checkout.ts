import type Stripe from 'stripe'
import type {
  ClientSession,
  ProviderClientPayment,
  ProviderFee,
  ProviderReversal,
} from '../../client-payments.ts'
import { disputeStageOf } from './after-payment.ts'
import { checkoutStatusOf } from './checkouts.ts'
import { methodOfCharge } from './payment-method.ts'
import { instantOf, refOf } from './references.ts'

export function clientSessionOf(session: Stripe.Checkout.Session): ClientSession {
  return {
    sessionRef: refOf(session.id),
    status: checkoutStatusOf(session.status),
    url: session.url,
    expiresAt: instantOf(session.expires_at),
  }
}

/** The payment of a charge that succeeded. */
export function clientPaymentOf(
  paymentIntent: string,
  charge: Stripe.Charge,
  reversals: readonly ProviderReversal[],
  fee: ProviderFee | null,
): ProviderClientPayment {
  return {
    paymentRef: refOf(paymentIntent),
    paidAt: instantOf(charge.created),
    currency: charge.currency,
    amount: charge.amount_captured,
    method: methodOfCharge(charge) ?? unknownMethod,
    reversals,
    fee,
  }
}

/** Stripe reports no means for some ways of payment. */
const unknownMethod = {
  type: 'unknown',
  brand: null,
  last4: null,
  expiryMonth: null,
  expiryYear: null,
}

/** Stripe does not date the failure of a refund. */
export function reversalOfRefund(refund: Stripe.Refund): ProviderReversal {
  const isGivenBack = refund.status === 'failed' || refund.status === 'canceled'
  return {
    reversalRef: refOf(refund.id),
    kind: 'refund',
    amount: refund.amount,
    at: instantOf(refund.created),
    standing: isGivenBack ? 'given-back' : 'taken',
    givenBackAt: null,
    reason: refund.reason,
  }
}

/** Null for an inquiry: the bank asks and takes no money. */
export function reversalOfDispute(dispute: Stripe.Dispute): ProviderReversal | null {
  const stage = disputeStageOf(dispute)
  if (stage === 'inquiry' || stage === 'inquiry-closed') return null
  return {
    reversalRef: refOf(dispute.id),
    kind: 'chargeback',
    amount: dispute.amount,
    at: instantOf(dispute.created),
    standing: stage === 'won' ? 'given-back' : stage === 'lost' ? 'lost' : 'taken',
    givenBackAt: null,
    reason: dispute.reason,
  }
}

export function feeFromStripe(fee: Stripe.ApplicationFee): ProviderFee {
  return {
    feeRef: refOf(fee.id),
    currency: fee.currency,
    amount: fee.amount,
    chargedAt: instantOf(fee.created),
    returns: fee.refunds.data
      .map(({ id, amount, created }) => ({ returnRef: refOf(id), amount, at: instantOf(created) }))
      .toSorted((one, other) => (one.at < other.at ? -1 : 1)),
  }
}
