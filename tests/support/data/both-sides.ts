import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type {
  AccountCharge,
  AccountCreditNote,
  AccountDispute,
  AccountInvoice,
  AccountRefund,
  AccountSubscription,
} from '#services/payments/account-objects'
import { billing } from './events.ts'
import { samplePayloads } from './sample-payloads.ts'

/** A customer as the log and as the provider have it. A list is empty without the object. */
export interface BothSides {
  readonly events: readonly RecordedEvent<BillingEvent>[]
  readonly invoice: readonly AccountInvoice[]
  readonly charge: readonly AccountCharge[]
  readonly refund: readonly AccountRefund[]
  readonly creditNote: readonly AccountCreditNote[]
  readonly dispute: readonly AccountDispute[]
  readonly subscription: readonly AccountSubscription[]
}

const at = '2026-03-03T09:12:00.000Z'

export const usd = (amount: number) => ({ amount, currency: 'usd' })

/** Customer `n` with a payment, a refund, a credit note, a dispute and a subscription. */
export function customerOnBothSides(n: number): BothSides {
  const { SubscriptionStarted, PaymentSucceeded, RefundRecorded } = samplePayloads
  const { CreditNoteIssued, DisputeOpened } = samplePayloads
  const stripeCustomerId = `cus_${n}`
  const intent = `pi_${n}`
  const invoiceId = `in_${n}`
  const ofPayment = { stripePaymentIntentId: intent, invoiceId }
  const recorded: readonly BillingEvent[] = [
    { type: 'PaymentCustomerLinked', data: { stripeCustomerId } },
    {
      type: 'SubscriptionStarted',
      data: {
        ...SubscriptionStarted,
        subscriptionId: `subscription_${n}`,
        stripeSubscriptionId: `sub_${n}`,
      },
    },
    { type: 'PaymentSucceeded', data: { ...PaymentSucceeded, ...ofPayment } },
    {
      type: 'RefundRecorded',
      data: {
        ...RefundRecorded,
        ...ofPayment,
        refundId: `refund_${n}`,
        stripeRefundId: `re_${n}`,
        status: 'succeeded',
      },
    },
    {
      type: 'CreditNoteIssued',
      data: {
        ...CreditNoteIssued,
        invoiceId,
        creditNoteId: `creditnote_${n}`,
        stripeCreditNoteId: `cn_${n}`,
      },
    },
    {
      type: 'DisputeOpened',
      data: {
        ...DisputeOpened,
        ...ofPayment,
        disputeId: `dispute_${n}`,
        stripeDisputeId: `dp_${n}`,
      },
    },
  ]
  const ofCharge = { chargeId: `ch_${n}`, paymentIntentId: intent, at }
  const { priceId, price, quantity, currentPeriodEnd } = SubscriptionStarted
  return {
    events: recorded.map((event) => billing(`usr_${n}`, event, { occurredAt: at })),
    invoice: [
      {
        id: invoiceId,
        stripeCustomerId,
        status: 'paid',
        currency: 'usd',
        total: 3900,
        tax: 0,
        paid: 3900,
        isOfNothing: false,
        isAttempted: true,
        paymentIntentId: intent,
        paymentIntentIds: [intent],
        at,
      },
    ],
    charge: [
      {
        id: `ch_${n}`,
        stripeCustomerId,
        paymentIntentId: intent,
        status: 'succeeded',
        currency: 'usd',
        captured: 3900,
        refunded: 1000,
        at,
      },
    ],
    refund: [{ id: `re_${n}`, ...ofCharge, status: 'succeeded', amount: usd(1000) }],
    creditNote: [
      { id: `cn_${n}`, stripeCustomerId, invoiceId, status: 'issued', amount: usd(1500), at },
    ],
    dispute: [{ id: `dp_${n}`, ...ofCharge, stage: 'chargeback', amount: usd(3900) }],
    subscription: [
      {
        id: `sub_${n}`,
        stripeCustomerId,
        status: 'active',
        item: { priceId, price, quantity, currentPeriodEnd },
        cancelAt: null,
        startedAt: at,
        endedAt: null,
      },
    ],
  }
}
