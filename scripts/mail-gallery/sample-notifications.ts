import { dunningDays } from '#contracts/dunning'
import type { WayOfPayment } from '#contracts/events/billing-parts'
import type { Receipt } from '#contracts/receipts'
import type { Notification, PlanEnd, TextNotification } from '#services/notifications/notification'
import { dunningSamples } from './sample-dunning.ts'
import { links, name, planOf, portalUrl, renewal, usd, visa, type Sample } from './sample-data.ts'
import { paid, paidByCredit, paidOutside, upgraded } from './sample-receipts.ts'

/*
 * Invented data for the gallery of mails and for the tests of the templates. Every kind has a
 * sample, and a kind with several wordings has one per wording.
 */

const { pricing: pricingUrl } = links

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

const waysToPayChanges = (
  [
    ['account-connected', { kind: 'account-connected' }],
    ['account-disconnected', { kind: 'account-disconnected' }],
    ['link-changed', { kind: 'link', host: 'pay.birchwood.example' }],
    ['link-removed', { kind: 'link', host: null }],
    ['instructions-changed', { kind: 'instructions', isRemoved: false }],
    ['instructions-removed', { kind: 'instructions', isRemoved: true }],
  ] as const
).map(([id, change]) => ({
  id: `ways-to-pay-${id}`,
  message: {
    kind: 'ways-to-pay-changed' as const,
    name,
    change,
    at: '2026-03-03T09:12:00.000Z',
    paymentsUrl: links.waysToPay,
  },
}))

/** A plan of another interval begins a new period, so only the unused time is prorated. */
const planChanges = [
  { id: 'upgrade', from: 'monthly', to: 'annual', proration: usd(-2139), renewsAt: '2027-03-17' },
  { id: 'credit', from: 'annual', to: 'monthly', proration: usd(-18_210), renewsAt: '2026-04-17' },
  {
    id: 'no-proration',
    from: 'monthly',
    to: 'six-month',
    proration: null,
    renewsAt: '2026-09-17',
  },
] as const

const byCard: WayOfPayment = { kind: 'method', method: visa }

const receipts: readonly {
  readonly id: string
  readonly receipt: Receipt
  readonly end: PlanEnd | null
  /** By card, if absent. */
  readonly paidBy?: readonly WayOfPayment[]
}[] = [
  { id: 'receipt', receipt: paid, end: null },
  {
    id: 'receipt-of-a-payment-outside',
    receipt: paidOutside,
    end: null,
    paidBy: [{ kind: 'outside', amount: 39_00 }],
  },
  { id: 'receipt-of-a-credit', receipt: paidByCredit, end: null, paidBy: [{ kind: 'credit' }] },
  { id: 'receipt-of-an-ending-plan', receipt: paid, end: { at: renewal, isPast: false } },
  {
    id: 'receipt-of-an-ended-plan',
    receipt: paid,
    end: { at: '2026-03-20T08:00:00.000Z', isPast: true },
  },
  { id: 'receipt-of-a-plan-change', receipt: upgraded, end: null },
]

const refunds = [
  { refundKind: 'full', plan: 'monthly', amount: 3900, captured: usd(3900), isPending: false },
  {
    refundKind: 'partial',
    plan: 'monthly',
    amount: 1250,
    captured: usd(3900),
    reason: 'product_unsatisfactory',
    memo: 'For the days on which the reminders did not go out.',
    isPending: false,
  },
  {
    refundKind: 'proration',
    plan: 'annual',
    amount: 18_210,
    captured: usd(35_900),
    isPending: false,
  },
  { refundKind: 'full', plan: 'monthly', amount: 3900, captured: null, isPending: true },
] as const

const ofAdministrator = {
  kind: 'administrators-changed',
  name,
  by: 'Ada Lind',
  at: '2026-03-03T09:12:00.000Z',
  consoleUrl: links.console,
} as const
const administratorChanges = [
  { kind: 'added', role: 'support' },
  { kind: 'role', from: 'support', to: 'finance' },
  { kind: 'passkey-added', label: 'Work laptop' },
  { kind: 'passkey-removed', label: 'Work laptop' },
] as const

