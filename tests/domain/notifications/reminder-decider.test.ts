import { describe, expect, it } from '@jest/globals'
import type { BillingEvent } from '#contracts/events/billing'
import type { ReminderEvent } from '#contracts/events/reminder'
import { initialBillingState } from '#services/billing/billing-state'
import { evolveBilling } from '#services/billing/evolve-billing'
import { nextDateAt, reminderDecider } from '#services/notifications/reminders/reminder-decider'
import { subscriptionStarted, type DataOf } from '../../support/data/events.ts'
import { given } from '../../support/data/given.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

/* Given earlier reminders and the customer's billing, when a time is followed, then reminders. */

const renewsAt = samplePayloads.RenewalReminderDue.renewsAt
const dayMs = 86_400_000
const ahead = (days: number, seconds = 0) =>
  new Date(Date.parse(renewsAt) - days * dayMs + seconds * 1_000).toISOString()

const halfYearly = { interval: 'month', intervalCount: 6, currentPeriodEnd: renewsAt } as const
const started = (data: Partial<DataOf<'SubscriptionStarted'>> = halfYearly): BillingEvent =>
  subscriptionStarted('usr_1', data)
function on<Type extends BillingEvent['type']>(type: Type, changes: Partial<DataOf<Type>> = {}) {
  return { type, data: { ...samplePayloads[type], ...changes } } as BillingEvent
}
const card = { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 8, expiryYear: 2026 }
const paidBy = (changes: Partial<typeof card> | null) =>
  on('PaymentMethodChanged', { method: changes === null ? null : { ...card, ...changes } })

const billingOf = (events: readonly BillingEvent[]) =>
  events.reduce(evolveBilling, initialBillingState)

/** The reminders in short: what they are about. */
function follow(
  events: readonly BillingEvent[],
  at: string,
  ...reminded: readonly ReminderEvent[]
): readonly string[] {
  const decision = given(reminderDecider, ...reminded).decide({
    type: 'follow',
    billing: billingOf(events),
    at,
  })
  if (decision.kind === 'refused') throw new Error('A follow is never refused.')
  return decision.events.map((event) => {
    expect(event).toMatchObject({ occurredAt: at })
    return event.type === 'RenewalReminderDue'
      ? `${event.data.planName} renews ${event.data.renewsAt}`
      : `${event.data.method.brand} ${event.data.method.last4}`
  })
}

const renewal: ReminderEvent = {
  type: 'RenewalReminderDue',
  data: samplePayloads.RenewalReminderDue,
}
const expiry: ReminderEvent = {
  type: 'CardReminderDue',
  data: { subscriptionId: 'subscription_1', method: card },
}
const due = `Monthly Plan renews ${renewsAt}`
const monthly = { interval: 'month', intervalCount: 1, currentPeriodEnd: renewsAt } as const
const annualTerms = { ...samplePayloads.PlanChangeScheduled.to, planName: 'Annual Plan' }
const change = (effectiveAt: string) => on('PlanChangeScheduled', { to: annualTerms, effectiveAt })

describe('a reminder of a renewal', () => {
  it.each<readonly [name: string, BillingEvent[], at: string, reminders: string[]]>([
    ['is due 30 days ahead', [started()], ahead(30), [due]],
    ['is not due a second earlier', [started()], ahead(30, -1), []],
    ['is due late if the time passed unseen', [started()], ahead(1), [due]],
    ['is not due when the period has ended', [started()], renewsAt, []],
    [
      'is due for a year',
      [started({ ...halfYearly, interval: 'year', intervalCount: 1 })],
      ahead(30),
      [due],
    ],
    ['is not due for a month', [started(monthly)], ahead(30), []],
    ['is not due for five months', [started({ ...monthly, intervalCount: 5 })], ahead(30), []],
    [
      'is not due for weeks',
      [started({ ...monthly, interval: 'week', intervalCount: 26 })],
      ahead(30),
      [],
    ],
    ['is due in a trial', [started({ ...halfYearly, status: 'trialing' })], ahead(30), [due]],
    ['is not due after a cancellation', [started(), on('CancellationScheduled')], ahead(30), []],
    [
      'is not due if the subscription ends at the renewal',
      [started(), on('CancellationScheduled', { effectiveAt: renewsAt })],
      ahead(30),
      [],
    ],
    [
      'is due if the subscription ends after the renewal',
      [started(), on('CancellationScheduled', { effectiveAt: ahead(-1) })],
      ahead(30),
      [due],
    ],
    [
      'is due after the cancellation was withdrawn',
      [started(), on('CancellationScheduled'), on('CancellationWithdrawn')],
      ahead(30),
      [due],
    ],
    [
      'is not due while a payment is missing',
      [started(), on('SubscriptionStatusChanged')],
      ahead(30),
      [],
    ],
    ['is not due in a pause', [started(), on('SubscriptionPaused')], ahead(30), []],
    ['is not due after the end', [started(), on('SubscriptionEnded')], ahead(30), []],
    [
      'has the plan that was planned for the renewal',
      [started(), change(renewsAt)],
      ahead(30),
      [`Annual Plan renews ${renewsAt}`],
    ],
    [
      'has the present plan if another is planned for later',
      [started(), change(ahead(-1))],
      ahead(30),
      [due],
    ],
  ])('%s', (_name, events, at, reminders) => {
    expect(follow(events, at)).toEqual(reminders)
  })

  it('is due once per period', () => {
    expect(follow([started()], ahead(30), renewal)).toEqual([])
    const next = '2027-03-03T09:12:00.000Z'
    const renewed = [started(), on('SubscriptionRenewed', { currentPeriodEnd: next })]
    expect(follow(renewed, '2027-02-26T00:00:00.000Z', renewal)).toEqual([
      `Monthly Plan renews ${next}`,
    ])
  })
})

