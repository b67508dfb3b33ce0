import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import type { DunningEvent } from '#contracts/events/dunning'
import { textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import {
  dunningDecider,
  nextReminderAt,
  type DunningState,
} from '#services/notifications/dunning/dunning-decider'
import {
  failedInvoices,
  type DatedBillingEvent,
} from '#services/notifications/dunning/unpaid-invoices'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

const start = Date.parse('2026-04-03T09:12:00.000Z')
const at = (days: number) => new Date(start + days * 86_400_000).toISOString()

function dated(event: BillingEvent, days: number): DatedBillingEvent {
  return { ...event, metadata: { occurredAt: at(days) } }
}
const started = (status: 'active' | 'incomplete' = 'active') =>
  dated(
    { type: 'SubscriptionStarted', data: { ...samplePayloads.SubscriptionStarted, status } },
    -30,
  )
const failure = (
  days: number,
  invoiceRef: ProviderRef = refOf('in_2'),
  attempt = 1,
  nextAttemptAt: string | null = null,
) =>
  dated(
    {
      type: 'PaymentFailed',
      data: { ...samplePayloads.PaymentFailed, invoiceRef, attempt, nextAttemptAt },
    },
    days,
  )
const payment = (days: number, invoiceRef: ProviderRef = refOf('in_2')) =>
  dated(
    { type: 'PaymentSucceeded', data: { ...samplePayloads.PaymentSucceeded, invoiceRef } },
    days,
  )
const writeOff = (days: number, invoiceRef: ProviderRef = refOf('in_2')) =>
  dated(
    { type: 'InvoiceWrittenOff', data: { ...samplePayloads.InvoiceWrittenOff, invoiceRef } },
    days,
  )
const end = (days: number) =>
  dated({ type: 'SubscriptionEnded', data: samplePayloads.SubscriptionEnded }, days)

/** Follows a billing stream: each round sees the events up to its time. */
function follow(history: readonly DatedBillingEvent[], rounds: readonly number[]) {
  let state: DunningState = dunningDecider.initialState
  const events: DunningEvent[] = []
  for (const days of rounds) {
    const seen = history.filter(({ metadata }) => metadata.occurredAt <= at(days))
    const decision = dunningDecider.decide(
      { type: 'follow', invoices: failedInvoices(seen), at: at(days) },
      state,
    )
    if (decision.kind === 'refused') throw new Error('A follow is never refused.')
    events.push(...decision.events)
    state = decision.events.reduce(dunningDecider.evolve, state)
  }
  const last = at(rounds.at(-1) ?? 0)
  const invoices = failedInvoices(history.filter(({ metadata }) => metadata.occurredAt <= last))
  const next = nextReminderAt(state, { invoices, at: last })
  return { events, next, said: events.map(inShort) }
}

function inShort(event: DunningEvent): string {
  switch (event.type) {
    case 'DunningStarted':
      return 'started'
    case 'DunningReminderDue':
      return `day ${event.data.day}`
    case 'DunningEnded':
      return event.data.why
  }
}

const daily = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 30]

