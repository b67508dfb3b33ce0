import { describe, expect, it } from '@jest/globals'
import { eventLabel, eventMoney, labeledTypes, type EventType } from '#contracts/event-labels'
import { collectedBy } from '#contracts/events/billing-parts'
import type { DomainEvent } from '#contracts/events/catalogue'
import { changesOf } from '#services/admin/history/event-changes'
import { valuesOf } from '#services/admin/history/event-values'
import { profile, type DataOf } from '../support/data/events.ts'
import { samplePayloads } from '../support/data/sample-payloads.ts'

const samples = Object.entries(samplePayloads).map(
  ([type, data]) => ({ type, data }) as DomainEvent,
)

const event = <Type extends DomainEvent['type']>(
  type: Type,
  data: Partial<DataOf<Type>> = {},
): DomainEvent => ({ type, data: { ...samplePayloads[type], ...data } }) as DomainEvent

/** The changes of the last event. The index finds the earlier events of the requested types. */
async function changes(...events: readonly DomainEvent[]) {
  const [last, ...earlier] = events.toReversed()
  if (last === undefined) throw new Error('No event was given.')
  return (
    await changesOf(last, async (types) => earlier.filter(({ type }) => types.includes(type)))
  ).map(({ field, before, after }) => [field, before, after])
}

describe('the values of an event', () => {
  it('have the same fields for one topic, whichever event says them', () => {
    const fieldsByTopic = new Map<string, readonly string[]>()
    for (const sample of samples) {
      for (const [topic, { after, before }] of valuesOf<EventType>(sample)) {
        const fields = Object.keys(after)
        expect({ topic, fields }).toEqual({ topic, fields: fieldsByTopic.get(topic) ?? fields })
        if (before) expect(Object.keys(before)).toEqual(fields)
        fieldsByTopic.set(topic, fields)
      }
    }
  })

  it.each(samples.map((sample) => [sample.type, sample] as const))(
    'of %s are words for people',
    async (_type, sample) => {
      for (const change of await changesOf(sample, async () => [])) {
        expect(change.field).toMatch(/^[A-Z][\w -]+$/)
        expect(`${change.before} ${change.after}`).not.toMatch(
          /undefined|\[object|NaN|Invalid|past_due|in_progress/,
        )
      }
    },
  )
})

describe('what an event changed', () => {
  it('has the values before from the last earlier event that set them', async () => {
    const [old, now] = [
      { ...profile, city: 'Duluth' },
      { ...profile, city: 'Saint Paul' },
    ]
    expect(
      await changes(
        event('CompanyProfileCompleted', { ...old, companyName: 'Birch' }),
        event('ProfileUpdated', old),
        event('ProfileUpdated', now),
      ),
    ).toEqual([['City', 'Duluth', 'Saint Paul']])
    expect(
      await changes(
        event('ProfileUpdated', old),
        event('ProfileDiscarded'),
        event('ProfileUpdated', now),
      ),
    ).toContainEqual(['City', null, 'Saint Paul'])
  })

  it('compares a payment method with that of an earlier payment', async () => {
    const method = collectedBy(samplePayloads.PaymentSucceeded.paidBy)
    if (method === null) throw new Error('The sample has a method.')
    expect(
      await changes(
        event('PaymentSucceeded'),
        event('PaymentMethodChanged', { method: { ...method, last4: '0341', expiryMonth: 11 } }),
      ),
    ).toEqual([
      ['Payment method', 'Visa ending 4242', 'Visa ending 0341'],
      ['Expires', '08/2028', '11/2028'],
    ])
    expect(await changes(event('PaymentMethodChanged'), event('PaymentSucceeded'))).toEqual([
      ['Invoice', null, 'Paid'],
    ])
  })

  it('has the values before of the same invoice, not of another one', async () => {
    const failed = event('PaymentFailed', { paymentId: 'payment_1', attempt: 2 })
    const other = event('PaymentFailed', { paymentId: 'payment_9' })
    expect(await changes(failed, other, event('PaymentSucceeded'))).toEqual([
      ['Invoice', 'Payment 2 failed', 'Paid'],
    ])
  })

  it('has both values of an event that says both', async () => {
    expect(await changes(event('PlanChanged'))).toContainEqual([
      'Price',
      '$39.00 per month',
      '$39.00 per year',
    ])
    expect(await changes(event('SubscriptionStatusChanged'))).toEqual([
      ['Subscription status', 'Active', 'Past due'],
    ])
    expect(await changes(event('AccountUnblocked'))).toEqual([['Account', 'Blocked', 'Active']])
  })

  it('is nothing for an event that only reports', async () => {
    expect(await changes(event('CodeRequested'))).toEqual([])
  })
})

describe('the label of an event', () => {
  it('has the sign of the money: returned money is negative', () => {
    const signs = samples.map((sample) => [sample.type, eventMoney<EventType>(sample)?.amount])
    expect(Object.fromEntries(signs.filter(([, amount]) => amount !== undefined))).toEqual({
      PaymentSucceeded: 3900,
      PaymentFailed: 3900,
      InvoiceWrittenOff: 3900,
      DisputeFeeCharged: -1500,
      // The recorded refund is pending, and then succeeds.
      RefundStatusChanged: -1000,
      CreditNoteIssued: -1500,
      CreditNoteVoided: 1500,
      DisputeOpened: -3900,
    })
  })

  it('has the money that the event itself moves', () => {
    const moneyOf = (type: EventType, data: object) =>
      eventMoney<EventType>(event(type, data))?.amount ?? null
    expect(moneyOf('RefundRecorded', { status: 'succeeded' })).toBe(-1000)
    for (const [from, to, amount] of [
      ['pending', 'succeeded', -1000],
      ['succeeded', 'failed', 1000],
      ['pending', 'failed', null],
      ['pending', 'requires_action', null],
    ] as const)
      expect([from, to, moneyOf('RefundStatusChanged', { from, to })]).toEqual([from, to, amount])
    expect(moneyOf('DisputeOpened', { kind: 'inquiry' })).toBeNull()
    for (const [outcome, amount] of [
      ['won', 3900],
      ['lost', null],
      ['inquiry-closed', null],
    ] as const)
      expect([outcome, moneyOf('DisputeClosed', { outcome })]).toEqual([outcome, amount])
  })

  it('has another mark for a message that was not sent than for one that was', () => {
    const marks = (
      ['MailSent', 'MailFailed', 'MailReturned', 'TextSent', 'TextFailed'] as const
    ).map((type) => eventLabel(type).mark)
    expect(marks).toEqual(['mail', 'mail-unsent', 'mail-unsent', 'text', 'text-unsent'])
  })

  it('has the mark of a payment or a failure only for an event about money', () => {
    for (const type of labeledTypes)
      if (['paid', 'failed'].includes(eventLabel(type).mark))
        expect(eventMoney<EventType>(event(type))).not.toBeNull()
  })
})
