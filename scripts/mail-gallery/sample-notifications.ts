import type { PaymentMethod } from '#contracts/events/billing-parts'
import { planById, type PlanId } from '#contracts/plans'
import {
  dunningDays,
  type Notification,
  type PlanTerms,
  type TextNotification,
} from '#services/notifications/notification'

/*
 * Invented data for the gallery of mails and for the tests of the templates. Every kind has at
 * least one sample, and a kind with several wordings has one per wording.
 */

interface Sample<Message> {
  /** Names the sample in the gallery and in its file names: lower-case words and hyphens. */
  readonly id: string
  readonly message: Message
}

const name = 'Dana Whitfield'
const visa: PaymentMethod = {
  type: 'card',
  brand: 'visa',
  last4: '4242',
  expiryMonth: 4,
  expiryYear: 2026,
}
const month = { start: '2026-03-03T09:12:00.000Z', end: '2026-04-03T09:12:00.000Z' }
const year = { start: '2025-04-17T14:00:00.000Z', end: '2026-04-17T14:00:00.000Z' }
const portal = 'http://localhost:3000/api/portal/sub_1?action=payment_method'

function terms(id: PlanId): PlanTerms {
  const { name: planName, amount, currency, interval, intervalCount } = planById(id)
  return { planName, price: { amount, currency }, interval, intervalCount }
}

const usd = (amount: number) => ({ amount, currency: 'usd' })

const changes = (['set', 'removed'] as const).flatMap((change) =>
  (['primary', 'secondary'] as const).map((recipient) => ({
    id: `secondary-email-${change}-to-${recipient}`,
    message: {
      kind: 'secondary-email-changed' as const,
      change,
      recipient,
      secondary: 'accounts@birchwood.example',
      at: '2026-03-03T09:12:00.000Z',
    },
  })),
)

const failures = dunningDays.map((day) => ({
  id: `payment-failed-day-${day}`,
  message: {
    kind: 'payment-failed' as const,
    name,
    day,
    planName: 'Monthly Plan',
    due: usd(3900),
    method: visa,
    failedAt: '2026-04-03T10:00:00.000Z',
    nextAttemptAt: day === 7 ? null : `2026-04-${String(6 + day).padStart(2, '0')}T10:00:00.000Z`,
    paymentMethodUrl: portal,
  },
}))

const planChanges = [
  { id: 'plan-changed-charge', from: 'monthly', to: 'annual', proration: usd(32_245) },
  { id: 'plan-changed-credit', from: 'annual', to: 'monthly', proration: usd(-18_210) },
  { id: 'plan-changed-without-proration', from: 'monthly', to: 'six-month', proration: null },
] as const

const refunds = [
  { refundKind: 'full', status: 'succeeded', amount: usd(3900), captured: usd(3900) },
  { refundKind: 'partial', status: 'succeeded', amount: usd(1250), captured: usd(3900) },
  { refundKind: 'proration', status: 'succeeded', amount: usd(18_210), captured: usd(35_900) },
  { refundKind: 'full', status: 'pending', amount: usd(3900), captured: usd(3900) },
  { refundKind: 'full', status: 'failed', amount: usd(3900), captured: usd(3900) },
] as const

