import { v5 as uuidv5 } from 'uuid'
import type { CompanyProfile } from '#contracts/events/account'
import type { DomainEvent, RecordedEvent } from '#contracts/events/catalogue'
import type { BillingEvent } from '#contracts/events/billing'
import type { Instant } from '#contracts/instant'
import { unknownBuyer } from '#services/billing/parties'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { amountsOf, visa } from './provider-invoice.ts'

const namespace = '9d1e0f4e-3c4b-4b39-8a55-7f0c2f1f7b11'

/** The place of an event in the log, and its time. A missing value gets a default. */
export interface Place {
  readonly occurredAt?: Instant
  readonly revision?: number
  readonly position?: string
}

/**
 * An event as projections and deciders receive it: `recorded('account-usr_1', { type, data }, {
 * occurredAt })`.
 */
export function recorded<Event extends DomainEvent>(
  stream: string,
  event: Event,
  place: Place = {},
): RecordedEvent<Event> {
  const { occurredAt = '2026-03-03T09:12:00.000Z', revision = 0, position = '1' } = place
  const id = uuidv5(JSON.stringify([stream, event, place]), namespace)
  return {
    ...event,
    id,
    stream,
    revision,
    position,
    metadata: {
      correlationId: id,
      causationId: id,
      actor: { kind: 'system', id: 'test' },
      occurredAt,
      recordedAt: occurredAt,
      schemaVersion: 1,
      source: 'api',
      previousHash: null,
      mac: '',
    },
  }
}

export const profile: CompanyProfile = {
  fullName: 'Dana Whitlock',
  companyName: 'Birchwood Dental Group',
  domain: 'Dental',
  websiteUrl: 'https://birchwooddental.example',
  address: '418 Orchard Lane, Suite 2',
  city: 'Duluth',
  state: 'Minnesota',
  zipcode: '55802',
  supportEmail: 'help@birchwooddental.example',
  supportPhone: '(218) 555-0147',
}

/** The data of an event of one type. */
export type DataOf<Type extends DomainEvent['type']> = Extract<DomainEvent, { type: Type }>['data']

type Billing<Type extends BillingEvent['type']> = Extract<BillingEvent, { type: Type }>

export function accountOpened(userId: string, email: string, place?: Place) {
  return recorded(`account-${userId}`, { type: 'AccountOpened', data: { userId, email } }, place)
}

export function profileCompleted(
  userId: string,
  changes: Partial<CompanyProfile> = {},
  place?: Place,
) {
  return recorded(
    `account-${userId}`,
    {
      type: 'CompanyProfileCompleted',
      data: { ...profile, ...changes, termsVersion: '2025-05-16' },
    },
    place,
  )
}

export function emailVerified(userId: string, email: string, place?: Place) {
  return recorded(`account-${userId}`, { type: 'EmailVerified', data: { email } }, place)
}

/** A monthly subscription of March 2026; `data` replaces fields. */
export function subscriptionStarted(
  userId: string,
  data: Partial<DataOf<'SubscriptionStarted'>> = {},
  place?: Place,
) {
  const event: Billing<'SubscriptionStarted'> = {
    type: 'SubscriptionStarted',
    data: {
      subscriptionId: 'subscription_1',
      subscriptionRef: refOf('sub_1'),
      planId: 'monthly',
      planName: 'Monthly Plan',
      priceRef: refOf('price_monthly'),
      price: { amount: 3900, currency: 'usd' },
      interval: 'month',
      intervalCount: 1,
      quantity: 1,
      status: 'active',
      currentPeriodStart: '2026-03-03T09:12:00.000Z',
      currentPeriodEnd: '2026-04-03T09:12:00.000Z',
      ...data,
    },
  }
  return recorded(`billing-${userId}`, event, place)
}

/** A payment of $39.00 for March 2026, by Visa; `data` replaces fields. */
export function paymentSucceeded(
  userId: string,
  data: Partial<DataOf<'PaymentSucceeded'>> = {},
  place?: Place,
) {
  const event: Billing<'PaymentSucceeded'> = {
    type: 'PaymentSucceeded',
    data: {
      paymentId: 'payment_1',
      invoiceRef: refOf('in_1'),
      paymentRef: refOf('pi_1'),
      subscriptionId: 'subscription_1',
      planId: 'monthly',
      planName: 'Monthly Plan',
      invoiceNumber: 'AR-0001',
      amounts: amountsOf(3900),
      lines: [],
      paidBy: [{ kind: 'method', method: visa }],
      periodStart: '2026-03-03T09:12:00.000Z',
      periodEnd: '2026-04-03T09:12:00.000Z',
      seller: { name: 'Agile Receivables', address: [], email: 'support@example.com' },
      ...unknownBuyer,
      hostedInvoiceUrl: null,
      ...data,
    },
  }
  return recorded(`billing-${userId}`, event, place)
}

export function paymentFailed(
  userId: string,
  data: Partial<DataOf<'PaymentFailed'>> = {},
  place?: Place,
) {
  const event: Billing<'PaymentFailed'> = {
    type: 'PaymentFailed',
    data: {
      paymentId: 'payment_1',
      invoiceRef: refOf('in_1'),
      paymentRef: refOf('pi_1'),
      subscriptionId: 'subscription_1',
      planName: 'Monthly Plan',
      cause: 'renewal',
      due: { amount: 3900, currency: 'usd' },
      attempt: 1,
      method: { type: 'card', brand: 'visa', last4: '0341', expiryMonth: 8, expiryYear: 2028 },
      reason: 'Your card was declined.',
      code: 'generic_decline',
      nextAttemptAt: null,
      ...data,
    },
  }
  return recorded(`billing-${userId}`, event, place)
}

/** Any other event of a customer's billing stream. */
export function billing<Event extends BillingEvent>(
  userId: string,
  event: Event,
  place?: Place,
): RecordedEvent<Event> {
  return recorded(`billing-${userId}`, event, place)
}

/** When a change happened at the provider, for events that say so. */
export const observed = { changedAt: '2026-03-09T10:00:00.000Z', isInferred: false }