export const sampleNotifications: readonly Sample<Notification>[] = [
  { id: 'welcome', message: { kind: 'welcome', name, pricingUrl } },
  ...administratorChanges.map((change) => ({
    id: `administrator-${change.kind}`,
    message: { ...ofAdministrator, change },
  })),
  ...[null, renewal].map((endsAt) => ({
    id: endsAt === null ? 'subscription-activated' : 'subscription-activated-ending',
    message: {
      kind: 'subscription-activated' as const,
      name,
      ...planOf('monthly'),
      startedAt: '2026-03-03T09:12:00.000Z',
      onboardingEndsAt: '2026-03-10T21:00:00.000Z',
      renewsAt: renewal,
      endsAt,
      portalUrl,
    },
  })),
  ...receipts.map(({ id, receipt, end, paidBy = [byCard] }) => ({
    id,
    message: { kind: 'receipt' as const, name, receipt, paidBy, end },
  })),
  {
    id: 'renewal-ahead',
    message: {
      kind: 'renewal-ahead',
      name,
      ...planOf('annual'),
      at: '2026-03-18T14:00:00.000Z',
      renewsAt: '2026-04-17T14:00:00.000Z',
      endsAt: null,
      method: visa,
      portalUrl,
    },
  },
  {
    id: 'renewal-ahead-ending',
    message: {
      kind: 'renewal-ahead',
      name,
      ...planOf('annual'),
      at: '2026-03-18T14:00:00.000Z',
      renewsAt: '2026-04-17T14:00:00.000Z',
      endsAt: '2026-09-01T00:00:00.000Z',
      method: visa,
      portalUrl,
    },
  },
  {
    id: 'card-expiring',
    message: { kind: 'card-expiring', name, card: visa, portalUrl: links.replaceCard },
  },
  ...[
    { id: 'payment-method-changed', method: { ...visa, brand: 'mastercard', last4: '4444' } },
    { id: 'payment-method-removed', method: null },
  ].map(({ id, method }): Sample<Notification> => ({
    id,
    message: {
      kind: 'payment-method-changed',
      name,
      method,
      former: visa,
      at: '2026-03-18T14:00:00.000Z',
      portalUrl: links.replaceCard,
    },
  })),
  ...dunningSamples,
  {
    id: 'cancellation-scheduled',
    message: {
      kind: 'cancellation-scheduled',
      name,
      planName: 'Monthly Plan',
      at: '2026-03-14T16:20:00.000Z',
      endsAt: renewal,
      renewsAt: null,
      isPaused: false,
      isUnpaid: false,
      keepUrl: links.keepPlan('subscription_1'),
    },
  },
  {
    id: 'cancellation-scheduled-later',
    message: {
      kind: 'cancellation-scheduled',
      name,
      planName: 'Monthly Plan',
      at: '2026-03-14T16:20:00.000Z',
      endsAt: '2026-06-20T00:00:00.000Z',
      renewsAt: renewal,
      isPaused: false,
      isUnpaid: false,
      keepUrl: links.keepPlan('subscription_1'),
    },
  },
  {
    id: 'cancellation-scheduled-unpaid',
    message: {
      kind: 'cancellation-scheduled',
      name,
      planName: 'Monthly Plan',
      at: '2026-03-14T16:20:00.000Z',
      endsAt: renewal,
      renewsAt: null,
      isPaused: false,
      isUnpaid: true,
      keepUrl: links.keepPlan('subscription_1'),
    },
  },
  {
    id: 'plan-change-scheduled',
    message: {
      kind: 'plan-change-scheduled',
      name,
      formerPlanName: 'Annual Plan',
      ...planOf('monthly'),
      at: '2026-03-14T16:20:00.000Z',
      startsAt: renewal,
      portalUrl,
    },
  },
  {
    id: 'plan-change-dropped',
    message: {
      kind: 'plan-change-dropped',
      name,
      ...planOf('annual'),
      plannedPlanName: 'Monthly Plan',
      renewsAt: renewal,
      endsAt: null,
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
  ...(
    [
      ['canceled', 'canceled', true],
      ['at-once', 'canceled', false],
      ['unpaid', 'unpaid', false],
    ] as const
  ).map(([id, why, wasScheduled]) => ({
    id: `subscription-ended-${id}`,
    message: {
      kind: 'subscription-ended' as const,
      name,
      planName: 'Monthly Plan',
      endedAt: renewal,
      why,
      wasScheduled,
      pricingUrl,
    },
  })),
  ...planChanges.map(({ id, from, to, proration, renewsAt }) => ({
    id: `plan-changed-${id}`,
    message: {
      kind: 'plan-changed' as const,
      name,
      ...planOf(to),
      formerPlanName: planOf(from).planName,
      proration,
      beginsPeriod: true,
      changedAt: '2026-03-17T09:12:00.000Z',
      renewsAt: `${renewsAt}T09:12:00.000Z`,
      endsAt: null,
      portalUrl,
    },
  })),
  ...(['charge', 'lower-price', 'ending'] as const).map((id) => ({
    id: `plan-changed-${id}`,
    message: {
      kind: 'plan-changed' as const,
      name,
      ...planOf('monthly'),
      formerPlanName: planOf('monthly').planName,
      price: { ...planOf('monthly').price, amount: usd(id === 'charge' ? 7800 : 3900) },
      proration: usd(id === 'charge' ? 2139 : -2139),
      beginsPeriod: false,
      changedAt: '2026-03-17T09:12:00.000Z',
      renewsAt: renewal,
      endsAt: id === 'ending' ? renewal : null,
      portalUrl,
    },
  })),
  ...refunds.map(({ plan, amount, ...refund }) => ({
    id: `refund-${refund.refundKind}${refund.isPending ? '-pending' : ''}`,
    message: {
      kind: 'refund' as const,
      name,
      refundId: '0198a3c2-9f10-7d3a-8a4f-0c1d2e3f4a5b',
      planName: planOf(plan).planName,
      amount: usd(amount),
      method: visa,
      reason: 'requested_by_customer',
      memo: null,
      at: '2026-03-20T11:45:00.000Z',
      ...refund,
    },
  })),
  ...(['refund-arrived', 'refund-failed', 'refund-canceled'] as const).map((id) => {
    const refund = {
      name,
      refundId: '0198a3c2-9f10-7d3a-8a4f-0c1d2e3f4a5b',
      amount: usd(1250),
      at: '2026-03-23T11:45:00.000Z',
    }
    const message: Notification =
      id === 'refund-arrived'
        ? { kind: id, ...refund }
        : { kind: 'refund-failed', ...refund, isCanceled: id === 'refund-canceled' }
    return { id, message }
  }),
  { id: 'account-blocked', message: { kind: 'account-blocked', name } },
  ...[false, true].map((hasEndedPlan) => ({
    id: hasEndedPlan ? 'account-unblocked-without-plan' : 'account-unblocked',
    message: { kind: 'account-unblocked' as const, name, hasEndedPlan, pricingUrl },
  })),
  ...secondaryChanges,
  ...waysToPayChanges,
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
  message: { kind: 'payment-failed', day, due: usd(3900), url: links.updateCard },
}))
