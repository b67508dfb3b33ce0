import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { ReceivableEvent } from '#contracts/events/receivable'
import { figureEvents } from '#projections/receivables/queries/figure-events'
import { payingOf } from '#projections/receivables/queries/paying'
import { stepResults } from '#projections/receivables/queries/step-results'
import { receivables } from '#projections/receivables/read-model'
import { addDays, type Day } from '#services/finance/calendar'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import {
  anyPayingCommand,
  clientId,
  firstDay,
  merchantId,
} from '../../support/receivables/arbitrary-receivable-commands.ts'
import { datedLifeOf, daysOf, type DatedEvent } from '../../support/receivables/lives.ts'
import {
  invoicedByModel,
  openByModel,
  paymentDaysByModel,
  promisesByModel,
} from '../../support/receivables/receivable-model.ts'

const db = sharedReadModelFixture()
const of = { merchantId, clientId }
const today = addDays(firstDay, 400)
const idOf = (place: number) => `receivable_6c1f9a2e-8a52-5f0e-9d55-00000000000${place}`

const clientAdded = recorded(`client-${clientId}`, {
  type: 'ClientAdded',
  data: { ...samplePayloads.ClientAdded, ...of },
})
const eventsOf = (life: readonly DatedEvent[], place: number) =>
  life.map(({ event, today: on }, revision) => {
    const receivableId = idOf(place)
    const data = { ...event.data, receivableId }
    return recorded(`receivable-${receivableId}`, { ...event, data } as ReceivableEvent, {
      revision,
      occurredAt: `${on}T12:00:00.000Z`,
    })
  })

interface Message {
  readonly day: Day
  /** Places of the receivables that it is about. */
  readonly about: readonly number[]
}

function eventsOfMessage({ day, about }: Message, index: number): readonly RecordedEvent[] {
  const messageId = `message_${index}`
  const occurredAt = `${day}T17:30:00.000Z`
  const steps = about.map((each) => ({
    receivableId: idOf(each),
    stepId: `step ${index}`,
    repetition: 0,
    offset: 7,
    channel: 'mail' as const,
    tone: 'firm' as const,
    dueDay: day,
    delays: [],
  }))
  const due = { ...samplePayloads.MessageDue, ...of, messageId, day, steps, replaced: [] }
  const sent = { ...samplePayloads.MessageSent, ...of, messageId }
  const stream = `clientReminder-${clientId}`
  return [
    recorded(stream, { type: 'MessageDue', data: due }, { occurredAt, revision: 2 * index }),
    recorded(stream, { type: 'MessageSent', data: sent }, { occurredAt, revision: 2 * index + 1 }),
  ]
}

const lives = fc.noShrink(
  fc.gen().map((any) => [0, 1, 2].map(() => datedLifeOf(any, anyPayingCommand, 15))),
)
const messages = fc.array(
  fc.record({
    day: fc.nat(100).map((days) => addDays(firstDay, days)),
    about: fc.uniqueArray(fc.constantFrom(0, 1, 2), { minLength: 1, maxLength: 3 }),
  }),
  { minLength: 4, maxLength: 10 },
)

/** The events of a figure, in pages of two. */
async function allEvents(request: Omit<Parameters<typeof figureEvents>[2], 'limit' | 'today'>) {
  const page = (after?: string) =>
    figureEvents(db.pool, merchantId, { ...request, today, limit: 2, after })
  const first = await page()
  const items = [...first.items]
  for (let { next } = first; next !== null;) {
    const following = await page(next)
    expect(following.items.length).toBeGreaterThan(0)
    items.push(...following.items)
    next = following.next
  }
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
  return { ...first, items }
}

/** Month by month from `asOf` back. Null: less was invoiced than is outstanding. */
function dsoByModel(some: readonly (readonly ReceivableEvent[])[], asOf: Day): number | null {
  const invoiced = new Map<string, number>()
  for (const life of some) {
    const [month, amount] = invoicedByModel(life, asOf)
    invoiced.set(month, (invoiced.get(month) ?? 0) + amount)
  }
  let rest = some.reduce((sum, life) => sum + openByModel(life, asOf), 0)
  if (rest <= 0) return 0
  let days = 0
  let at = new Date(asOf)
  while (at.getUTCFullYear() > 2023) {
    const length = at.getUTCDate()
    const amount = invoiced.get(at.toISOString().slice(0, 7)) ?? 0
    if (amount >= rest) return days + (length * rest) / amount
    rest -= amount
    days += length
    at = new Date(at.getTime() - length * 86_400_000)
  }
  return null
}

