import { dunningDays } from '#contracts/dunning'
import type { PaymentMethod } from '#contracts/events/billing-parts'
import { planById, type PlanId } from '#contracts/plans'
import type { Receipt } from '#contracts/receipts'
import {
  type Notification,
  type Price,
  type TextNotification,
} from '#services/notifications/notification'

/*
 * Invented data for the gallery of mails and for the tests of the templates. Every kind has a
 * sample, and a kind with several wordings has one per wording.
 */

interface Sample<Message> {
  /** Names the sample in the gallery and in its file names: lower-case words and hyphens. */
  readonly id: string
  readonly message: Message
}

/** The product's address in the links of the samples. */
export const samplePublicUrl = 'http://localhost:3000'

const name = 'Dana Whitfield'
const visa: PaymentMethod = {
  type: 'card',
  brand: 'visa',
  last4: '4242',
  expiryMonth: 4,
  expiryYear: 2026,
}
const subscription = 'http://localhost:3000/api/portal/0198a3c2-6b1e-7c55-9d1f-2f2f0c9b7a10'
const portalUrl = `${subscription}?action=manage`
const methodUrl = `${subscription}?action=payment_method`
const purchasesUrl = 'http://localhost:3000/purchases'
const pricingUrl = 'http://localhost:3000/pricing'
const renewal = '2026-04-03T09:12:00.000Z'
const usd = (amount: number) => ({ amount, currency: 'usd' })

function planOf(id: PlanId): { readonly planName: string; readonly price: Price } {
  const { name: planName, amount, interval, intervalCount } = planById(id)
  return { planName, price: { amount: usd(amount), interval, intervalCount } }
}

const paid: Receipt = {
  receipt_id: '0198a3c2-7d40-7a11-8e02-51f7a0c3d991',
  kind: 'payment',
  invoice_number: '8C1F33A2-0004',
  file_name: 'receipt-8C1F33A2-0004.pdf',
  pdf_url: '/api/receipts/0198a3c2-7d40-7a11-8e02-51f7a0c3d991/pdf',
  issued_at: '2026-03-03T09:12:00.000Z',
  status: 'paid',
  currency: 'usd',
  payment_method: 'Visa ending 4242',
  billed_to: {
    name: 'Birchwood Dental Group',
    email: 'dana@birchwood.example',
    address: ['12 Birch Lane', 'Dover, DE 19901'],
    country: 'US',
  },
  lines: [
    {
      description: 'Monthly Plan',
      quantity: 1,
      amount: 39,
      period_start: '2026-03-03T09:12:00.000Z',
      period_end: renewal,
      is_proration: false,
    },
  ],
  period: { start: '2026-03-03T09:12:00.000Z', end: renewal },
  amounts: { subtotal: 39, discount: 0, tax: 0, total: 39, from_balance: 0, paid: 39 },
  refund: null,
}

const upgraded: Receipt = {
  ...paid,
  invoice_number: '8C1F33A2-0005',
  issued_at: '2026-03-17T09:12:00.000Z',
  lines: [
    {
      description: 'Annual Plan',
      quantity: 1,
      amount: 359,
      period_start: '2026-03-17T09:12:00.000Z',
      period_end: '2027-03-17T09:12:00.000Z',
      is_proration: false,
    },
    {
      description: 'Unused time on Monthly Plan after 17 Mar 2026',
      quantity: 1,
      amount: -21.4,
      period_start: '2026-03-17T09:12:00.000Z',
      period_end: renewal,
      is_proration: true,
    },
  ],
  period: { start: '2026-03-17T09:12:00.000Z', end: '2027-03-17T09:12:00.000Z' },
  amounts: {
    subtotal: 337.6,
    discount: 20,
    tax: 25.41,
    total: 343.01,
    from_balance: 15,
    paid: 328.01,
  },
}

