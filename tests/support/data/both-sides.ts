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
import { refOf } from '#services/payments/stripe/from-stripe/references'
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
  const customerRef = refOf(`cus_${n}`)
  const intent = refOf(`pi_${n}`)
  const invoiceRef = refOf(`in_${n}`)
  const ofPayment = { paymentRef: intent, invoiceRef }
  const recorded: readonly BillingEvent[] = [
    { type: 'PaymentCustomerLinked', data: { customerRef } },
    {
      type: 'SubscriptionStarted',
      data: {
        ...SubscriptionStarted,
        subscriptionId: `subscription_${n}`,
        subscriptionRef: refOf(`sub_${n}`),
      },
    },
    { type: 'PaymentSucceeded', data: { ...PaymentSucceeded, ...ofPayment } },
    {
      type: 'RefundRecorded',
      data: {
        ...RefundRecorded,
        ...ofPayment,
        refundId: `refund_${n}`,
        refundRef: refOf(`re_${n}`),
        status: 'succeeded',
      },
    },
    {
      type: 'CreditNoteIssued',
      data: {
        ...CreditNoteIssued,
        invoiceRef,
        creditNoteId: `creditnote_${n}`,
        creditNoteRef: refOf(`cn_${n}`),
      },
    },
    {
      type: 'DisputeOpened',
      data: {
        ...DisputeOpened,
        ...ofPayment,
        disputeId: `dispute_${n}`,
        disputeRef: refOf(`dp_${n}`),
      },
    },
  ]
  const ofCharge = { chargeRef: refOf(`ch_${n}`), paymentRef: intent, at }
  const { priceRef, price, quantity, currentPeriodEnd } = SubscriptionStarted
  return {
    events: recorded.map((event) => billing(`usr_${n}`, event, { occurredAt: at })),
    invoice: [
      {
        ref: invoiceRef,
        customerRef,
        status: 'paid',
        currency: 'usd',
        total: 3900,
        tax: 0,
        paid: 3900,
        isOfNothing: false,
        isAttempted: true,
        paymentRef: intent,
        paymentRefs: [intent],
        at,
      },
    ],
    charge: [
      {
        ref: refOf(`ch_${n}`),
        customerRef,
        paymentRef: intent,
        status: 'succeeded',
        currency: 'usd',
        captured: 3900,
        refunded: 1000,
        at,
      },
    ],
    refund: [{ ref: refOf(`re_${n}`), ...ofCharge, status: 'succeeded', amount: usd(1000) }],
    creditNote: [
      { ref: refOf(`cn_${n}`), customerRef, invoiceRef, status: 'issued', amount: usd(1500), at },
    ],
    dispute: [{ ref: refOf(`dp_${n}`), ...ofCharge, stage: 'chargeback', amount: usd(3900) }],
    subscription: [
      {
        ref: refOf(`sub_${n}`),
        customerRef,
        status: 'active',
        item: { priceRef, price, quantity, currentPeriodEnd },
        cancelAt: null,
        startedAt: at,
        endedAt: null,
      },
    ],
  }
}
