import { dunningDays } from '#contracts/dunning'
import type { Notification } from '#services/notifications/notification'
import { links, name, portalUrl, usd, visa, type Sample } from './sample-data.ts'

/*
 * The mails about a renewal that was not paid.
 */

const failed = {
  kind: 'payment-failed',
  name,
  planName: 'Monthly Plan',
  due: usd(3900),
  failedAt: '2026-04-03T10:00:00.000Z',
  method: { ...visa, last4: '0341' },
  reason: 'The card has expired.',
  newMethod: null,
  endsAt: null,
  payUrl: links.pay,
  portalUrl: links.updateCard,
} as const

const failures = dunningDays.map((day) => ({
  id: `payment-failed-day-${day}`,
  message: { ...failed, day, nextAttemptAt: day === 7 ? null : '2026-04-09T10:00:00.000Z' },
}))

/** After the customer replaced the card. */
const withNewCard = ([3, 7] as const).map((day) => ({
  id: `payment-failed-day-${day}-new-card`,
  message: {
    ...failed,
    day,
    nextAttemptAt: day === 7 ? null : '2026-04-08T10:00:00.000Z',
    newMethod: visa,
    portalUrl,
  },
}))

/** With a scheduled cancellation. */
const ofEndingPlan = ([5, 7] as const).map((day) => ({
  id: `payment-failed-day-${day}-ending`,
  message: {
    ...failed,
    day,
    nextAttemptAt: day === 7 ? null : '2026-04-09T10:00:00.000Z',
    endsAt: '2026-05-03T09:12:00.000Z',
  },
}))

const recovered = {
  kind: 'payment-recovered',
  name,
  planName: 'Monthly Plan',
  due: usd(3900),
  paid: usd(3900),
  paidBy: [{ kind: 'method', method: visa }],
  paidAt: '2026-04-08T10:00:00.000Z',
  purchasesUrl: links.purchases,
} as const

export const dunningSamples: readonly Sample<Notification>[] = [
  ...failures,
  ...withNewCard,
  ...ofEndingPlan,
  { id: 'payment-recovered', message: { ...recovered, end: null } },
  {
    id: 'payment-recovered-outside',
    message: { ...recovered, paidBy: [{ kind: 'outside', amount: 39_00 }], end: null },
  },
  {
    id: 'payment-recovered-by-credit',
    message: { ...recovered, paid: usd(0), paidBy: [{ kind: 'credit' }], end: null },
  },
  {
    id: 'payment-recovered-without-payment',
    message: { ...recovered, paid: usd(0), paidBy: [], end: null },
  },
  {
    id: 'payment-recovered-ending',
    message: { ...recovered, end: { at: '2026-05-03T09:12:00.000Z', isPast: false } },
  },
  {
    id: 'payment-recovered-ended',
    message: { ...recovered, end: { at: '2026-04-12T08:00:00.000Z', isPast: true } },
  },
]