const secondaryChanges = (['secondary-email-added', 'secondary-email-removed'] as const).flatMap(
  (kind) =>
    (['primary', 'secondary'] as const).map((recipient) => ({
      id: `${kind}-to-${recipient}`,
      message: {
        kind,
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
    planName: 'Monthly Plan',
    due: usd(3900),
    day,
    failedAt: '2026-04-03T10:00:00.000Z',
    nextAttemptAt: day === 7 ? null : '2026-04-09T10:00:00.000Z',
    method: visa,
    portalUrl: methodUrl,
  },
}))

const planChanges = [
  { id: 'charge', from: 'monthly', to: 'annual', proration: usd(32_245) },
  { id: 'credit', from: 'annual', to: 'monthly', proration: usd(-18_210) },
  { id: 'no-proration', from: 'monthly', to: 'six-month', proration: null },
] as const

const refunds = [
  { refundKind: 'full', amount: usd(3900), captured: usd(3900), isPending: false },
  { refundKind: 'partial', amount: usd(1250), captured: usd(3900), isPending: false },
  { refundKind: 'proration', amount: usd(18_210), captured: usd(35_900), isPending: false },
  { refundKind: 'full', amount: usd(3900), captured: null, isPending: true },
] as const

export const sampleNotifications: readonly Sample<Notification>[] = [
  { id: 'welcome', message: { kind: 'welcome', name, pricingUrl } },
  {
    id: 'subscription-activated',
    message: {
      kind: 'subscription-activated',
      name,
      ...planOf('monthly'),
      startedAt: '2026-03-03T09:12:00.000Z',
      renewsAt: renewal,
      portalUrl,
    },
  },
  { id: 'receipt', message: { kind: 'receipt', name, receipt: paid } },
  { id: 'receipt-of-a-plan-change', message: { kind: 'receipt', name, receipt: upgraded } },
  {
    id: 'renewal-ahead',
    message: {
      kind: 'renewal-ahead',
      name,
      ...planOf('annual'),
      at: '2026-04-03T14:00:00.000Z',
      renewsAt: '2026-04-17T14:00:00.000Z',
      method: visa,
      portalUrl,
    },
  },
  {
    id: 'card-expiring',
    message: { kind: 'card-expiring', name, card: visa, portalUrl: methodUrl },
  },
  ...failures,
  {
    id: 'payment-recovered',
    message: {
      kind: 'payment-recovered',
      name,
      planName: 'Monthly Plan',
      due: usd(3900),
      paidAt: '2026-04-08T10:00:00.000Z',
      purchasesUrl,
    },
  },
  {
    id: 'cancellation-scheduled',
    message: {
      kind: 'cancellation-scheduled',
      name,
      planName: 'Monthly Plan',
      at: '2026-03-14T16:20:00.000Z',
      endsAt: renewal,
      portalUrl,
    },
  },
  {
    id: 'cancellation-withdrawn',
    message: {
      kind: 'cancellation-withdrawn',
      name,
      planName: 'Monthly Plan',
      renewsAt: renewal,
      portalUrl,
    },
  },
  ...(['canceled', 'unpaid', 'expired', 'blocked'] as const).map((why) => ({
    id: `subscription-ended-${why}`,
    message: {
      kind: 'subscription-ended' as const,
      name,
      planName: 'Monthly Plan',
      endedAt: renewal,
      why,
      pricingUrl,
    },
  })),
  ...planChanges.map(({ id, from, to, proration }) => ({
    id: `plan-changed-${id}`,
    message: {
      kind: 'plan-changed' as const,
      name,
      ...planOf(to),
      formerPlanName: planOf(from).planName,
      proration,
      changedAt: '2026-03-17T09:12:00.000Z',
      renewsAt: '2027-03-17T09:12:00.000Z',
      portalUrl,
    },
  })),
  ...refunds.map((refund) => ({
    id: `refund-${refund.refundKind}${refund.isPending ? '-pending' : ''}`,
    message: {
      kind: 'refund' as const,
      name,
      refundId: '0198a3c2-9f10-7d3a-8a4f-0c1d2e3f4a5b',
      planName: 'Monthly Plan',
      method: visa,
      at: '2026-03-20T11:45:00.000Z',
      ...refund,
    },
  })),
  { id: 'account-blocked', message: { kind: 'account-blocked', name } },
  { id: 'account-unblocked', message: { kind: 'account-unblocked', name, pricingUrl } },
  ...secondaryChanges,
  { id: 'account-deleted', message: { kind: 'account-deleted', at: '2026-03-21T08:30:00.000Z' } },
  { id: 'enquiry-received', message: { kind: 'enquiry-received' } },
  {
    id: 'new-enquiry',
    message: {
      kind: 'new-enquiry',
      enquiry: {
        firstName: 'Marcus',
        lastName: 'Oyelaran',
        email: 'marcus@northgate.example',
        phoneNumber: '(302) 555-0148',
        message:
          'We send about 140 invoices a month, and a third of them are paid late.\n\nCan reminders stop when a customer disputes an invoice?',
        goals: 'Fewer than 10 % late invoices by summer',
      },
      at: '2026-03-21T08:30:00.000Z',
      consoleUrl: 'http://localhost:3000/admin/dashboard?tab=enquiries',
    },
  },
]

export const sampleTexts: readonly Sample<TextNotification>[] = dunningDays.map((day) => ({
  id: `text-payment-failed-day-${day}`,
  message: { kind: 'payment-failed', day, due: usd(3900), url: purchasesUrl },
}))
