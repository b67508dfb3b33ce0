import type { DomainEvent } from '#contracts/events/catalogue'
import type { BillingEvent } from '#contracts/events/billing'
import { profile, type DataOf } from './events.ts'

const terms = {
  planId: 'monthly',
  planName: 'Monthly Plan',
  priceId: 'price_monthly',
  price: { amount: 3900, currency: 'usd' },
  interval: 'month',
  intervalCount: 1,
  quantity: 1,
} as const
const period = {
  currentPeriodStart: '2026-03-03T09:12:00.000Z',
  currentPeriodEnd: '2026-04-03T09:12:00.000Z',
}
const method = { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 8, expiryYear: 2028 }
const billedTo = {
  customerName: 'Dana Whitlock',
  customerEmail: 'dana@birchwooddental.example',
  addressLine1: '418 Orchard Lane',
  addressLine2: 'Suite 2',
  postalCode: '55802',
  city: 'Duluth',
  state: 'MN',
  country: 'US',
}
const ofPayment = {
  paymentId: 'payment_1',
  invoiceId: 'in_1',
  subscriptionId: 'subscription_1',
  planName: 'Monthly Plan',
}
const email = 'dana@birchwooddental.example'
const [checkoutId, sessionId, subscriptionId] = ['checkout_1', 'cs_1', 'subscription_1']

const billing: { readonly [Type in BillingEvent['type']]: DataOf<Type> } = {
  PaymentCustomerLinked: { stripeCustomerId: 'cus_1' },
  BillingDetailsChanged: billedTo,
  PaymentMethodChanged: { method },
  CheckoutStarted: { checkoutId, lapsesAt: '2026-03-03T09:22:00.000Z', ...terms },
  CheckoutSessionOpened: { checkoutId, sessionId, expiresAt: '2026-03-04T09:12:00.000Z' },
  CheckoutCompleted: { checkoutId, sessionId },
  CheckoutExpired: { checkoutId },
  CheckoutFailed: { checkoutId, reason: 'the provider refused the price' },
  SubscriptionStarted: {
    subscriptionId,
    stripeSubscriptionId: 'sub_1',
    ...terms,
    status: 'active',
    ...period,
  },
  SubscriptionRenewed: { subscriptionId, ...period },
  PlanChanged: {
    subscriptionId,
    from: terms,
    to: { ...terms, planId: 'annual', priceId: 'price_annual', interval: 'year' },
    effectiveAt: '2026-03-03T09:12:00.000Z',
    ...period,
    proration: { amount: 2000, currency: 'usd' },
  },
  SubscriptionStatusChanged: { subscriptionId, from: 'active', to: 'past_due' },
  SubscriptionPaused: { subscriptionId, resumesAt: '2026-06-03T09:12:00.000Z' },
  SubscriptionResumed: { subscriptionId, status: 'active' },
  PlanChangeScheduled: {
    subscriptionId,
    from: terms,
    to: { ...terms, planId: 'annual', priceId: 'price_annual', interval: 'year' },
    effectiveAt: '2026-04-03T09:12:00.000Z',
  },
  PlanChangeDropped: { subscriptionId },
  CancellationScheduled: { subscriptionId, effectiveAt: '2026-04-03T09:12:00.000Z' },
  CancellationWithdrawn: { subscriptionId },
  SubscriptionEnded: { subscriptionId, why: 'canceled', endedAt: '2026-04-03T09:12:00.000Z' },
  PaymentSucceeded: {
    paymentId: 'payment_1',
    invoiceId: 'in_1',
    stripePaymentIntentId: 'pi_1',
    subscriptionId,
    planId: 'monthly',
    planName: 'Monthly Plan',
    invoiceNumber: 'AR-0001',
    amounts: {
      currency: 'usd',
      subtotal: 4333,
      discount: 433,
      tax: 0,
      total: 3900,
      fromBalance: 0,
      paid: 3900,
    },
    lines: [
      {
        description: '1 × Monthly Plan (at $39.00 / month)',
        amount: 4333,
        quantity: 1,
        priceId: 'price_monthly',
        periodStart: '2026-03-03T09:12:00.000Z',
        periodEnd: '2026-04-03T09:12:00.000Z',
        isProration: false,
      },
    ],
    method,
    periodStart: '2026-03-03T09:12:00.000Z',
    periodEnd: '2026-04-03T09:12:00.000Z',
    ...billedTo,
    hostedInvoiceUrl: 'https://pay.example/invoice/in_1',
  },
  PaymentFailed: {
    paymentId: 'payment_2',
    invoiceId: 'in_2',
    stripePaymentIntentId: null,
    subscriptionId,
    planName: 'Monthly Plan',
    due: { amount: 3900, currency: 'usd' },
    attempt: 1,
    method,
    reason: 'card_declined',
    nextAttemptAt: '2026-04-06T09:12:00.000Z',
  },
  InvoiceWrittenOff: {
    ...ofPayment,
    due: { amount: 3900, currency: 'usd' },
    how: 'uncollectible',
  },
  RefundRecorded: {
    refundId: 'refund_1',
    stripeRefundId: 're_1',
    ...ofPayment,
    stripePaymentIntentId: 'pi_1',
    amount: { amount: 1000, currency: 'usd' },
    captured: { amount: 3900, currency: 'usd' },
    kind: 'partial',
    status: 'pending',
    reason: 'requested_by_customer',
    method,
  },
  RefundStatusChanged: { refundId: 'refund_1', from: 'pending', to: 'succeeded' },
  RefundStatusOverridden: {
    refundId: 'refund_1',
    from: 'succeeded',
    to: 'failed',
    reason: 'The customer received no money.',
  },
  CreditNoteIssued: {
    creditNoteId: 'creditnote_1',
    stripeCreditNoteId: 'cn_1',
    number: 'AR-0001-CN-01',
    ...ofPayment,
    total: { amount: 1500, currency: 'usd' },
    tax: 0,
    beforePayment: 0,
    refunded: 1000,
    toBalance: 500,
    outOfBand: 0,
    reason: 'order_change',
  },
  CreditNoteVoided: { creditNoteId: 'creditnote_1' },
  DisputeOpened: {
    disputeId: 'dispute_1',
    stripeDisputeId: 'dp_1',
    ...ofPayment,
    stripePaymentIntentId: 'pi_1',
    kind: 'chargeback',
    amount: { amount: 3900, currency: 'usd' },
    reason: 'fraudulent',
    evidenceDueAt: '2026-03-20T09:12:00.000Z',
  },
  DisputeClosed: { disputeId: 'dispute_1', outcome: 'lost' },
}

/**
 * A plausible payload of every event type at its current version, with a value for every personal
 * field.
 */
export const samplePayloads: { readonly [Type in DomainEvent['type']]: DataOf<Type> } = {
  AccountOpened: { userId: 'usr_1', email },
  CompanyProfileCompleted: { ...profile, termsVersion: '2025-05-16' },
  ProfileUpdated: profile,
  CodeRequested: { email, resend: 0 },
  CodeRefused: { reason: 'wrong' },
  EmailVerified: { email },
  SignedIn: { email },
  SignedOut: {},
  PersonalDataErased: {},
  EmailClaimed: { userId: 'usr_1' },
  EmailReleased: { userId: 'usr_1' },
  AdminSignedIn: { adminId: 'admin_1' },
  AdminSignInRefused: { reason: 'wrong-password' },
  AdminSignedOut: { adminId: 'admin_1' },
  ...billing,
}