/** By the days of the promises and messages, too. */
function daysOfAll(lifes: readonly (readonly DatedEvent[])[], sent: readonly Message[]) {
  return [
    ...daysOf(lifes.flat().map(({ event }) => event)),
    ...lifes.flatMap(promisesByModel).map(([by]) => addDays(by as Day, 1)),
    ...sent.flatMap(({ day }) => [day, addDays(day, 3)]),
  ]
}

describe('how clients pay, as of any past day', () => {
  it('is what a plain model says, and what the events of each figure say', async () => {
    const seen = { kept: 0, broken: 0, followed: 0, notFollowed: 0, dso: 0 }
    await fc.assert(
      fc.asyncProperty(
        lives,
        messages,
        fc.boolean(),
        fc.nat(20),
        async (some, sent, messagesFirst, chance) => {
          const streams = some.flatMap(eventsOf)
          const reminders = sent.flatMap(eventsOfMessage)
          const log = messagesFirst ? [...reminders, ...streams] : [...streams, ...reminders]
          await db.given(receivables, [clientAdded, ...log], 7)
          const events = some.map((life) => life.map(({ event }) => event))
          const days = daysOfAll(some, sent)
          for (const part of [0.1, 0.4, 0.6, 0.8, 0.95]) {
            const place = Math.floor(part * days.length) + chance
            const asOf = days[place % Math.max(1, days.length)] ?? today
            const request = { asOf, currency: 'usd', client: undefined }
            const paying = await payingOf(db.pool, merchantId, request)

            const dso = dsoByModel(events, asOf)
            expect(paying.dso?.days).toBe(dso === null ? null : Math.round(dso * 10) / 10)

            const first = addDays(asOf, -90)
            const promises = some
              .flatMap(promisesByModel)
              .filter(([by, isKept]) => by >= first && by < asOf && isKept !== null)
            expect(paying.promises).toEqual({
              count: promises.length,
              kept: promises.filter(([, isKept]) => isKept).length,
            })

            const counted = sent.filter(
              ({ day, about }) =>
                day >= first && day <= asOf && about.some((each) => some[each]?.length),
            )
            const followed = counted.filter(({ day, about }) =>
              about
                .flatMap((each) => paymentDaysByModel(events[each] ?? []))
                .some((paid) => paid >= day && paid <= addDays(day, 3) && paid <= asOf),
            )
            expect(paying.reminders).toEqual({ count: counted.length, followed: followed.length })

            const became = async (figure: 'promises' | 'reminders', outcome: string) => {
              const { items, amount, total } = await allEvents({ figure, ...request })
              const found = items.filter((item) => item.outcome === outcome).length
              expect({ amount, total }).toEqual({ amount: found, total: items.length })
              return { count: total, found }
            }
            const { count, kept } = paying.promises
            expect(await became('promises', 'kept')).toEqual({ count, found: kept })
            expect(await became('reminders', 'followed')).toEqual({
              count: counted.length,
              found: followed.length,
            })
            const byInvoice = await allEvents({ figure: 'dso', ...request })
            const sum = byInvoice.items.reduce((total, { amount }) => total + amount, 0)
            expect(sum).toBe(byInvoice.amount)
            if (dso !== null) expect(sum).toBeGreaterThanOrEqual(paying.dso?.outstanding ?? 0)

            // The only client of the merchant has the merchant's figures.
            const ofClient = { ...request, client: clientId }
            expect(await payingOf(db.pool, merchantId, ofClient)).toEqual({ ...paying, dso: null })
            for (const figure of ['outstanding', 'overdue', 'collected', 'daysToPay'] as const) {
              const { items, amount, total } = await allEvents({ figure, ...request })
              const its = await allEvents({ figure, ...ofClient })
              expect({ figure, amount: its.amount, total: its.total }).toEqual({
                figure,
                amount,
                total,
              })
              const ids = (some: typeof items) => some.map(({ id }) => id).toSorted()
              expect(ids(its.items)).toEqual(ids(items))
            }
            seen.kept += kept
            seen.broken += count - kept
            seen.followed += followed.length
            seen.notFollowed += counted.length - followed.length
            seen.dso += dso === null || dso === 0 ? 0 : 1
          }
        },
      ),
      { numRuns: 60 },
    )
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(10)
  }, 240_000)

  it('agrees with the results of the steps, where each message has one step', async () => {
    const asOf = addDays(firstDay, 160)
    await fc.assert(
      fc.asyncProperty(lives, messages, async (some, sent) => {
        const single = sent.map(({ day, about }) => ({ day, about: about.slice(0, 1) }))
        const log = [...some.flatMap(eventsOf), ...single.flatMap(eventsOfMessage)]
        await db.given(receivables, [clientAdded, ...log], 7)
        const results = await stepResults(db.pool, merchantId, addDays(asOf, -90))
        const request = { asOf, currency: 'usd', client: undefined }
        const { reminders } = await payingOf(db.pool, merchantId, request)
        expect(results.reduce((sum, { paid }) => sum + paid, 0)).toBe(reminders.followed)
      }),
      { numRuns: 10 },
    )
  }, 120_000)

  const dated = (event: object, today: string) => ({ event, today }) as DatedEvent
  const life = (...after: readonly DatedEvent[]) => [
    dated(
      {
        type: 'ReceivableAdded',
        data: { ...samplePayloads.ReceivableAdded, ...of, since: '2026-01-05' },
      },
      '2026-01-05',
    ),
    dated(
      { type: 'PaymentPromised', data: { ...of, by: '2026-02-10', madeBy: 'client' } },
      '2026-02-01',
    ),
    ...after,
  ]
  const amount = samplePayloads.ReceivableAdded.details.amount
  const money = { currency: 'usd', applied: amount, surplus: 0 }
  const paid = (date: string, applied = amount) =>
    dated(
      {
        type: 'PaymentRecorded',
        data: { ...samplePayloads.PaymentRecorded, ...of, ...money, date, applied },
      },
      date,
    )
  const back = (why: string, date: string, applied = amount) =>
    dated(
      {
        type: 'PaymentReversed',
        data: {
          ...samplePayloads.PaymentReversed,
          ...of,
          ...money,
          why,
          date,
          applied,
          reversalId: date,
        },
      },
      date,
    )
  const figuresOf = async (events: readonly DatedEvent[], asOf: Day) => {
    const reminder = eventsOfMessage({ day: addDays(firstDay, 33), about: [0] }, 0)
    await db.given(receivables, [clientAdded, ...eventsOf(events, 0), ...reminder], 2)
    const { promises, reminders } = await payingOf(db.pool, merchantId, {
      asOf,
      currency: 'usd',
      client: undefined,
    })
    return [promises, reminders]
  }
  const [one, none] = [1, 0]

  it.each([
    ['paid in full on the day', [paid('2026-02-10')], one, one],
    ['paid the day after', [paid('2026-02-11')], none, none],
    ['paid in part', [paid('2026-02-09', 100)], none, one],
    [
      'refunded in part, later',
      [paid('2026-02-09'), back('refunded', '2026-02-20', 100)],
      one,
      one,
    ],
    [
      'charged back in part, by the day',
      [paid('2026-02-08'), back('charged-back', '2026-02-10', 100)],
      none,
      one,
    ],
    [
      'charged back in two parts, later',
      [
        paid('2026-02-09'),
        back('charged-back', '2026-02-20', 100),
        back('refunded', '2026-02-21', amount - 100),
      ],
      none,
      none,
    ],
    ['returned later', [paid('2026-02-09'), back('returned', '2026-02-20')], none, none],
    [
      'recorded in error',
      [paid('2026-02-09'), back('recorded-in-error', '2026-02-09')],
      none,
      none,
    ],
  ])('counts a payment that was %s', async (_what, events, kept, followed) => {
    expect(await figuresOf(life(...events), addDays(firstDay, 60))).toEqual([
      { count: 1, kept },
      { count: 1, followed },
    ])
  })

  it('counts a changed promise once by its last day, and another one after a broken one', async () => {
    const promised = (by: string, today: string) =>
      dated({ type: 'PaymentPromised', data: { ...of, by, madeBy: 'client' } }, today)
    const withdrawn = dated({ type: 'PromiseWithdrawn', data: of }, '2026-02-03')
    const asOf = addDays(firstDay, 60)
    const [changed] = await figuresOf(
      life(promised('2026-02-14', '2026-02-09'), paid('2026-02-12')),
      asOf,
    )
    expect(changed).toEqual({ count: 1, kept: 1 })
    const [taken] = await figuresOf(life(withdrawn, promised('2026-02-14', '2026-02-09')), asOf)
    expect(taken).toEqual({ count: 1, kept: 0 })
    const [again] = await figuresOf(
      life(promised('2026-02-20', '2026-02-12'), paid('2026-02-13')),
      asOf,
    )
    expect(again).toEqual({ count: 2, kept: 1 })
  })
})