export const sampleNotifications: readonly Sample<Notification>[] = [
  { id: 'sign-in-code', message: { kind: 'sign-in-code', code: '407192' } },
  ...changes,
  { id: 'welcome', message: { kind: 'welcome', name } },
  {
    id: 'subscription-activated',
    message: {
      kind: 'subscription-activated',
      name,
      terms: terms('monthly'),
      period: month,
      at: '2026-03-03T09:13:00.000Z',
    },
  },
  {
    id: 'receipt',
    message: {
      kind: 'receipt',
      name,
      receiptId: 'pay_0b6f2c51',
      invoiceNumber: '8C1F33A2-0004',
      planName: 'Monthly Plan',
      paidAt: month.start,
      amounts: {
        currency: 'usd',
        subtotal: 3900,
        discount: 0,
        tax: 0,
        total: 3900,
        fromBalance: 0,
        paid: 3900,
      },
      lines: [{ description: 'Monthly Plan', amount: 3900, quantity: 1, isProration: false }],
      period: month,
      method: visa,
      billedTo: 'Birchwood Dental Group',
    },
  },
  {
    id: 'receipt-with-tax-and-proration',
    message: {
      kind: 'receipt',
      name,
      receiptId: 'pay_5d20c7e9',
      invoiceNumber: '8C1F33A2-0005',
      planName: 'Annual Plan',
      paidAt: '2026-03-17T09:12:00.000Z',
      amounts: {
        currency: 'usd',
        subtotal: 33_760,
        discount: 2000,
        tax: 2541,
        total: 34_301,
        fromBalance: 1500,
        paid: 32_801,
      },
      lines: [
        { description: 'Annual Plan', amount: 35_900, quantity: 1, isProration: false },
        {
          description: 'Unused time on Monthly Plan after 17 Mar 2026',
          amount: -2140,
          quantity: 1,
          isProration: true,
        },
      ],
      period: { start: '2026-03-17T09:12:00.000Z', end: '2027-03-17T09:12:00.000Z' },
      method: visa,
      billedTo: 'Birchwood Dental Group',
    },
  },
  {
    id: 'renewal-ahead',
    message: {
      kind: 'renewal-ahead',
      name,
      terms: terms('annual'),
      period: year,
      at: '2026-04-03T14:00:00.000Z',
      method: visa,
    },
  },
  {
    id: 'card-expiring',
    message: {
      kind: 'card-expiring',
      name,
      method: visa,
      planName: 'Monthly Plan',
      nextPaymentAt: '2026-05-03T09:12:00.000Z',
      paymentMethodUrl: portal,
    },
  },
  ...failures,
  {
    id: 'payment-recovered',
    message: {
      kind: 'payment-recovered',
      name,
      receiptId: 'pay_77aa01be',
      planName: 'Monthly Plan',
      paid: usd(3900),
      paidAt: '2026-04-08T10:00:00.000Z',
      method: { ...visa, last4: '4444', brand: 'mastercard', expiryYear: 2029 },
      period: { start: '2026-04-03T09:12:00.000Z', end: '2026-05-03T09:12:00.000Z' },
    },
  },
  {
    id: 'cancellation-scheduled',
    message: {
      kind: 'cancellation-scheduled',
      name,
      planName: 'Monthly Plan',
      period: month,
      at: '2026-03-14T16:20:00.000Z',
      endsAt: month.end,
    },
  },
  {
    id: 'cancellation-withdrawn',
    message: {
      kind: 'cancellation-withdrawn',
      name,
      terms: terms('monthly'),
      renewsAt: month.end,
    },
  },
  ...(['canceled', 'unpaid', 'expired'] as const).map((why) => ({
    id: `subscription-ended-${why}`,
    message: {
      kind: 'subscription-ended' as const,
      name,
      planName: 'Monthly Plan',
      endedAt: month.end,
      why,
    },
  })),
  ...planChanges.map(({ id, from, to, proration }) => ({
    id,
    message: {
      kind: 'plan-changed' as const,
      name,
      from: terms(from),
      to: terms(to),
      effectiveAt: '2026-03-17T09:12:00.000Z',
      period: { start: '2026-03-17T09:12:00.000Z', end: '2027-03-17T09:12:00.000Z' },
      proration,
    },
  })),
  ...refunds.map((refund) => ({
    id: `refund-${refund.refundKind}-${refund.status}`,
    message: {
      kind: 'refund' as const,
      name,
      receiptId: 're_9f10d3a4',
      planName: 'Monthly Plan',
      method: visa,
      at: '2026-03-20T11:45:00.000Z',
      ...refund,
    },
  })),
  {
    id: 'account-blocked',
    message: {
      kind: 'account-blocked',
      name,
      at: '2026-03-20T11:45:00.000Z',
      endedPlans: ['Monthly Plan'],
    },
  },
  {
    id: 'account-unblocked',
    message: { kind: 'account-unblocked', name, at: '2026-03-21T08:30:00.000Z' },
  },
  { id: 'account-deleted', message: { kind: 'account-deleted', at: '2026-03-21T08:30:00.000Z' } },
  { id: 'enquiry-received', message: { kind: 'enquiry-received' } },
  {
    id: 'enquiry-new',
    message: {
      kind: 'enquiry-new',
      enquiryId: '0198a3c2-6b1e-7c55-9d1f-2f2f0c9b7a10',
      firstName: 'Marcus',
      lastName: 'Oyelaran',
      email: 'marcus@northgate.example',
      phoneNumber: '(302) 555-0148',
      message:
        'We send about 140 invoices a month, and a third of them are paid late.\n\nCan reminders stop when a customer disputes an invoice?',
      goals: 'Fewer than 10 % late invoices by summer',
      at: '2026-03-21T08:30:00.000Z',
    },
  },
]

export const sampleTexts: readonly Sample<TextNotification>[] = dunningDays.map((day) => ({
  id: `text-payment-failed-day-${day}`,
  message: { kind: 'payment-failed', day, due: usd(3900), url: 'http://localhost:3000/purchases' },
}))
