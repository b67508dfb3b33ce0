import type { BillingEvent } from '#contracts/events/billing'
import type {
  AccountCharge,
  AccountCreditNote,
  AccountDispute,
  AccountFee,
  AccountInvoice,
  AccountRefund,
  AccountSubscription,
} from '#services/payments/account-objects'
import type { FinanceEvent } from '#services/finance/finance-event'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { billing } from './events.ts'
import { feeEvent } from './platform-fees.ts'
import { samplePayloads } from './sample-payloads.ts'

/** A customer as the log and as the provider have it. A list is empty without the object. */
export interface BothSides {
  readonly events: readonly FinanceEvent[]
  readonly invoice: readonly AccountInvoice[]
  readonly charge: readonly AccountCharge[]
  readonly refund: readonly AccountRefund[]
  readonly creditNote: readonly AccountCreditNote[]
  readonly dispute: readonly AccountDispute[]
  readonly fee: readonly AccountFee[]
  readonly subscription: readonly AccountSubscription[]
}

const at = '2026-03-03T09:12:00.000Z'

export const usd = (amount: number) => ({ amount, currency: 'usd' })

/** Customer `n` with a payment, a refund, a credit note, a dispute, a subscription and a fee. */
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
    events: [
      ...recorded.map((event) => billing(`usr_${n}`, event, { occurredAt: at })),
      ...feeOnPayment(n),
    ],
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
    fee: [
      {
        ref: refOf(`fee_${n}`),
        accountRef: refOf(`acct_${n}`),
        amount: usd(500),
        returned: 167,
        at,
        changedAt: at,
      },
    ],
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

/** A fee on a payment of a client of customer `n`, of which a part went back. */
function feeOnPayment(n: number): readonly FinanceEvent[] {
  const owner = { merchantId: `usr_${n}`, clientId: `client_${n}` }
  const feeRef = refOf(`fee_${n}`)
  const currency = 'usd'
  return [
    feeEvent(owner, {
      type: 'PlatformFeeCharged',
      data: { feeRef, chargedAt: at, currency, amount: 500 },
    }),
    feeEvent(
      owner,
      {
        type: 'PlatformFeeReturned',
        data: { feeRef, returnRef: refOf(`fr_${n}`), returnedAt: at, currency, amount: 167 },
      },
      { revision: 1 },
    ),
  ]
}
