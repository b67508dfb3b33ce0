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
const email = 'dana@birchwooddental.example'
const [checkoutId, sessionId, subscriptionId] = ['checkout_1', 'cs_1', 'subscription_1']

const billing: { readonly [Type in BillingEvent['type']]: DataOf<Type> } = {
  PaymentCustomerLinked: { stripeCustomerId: 'cus_1' },
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
  },
  SubscriptionStatusChanged: { subscriptionId, from: 'active', to: 'past_due' },
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
    total: { amount: 3900, currency: 'usd' },
    subtotal: { amount: 3900, currency: 'usd' },
    method,
    periodStart: '2026-03-03T09:12:00.000Z',
    periodEnd: '2026-04-03T09:12:00.000Z',
    customerName: 'Dana Whitlock',
    customerEmail: email,
    addressLine1: '418 Orchard Lane',
    city: 'Duluth',
    state: 'MN',
    country: 'US',
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
