import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { addDays, daysBetween } from '#services/finance/calendar'
import { promiseOffer, promisesMade } from '#services/receivables/portal/promise-offer'
import type { InvoiceAgreements, PortalInvoice } from '#services/receivables/portal/portal-invoice'
import { accountOf } from '#services/receivables/portal/portal-view'
import { isoWeekday } from '#services/receivables/reminders/sending-times'
import { day, receivableId } from '../../support/receivables/arbitrary-receivable-commands.ts'

const today = day('2026-11-25')
const last = addDays(today, 30)
const workdays = { today, last, isSendingDay: (each: typeof today) => isoWeekday(each) <= 5 }

const invoice = (
  number: string,
  due: string,
  extra: Partial<PortalInvoice> = {},
): PortalInvoice => ({
  receivableId: `${receivableId}${number}`,
  number,
  reference: null,
  currency: 'usd',
  amount: 10_000,
  open: 10_000,
  dueDate: day(due),
  daysOverdue: Math.max(0, daysBetween(day(due), today)),
  onItsWay: false,
  url: null,
  mayAct: true,
  promisedBy: null,
  dispute: null,
  ...extra,
})
const dispute = { madeBy: 'client', text: 'No', at: '2026-11-25T18:12:00.000Z' } as const
const numbers = (invoices: readonly PortalInvoice[] | undefined) =>
  invoices?.map(({ number }) => number)

describe('what a client can promise', () => {
  const late = [invoice('1', '2026-11-13'), invoice('2', '2026-11-24')]
  const coming = [
    invoice('3', '2026-12-16'),
    invoice('4', '2026-12-16'),
    invoice('5', '2026-12-20'),
  ]

  it('is all that is overdue at once, on two Fridays that leave a week', () => {
    const offer = promiseOffer([...late, ...coming], workdays)
    expect(numbers(offer?.invoices)).toEqual(['1', '2'])
    expect(offer).toMatchObject({
      about: 'overdue',
      days: { first: today, last: '2026-12-25', proposals: ['2026-12-04', '2026-12-11'] },
    })
  })

  it('is what is due next if nothing is overdue, from its due date on', () => {
    const offer = promiseOffer(coming, workdays)
    expect(numbers(offer?.invoices)).toEqual(['3', '4'])
    expect(offer).toMatchObject({
      about: 'next',
      days: { first: '2026-12-16', proposals: ['2026-12-18', '2026-12-25'] },
    })
    expect(promiseOffer([invoice('6', '2026-12-26')], workdays)).toBeNull()
    expect(promiseOffer([invoice('6', '2026-12-25')], workdays)?.days.proposals).toEqual([
      '2026-12-25',
    ])
  })

  it('leaves out what is disputed or promised, until the promised day has passed', () => {
    const [one, two] = [invoice('1', '2026-11-13', { dispute }), invoice('2', '2026-11-24')]
    expect(numbers(promiseOffer([one, two], workdays)?.invoices)).toEqual(['2'])
    const paidSoon = { ...two, onItsWay: true }
    expect(numbers(promiseOffer([one, paidSoon, ...coming], workdays)?.invoices)).toEqual([
      '3',
      '4',
    ])
    const promised = { ...two, promisedBy: today }
    expect(promiseOffer([one, promised, ...coming], workdays)).toBeNull()
    const broken = { ...two, promisedBy: addDays(today, -1) }
    expect(numbers(promiseOffer([one, broken], workdays)?.invoices)).toEqual(['2'])
    expect(promisesMade([one, promised], workdays)).toMatchObject([
      { by: today, invoices: [{ number: '2' }] },
    ])
    expect(promisesMade([{ ...promised, dispute }, broken], workdays)).toEqual([])
  })

  it('proposes the sending day before a Friday on which nothing goes out', () => {
    const isSendingDay = (each: typeof today) => each !== '2026-12-04' && isoWeekday(each) <= 5
    expect(promiseOffer(late, { ...workdays, isSendingDay })?.days.proposals).toEqual([
      '2026-12-03',
      '2026-12-11',
    ])
    const never = { ...workdays, isSendingDay: () => false }
    expect(promiseOffer(late, never)?.days.proposals).toEqual(['2026-12-04', '2026-12-11'])
  })

  it('proposes only days that are taken, whatever is due and whatever the schedule', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 }),
        fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: 127 }),
        (later, dues, sendingDays) => {
          const now = addDays(today, later)
          const rules = {
            today: now,
            last: addDays(now, 30),
            isSendingDay: (each: typeof today) =>
              ((sendingDays >> (isoWeekday(each) - 1)) & 1) === 1,
          }
          const sorted = dues.toSorted((one, other) => one - other)
          const invoices = sorted.map((due, index) =>
            invoice(String(index), addDays(now, due), { daysOverdue: Math.max(0, -due) }),
          )
          const offer = promiseOffer(invoices, rules)
          const { first, last: until, proposals } = offer?.days ?? { proposals: [] }
          for (const each of proposals) {
            expect(first !== undefined && each >= first).toBe(true)
            expect(until !== undefined && each <= until).toBe(true)
          }
          expect(proposals.length).toBeLessThanOrEqual(2)
          expect([...new Set(proposals)].sort()).toEqual(proposals)
          expect(offer === null).toBe(sorted.every((due) => due > 30))
        },
      ),
    )
  })
})

it('what is to be paid has no disputed invoice, and all invoices are listed', () => {
  const line = (id: string, number: string, open: number, daysOverdue: number) => ({
    receivableId: id,
    number,
    reference: null,
    issueDate: null,
    dueDate: '2026-11-20',
    daysOverdue,
    amount: open,
    open,
  })
  const agreements: Omit<InvoiceAgreements, 'open'> = { url: null, promisedBy: null, dispute: null }
  const account = accountOf(
    [
      {
        currency: 'usd',
        opening: 0,
        lines: [],
        closing: 600,
        overdue: 600,
        openInvoices: [line('a', '1', 100, 5), line('b', '2', 200, 5), line('c', '3', 300, 0)],
      },
      {
        currency: 'eur',
        opening: 0,
        lines: [],
        closing: 50,
        overdue: 50,
        openInvoices: [line('d', '4', 50, 5)],
      },
    ],
    new Map([
      ['a', { ...agreements, open: 100 }],
      ['b', { ...agreements, open: 200, dispute }],
      ['d', { ...agreements, open: 50, dispute }],
    ]),
    new Set(),
  )
  expect(account.owed).toEqual([
    { currency: 'usd', open: 400, overdue: 100, oldestOverdue: '2026-11-20' },
  ])
  expect(account.invoices.map(({ number, mayAct }) => [number, mayAct])).toEqual([
    ['1', true],
    ['2', true],
    ['3', false],
    ['4', true],
  ])
})