describe('a reminder of a card', () => {
  const firstDay = '2026-08-02T00:00:00.000Z'
  it.each<readonly [name: string, BillingEvent[], at: string, reminders: string[]]>([
    [
      'is due 30 days before its last month ends',
      [started(monthly), paidBy({})],
      firstDay,
      ['visa 4242'],
    ],
    ['is not due a second earlier', [started(monthly), paidBy({})], '2026-08-01T23:59:59.000Z', []],
    [
      'is due on its last day',
      [started(monthly), paidBy({})],
      '2026-08-31T23:59:59.000Z',
      ['visa 4242'],
    ],
    [
      'is not due after its last day',
      [started(monthly), paidBy({})],
      '2026-09-01T00:00:00.000Z',
      [],
    ],
    [
      'is due in December of its year',
      [started(monthly), paidBy({ expiryMonth: 12 })],
      '2026-12-31T12:00:00.000Z',
      ['visa 4242'],
    ],
    ['is not due without a card', [started(monthly), paidBy(null)], firstDay, []],
    ['is not due before the means of payment is known', [started(monthly)], firstDay, []],
    [
      'is not due without a month',
      [started(monthly), on('PaymentMethodChanged', { method: { ...card, expiryMonth: null } })],
      firstDay,
      [],
    ],
    [
      'is not due without a year',
      [started(monthly), on('PaymentMethodChanged', { method: { ...card, expiryYear: null } })],
      firstDay,
      [],
    ],
    [
      'is not due if nothing renews',
      [started(monthly), paidBy({}), on('CancellationScheduled')],
      firstDay,
      [],
    ],
    [
      'is due once for two plans',
      [started(monthly), started({ ...monthly, subscriptionId: 'subscription_2' }), paidBy({})],
      firstDay,
      ['visa 4242'],
    ],
  ])('%s', (_name, events, at, reminders) => {
    expect(follow(events, at)).toEqual(reminders)
  })

  it('is due once per card: another one, and the same with another date, are new', () => {
    const has = (changes: Partial<typeof card>) =>
      follow([started(monthly), paidBy(changes)], firstDay, expiry)
    expect(has({})).toEqual([])
    expect(has({ last4: '4444' })).toEqual(['visa 4444'])
    expect(has({ brand: 'mastercard' })).toEqual(['mastercard 4242'])
    expect(
      follow([started(monthly), paidBy({ expiryYear: 2027 })], '2027-08-02T00:00:00.000Z', expiry),
    ).toEqual(['visa 4242'])
  })
})

describe('the next reminder', () => {
  const next = (events: readonly BillingEvent[], at: string, ...reminded: ReminderEvent[]) =>
    nextDateAt({ billing: billingOf(events), at }, given(reminderDecider, ...reminded).state)

  it('is the earliest that is not over and was not recorded', () => {
    const both = [started(), paidBy({})]
    expect(next(both, ahead(90))).toBe('2026-08-02T00:00:00.000Z')
    expect(next(both, ahead(90), expiry)).toBe(ahead(30))
    expect(next(both, '2026-09-01T00:00:00.000Z')).toBe(ahead(30))
    expect(next(both, ahead(90), expiry, renewal)).toBeNull()
    expect(next(both, renewsAt)).toBeNull()
  })
})