describe('the reminders of an unpaid invoice', () => {
  it('are due on days 0, 3, 5 and 7 after the first failed payment', () => {
    const { said, next } = follow([started(), failure(0)], daily)
    expect(said).toEqual(['started', 'day 0', 'day 3', 'day 5', 'day 7'])
    expect(next).toBeNull()
  })

  it('name the next time: a clock that is a second early finds none', () => {
    const history = [started(), failure(0)]
    expect(follow(history, [0]).next).toBe(at(3))
    expect(follow(history, [0, 3 - 1 / 86_400]).said).toEqual(['started', 'day 0'])
    expect(follow(history, [0, 3]).said).toEqual(['started', 'day 0', 'day 3'])
  })

  it('are not changed by further attempts for the same invoice', () => {
    const retried = [
      started(),
      failure(0),
      failure(1, refOf('in_2'), 2),
      failure(4, refOf('in_2'), 3),
    ]
    expect(follow(retried, daily).events).toEqual(follow([started(), failure(0)], daily).events)
  })

  it.each([
    ['recovered', payment(4)],
    ['canceled', end(4)],
    ['written-off', writeOff(4)],
  ])('end: %s', (why, event) => {
    expect(follow([started(), failure(0), event], daily).said).toEqual([
      'started',
      'day 0',
      'day 3',
      why,
    ])
  })

  it('of a clock that jumps are only the latest one', () => {
    const { said, next } = follow([started(), failure(0)], [0, 6])
    expect(said).toEqual(['started', 'day 0', 'day 5'])
    expect(next).toBe(at(7))
  })

  describe('near an attempt of the provider', () => {
    const hour = 1 / 24
    const first = (attemptAt: number) => failure(0, refOf('in_2'), 1, at(attemptAt))
    const ofDay3 = ['started', 'day 0', 'day 3']

    it.each([
      ['an hour before', 3 - hour, 3],
      ['at the same time', 3, 3 + hour],
      ['an hour later', 3 + hour, 3 + 2 * hour],
    ])('are held back until an hour after it: %s', (_what, attemptAt, sent) => {
      const history = [started(), first(attemptAt)]
      const early = sent - 1 / 86_400
      expect(follow(history, [0, early]).next).toBe(at(sent))
      expect(follow(history, [0, early]).said).toEqual(['started', 'day 0'])
      expect(follow(history, [0, early, sent]).said).toEqual(ofDay3)
    })

    it.each([
      ['more than an hour before', 3 - 1.1 * hour],
      ['more than an hour later', 3 + 1.1 * hour],
    ])('are due on their day: %s', (_what, attemptAt) => {
      expect(follow([started(), first(attemptAt)], [0, 3]).said).toEqual(ofDay3)
    })

    it('are due when it has failed', () => {
      const failed = failure(3.01, refOf('in_2'), 2, at(5))
      expect(follow([started(), first(3), failed], [0, 3, 3.01]).said).toEqual(ofDay3)
    })

    it('are not due if it pays', () => {
      const { said } = follow([started(), first(3), payment(3.01)], [0, 3, 3.01, 4])
      expect(said).toEqual(['started', 'day 0', 'recovered'])
    })

    it('are only the latest one, also when the clock jumps to an attempt', () => {
      const history = [started(), first(5)]
      expect(follow(history, [0, 5]).said).toEqual(['started', 'day 0'])
      expect(follow(history, [0, 5]).next).toBe(at(5 + hour))
      expect(follow(history, [0, 5, 5 + hour]).said).toEqual(['started', 'day 0', 'day 5'])
    })

    it('always report the first failure at once', () => {
      expect(follow([started(), first(0)], [0]).said).toEqual(['started', 'day 0'])
    })
  })

  it('do not start for an invoice that is paid when it is first seen', () => {
    expect(follow([started(), failure(0), payment(0)], daily).said).toEqual([])
  })

  it('do not start for the first payment of a new subscription, nor for no subscription', () => {
    expect(follow([started('incomplete'), failure(0)], daily).said).toEqual([])
    const { data } = failure(0)
    const ofNone = dated(
      {
        type: 'PaymentFailed',
        data: { ...(data as typeof samplePayloads.PaymentFailed), subscriptionId: null },
      },
      0,
    )
    expect(follow([started(), ofNone], daily).said).toEqual([])
  })

  it('are each due once at most and only while the invoice is unpaid, whatever happens in whichever order', () => {
    const invoiceRef = fc.constantFrom(refOf('in_1'), refOf('in_2'))
    const day = fc.double({ min: 0, max: 12, noNaN: true })
    const happening = fc.oneof(
      {
        weight: 5,
        arbitrary: fc
          .tuple(day, invoiceRef, fc.integer({ min: 1, max: 4 }), fc.option(day.map(at)))
          .map((given) => failure(...given)),
      },
      { weight: 2, arbitrary: fc.tuple(day, invoiceRef).map((given) => payment(...given)) },
      { weight: 1, arbitrary: fc.tuple(day, invoiceRef).map((given) => writeOff(...given)) },
      { weight: 1, arbitrary: day.map(end) },
    )
    fc.assert(
      fc.property(
        fc.array(happening, { maxLength: 12 }),
        fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 1, maxLength: 20 }),
        (happenings, times) => {
          const history = [started(), ...happenings].sort((a, b) =>
            a.metadata.occurredAt < b.metadata.occurredAt ? -1 : 1,
          )
          const rounds = times.toSorted((a, b) => a - b).flatMap((time) => [time, time])
          const { events } = follow(history, rounds)
          const named = events.map(
            (event) => `${textOfRef(event.data.invoiceRef)} ${inShort(event)}`,
          )
          expect(new Set(named).size).toBe(named.length)
          for (const event of events) {
            if (event.type === 'DunningEnded') continue
            const seen = history.filter(({ metadata }) => metadata.occurredAt <= occurredAt(event))
            const invoice = failedInvoices(seen).find(
              (each) => each.invoiceRef === event.data.invoiceRef,
            )
            expect(invoice).toMatchObject({ standing: 'unpaid', startedAt: event.data.startedAt })
            if (event.type === 'DunningReminderDue')
              expect(daysAfter(event)).toBeGreaterThanOrEqual(event.data.day)
          }
          const ends = new Set<ProviderRef>()
          for (const event of events) {
            expect(ends).not.toContain(event.data.invoiceRef)
            if (event.type === 'DunningEnded') ends.add(event.data.invoiceRef)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

function occurredAt(event: DunningEvent): string {
  if ('occurredAt' in event && typeof event.occurredAt === 'string') return event.occurredAt
  throw new Error('A decided event has a time.')
}

function daysAfter(event: DunningEvent): number {
  return (
    Math.round((Date.parse(occurredAt(event)) - Date.parse(event.data.startedAt)) / 1_000) / 86_400
  )
}
