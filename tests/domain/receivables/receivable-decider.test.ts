import { describe, expect, it } from '@jest/globals'
import type { ReceivableEvent } from '#contracts/events/receivable'
import { parseUserId } from '#contracts/ids'
import type { PaymentByHand, ReceivableCommand } from '#services/receivables/receivable-commands'
import { receivableDecider } from '#services/receivables/receivable-decider'
import { openOf } from '#services/receivables/receivable-state'
import { given } from '../../support/data/given.ts'
import {
  clientId,
  day,
  merchantId,
  receivableId,
} from '../../support/receivables/arbitrary-receivable-commands.ts'

const today = day('2026-11-25')
const at = '2026-11-25T18:12:00.000Z'
const by = { merchantId, today, at } as const
const owner = { merchantId, clientId, receivableId }
const details = {
  issueDate: '2026-10-14',
  dueDate: '2026-11-13',
  amount: 124_000,
  reference: 'Plan 2 of 3',
  url: null,
}
const added: ReceivableEvent = {
  type: 'ReceivableAdded',
  data: { ...owner, number: 'AD-1187', currency: 'usd', since: '2026-10-14', details },
}
const paid = (paymentId: string, date: string, applied: number, surplus = 0): ReceivableEvent => ({
  type: 'PaymentRecorded',
  data: {
    ...owner,
    paymentId,
    date,
    currency: 'usd',
    applied,
    surplus,
    method: 'check',
    note: null,
    isEstimated: false,
    portal: null,
  },
})
const payment = (amount: number, date = '2026-11-25', paymentId = 'payment_2'): PaymentByHand => ({
  paymentId,
  date: day(date),
  amount,
  method: 'check',
  note: null,
})
const record = (made: PaymentByHand, openSeen: number, surplusBecomesCredit = false) =>
  ({
    type: 'record-payment',
    payment: made,
    openSeen,
    surplusBecomesCredit,
    isEstimated: false,
    ...by,
  }) as const
const reverse = (
  paymentId: string,
  why: 'returned' | 'recorded-in-error',
  date = '2026-11-25',
  creditIsCanceled = false,
) =>
  ({
    type: 'reverse-payment',
    paymentId,
    why,
    date: day(date),
    note: null,
    creditIsCanceled,
    ...by,
  }) as const
const change = (changes: Partial<typeof details>, basedOn = 0) =>
  ({ type: 'change-receivable', details: { ...details, ...changes }, basedOn, ...by }) as const
const writeOff = (openSeen: number) =>
  ({ type: 'write-off-receivable', reason: 'Agreed', openSeen, ...by }) as const
const refusedAs = (kind: string, more: object = {}) => ({ refused: { kind, ...more } })

describe('an invoice', () => {
  const add = (changes: { issueDate?: string | null; dueDate?: string } = {}) =>
    ({
      type: 'add-receivable',
      clientId,
      receivableId,
      number: 'AD-1187',
      currency: 'usd',
      details: { ...details, ...changes },
      ...by,
    }) as const

  it('counts from its issue date or its due date, from today if that is later', () => {
    expect(given(receivableDecider).when(add())).toEqual([added])
    for (const [issueDate, dueDate, since] of [
      [null, '2026-11-13', '2026-11-13'],
      [null, '2026-12-24', '2026-11-25'],
      ['2026-12-01', '2026-12-24', '2026-11-25'],
    ] as const)
      expect(given(receivableDecider).when(add({ issueDate, dueDate }))).toMatchObject([
        { data: { since } },
      ])
  })

  it('keeps its first day after a change of other details, also when the issue date has come', () => {
    const issueDate = '2026-12-01'
    const since = '2026-11-25'
    const planned = { ...details, issueDate, dueDate: '2026-12-24' }
    const early: ReceivableEvent = {
      type: 'ReceivableAdded',
      data: { ...owner, number: 'AD-1187', currency: 'usd', since, details: planned },
    }
    const later = { today: day('2026-12-10'), at: '2026-12-10T12:00:00.000Z' }
    const changed = (changes: Partial<typeof details>) =>
      given(receivableDecider, early).when({
        ...change({ ...planned, ...changes }),
        ...later,
      })
    expect(changed({ reference: 'Plan 3' })).toMatchObject([{ data: { since } }])
    expect(changed({ issueDate: '2026-12-02' })).toMatchObject([{ data: { since: '2026-12-02' } }])
  })

  it('has one number per client, and is not due before it is issued', () => {
    expect(given(receivableDecider, added).when(add())).toEqual(refusedAs('number-taken'))
    expect(given(receivableDecider).when(add({ dueDate: '2026-10-13' }))).toEqual(
      refusedAs('due-before-issue'),
    )
  })

  it('of another merchant is not found, as one that does not exist', () => {
    const other = { ...record(payment(1), 0), merchantId: parseUserId('usr_other') }
    expect(given(receivableDecider, added).when(other)).toEqual(
      given(receivableDecider).when(other),
    )
  })
})

describe('a change', () => {
  it('has the details before and after', () => {
    const after = { ...details, dueDate: '2026-11-20' }
    expect(given(receivableDecider, added).when(change({ dueDate: '2026-11-20' }))).toEqual([
      {
        type: 'ReceivableChanged',
        data: {
          ...owner,
          date: today,
          currency: 'usd',
          since: '2026-10-14',
          before: details,
          after,
        },
      },
    ])
  })

  it('of a form that showed older details is refused', () => {
    const first = given(receivableDecider, added).when(change({ amount: 130_000 }))
    if ('refused' in first) throw new Error('The first change was refused.')
    const changed = given(receivableDecider, added, ...(first as ReceivableEvent[]))
    expect(changed.when(change({ dueDate: '2026-11-20' }))).toEqual(refusedAs('changed-meanwhile'))
  })

  it('never leaves less than nothing open on any day', () => {
    const halfPaid = given(receivableDecider, added, paid('payment_1', '2026-11-17', 40_000))
    expect(halfPaid.when(change({ amount: 39_999 }))).toEqual(refusedAs('below-paid'))
    expect(halfPaid.when(change({ issueDate: '2026-11-18', dueDate: '2026-11-20' }))).toEqual(
      refusedAs('below-paid'),
    )
  })
})

describe('a payment', () => {
  const halfPaid = given(receivableDecider, added, paid('payment_1', '2026-11-17', 40_000))

  it('reduces what is open', () => {
    expect(halfPaid.when(record(payment(84_000), 84_000))).toEqual([
      paid('payment_2', '2026-11-25', 84_000),
    ])
  })

  it('above what is open is refused, or its surplus becomes a credit', () => {
    expect(halfPaid.when(record(payment(90_000), 84_000))).toEqual(
      refusedAs('above-open', { open: 84_000 }),
    )
    expect(halfPaid.when(record(payment(90_000), 84_000, true))).toEqual([
      paid('payment_2', '2026-11-25', 84_000, 6_000),
    ])
  })

  it('of a form that showed another open amount is refused: two windows record one payment once', () => {
    expect(halfPaid.when(record(payment(10_000), 124_000))).toEqual(
      refusedAs('open-changed', { open: 84_000 }),
    )
  })

  it('has a day from the issue date to today', () => {
    expect(halfPaid.when(record(payment(1, '2026-11-26'), 84_000))).toEqual(
      refusedAs('in-the-future'),
    )
    expect(halfPaid.when(record(payment(1, '2026-10-13'), 84_000))).toEqual(
      refusedAs('before-since', { since: '2026-10-14' }),
    )
  })

  it('that comes back is owed again from that day; one that never was, from its own', () => {
    expect(halfPaid.when(reverse('payment_1', 'returned'))).toMatchObject([
      { type: 'PaymentReversed', data: { date: '2026-11-25', applied: 40_000 } },
    ])
    expect(halfPaid.when(reverse('payment_1', 'recorded-in-error'))).toMatchObject([
      { type: 'PaymentReversed', data: { date: '2026-11-17', applied: 40_000 } },
    ])
    expect(halfPaid.when(reverse('payment_1', 'returned', '2026-11-16'))).toEqual(
      refusedAs('before-payment'),
    )
  })

  it('with a surplus is reversed after its credit has ended', () => {
    const over = given(receivableDecider, added, paid('payment_1', '2026-11-17', 124_000, 500))
    expect(over.when(reverse('payment_1', 'returned'))).toEqual(
      refusedAs('has-credit', { isUsed: false }),
    )
    expect(over.when(reverse('payment_1', 'returned', today, true))).toMatchObject([
      { type: 'PaymentReversed', data: { applied: 124_000, surplus: 500 } },
    ])
  })

  it('is corrected by its reversal and a new payment, in one step', () => {
    const correct: ReceivableCommand = {
      type: 'correct-payment',
      paymentId: 'payment_1',
      payment: payment(45_000, '2026-11-16'),
      note: 'A digit was wrong',
      ...by,
    }
    expect(halfPaid.when(correct)).toMatchObject([
      { type: 'PaymentReversed', data: { paymentId: 'payment_1', date: '2026-11-17' } },
      { type: 'PaymentRecorded', data: { paymentId: 'payment_2', applied: 45_000 } },
    ])
  })
})

describe('money that goes back of a payment in the portal', () => {
  const share = (paymentId: string, amount: number) => ({
    type: 'receive-payment' as const,
    payment: {
      paymentId,
      checkoutId: 'checkout_1',
      date: today,
      amount,
      means: { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 8, expiryYear: 2032 },
    },
    ...by,
  })
  const back = (reversalId: string, amount: number) => ({
    type: 'take-payment-back' as const,
    paymentId: 'payment_first',
    reversalId,
    why: 'refunded' as const,
    date: today,
    amount,
    ...by,
  })
  /** Each command is accepted; a repeat of it records nothing. */
  const after = (...commands: readonly ReceivableCommand[]) =>
    commands.reduce(
      (state, command) => {
        const decision = receivableDecider.decide(command, state)
        if (decision.kind === 'refused') throw new Error(decision.refusal.kind)
        const next = decision.events.reduce(receivableDecider.evolve, state)
        expect(receivableDecider.decide(command, next)).toMatchObject({ events: [] })
        return next
      },
      receivableDecider.evolve(receivableDecider.initialState, added),
    )
  const first = [share('payment_first', 10_000), back('refund_failed', 7_000)]

  it('is taken of what is there again, too, surplus and payment alike', () => {
    const whole = after(...first, share('payment_again', 7_000), back('refund_2', 10_000))
    expect(whole.kind === 'added' && openOf(whole)).toBe(124_000)
    const paidBefore = record(payment(120_000), 124_000)
    const surplus = after(paidBefore, ...first, share('payment_again', 7_000))
    expect(surplus.kind === 'added' && openOf(surplus)).toBe(0)
    const part = after(
      paidBefore,
      ...first,
      share('payment_again', 7_000),
      back('refund_2', 10_000),
    )
    expect(part.kind === 'added' && openOf(part)).toBe(4_000)
  })

  it('waits for what is there again, if a crash delays its record', () => {
    expect(receivableDecider.decide(back('refund_2', 10_000), after(...first))).toEqual({
      kind: 'refused',
      refusal: { kind: 'unknown-payment' },
    })
  })
})

describe('a credit that paid an invoice', () => {
  const received: ReceivableEvent = {
    type: 'CreditReceived',
    data: {
      ...owner,
      creditId: 'credit_1',
      applicationId: 'application_1',
      date: '2026-11-20',
      currency: 'usd',
      applied: 24_000,
      notApplied: 0,
    },
  }
  const takeBack = (applicationId = 'application_1') =>
    ({ type: 'take-credit-back', applicationId, ...by }) as const

  it('is taken back once, and its amount is owed again from today on', () => {
    const taken = given(receivableDecider, added, received).when(takeBack())
    expect(taken).toMatchObject([
      {
        type: 'CreditTakenBack',
        data: { creditId: 'credit_1', date: today, currency: 'usd', amount: 24_000 },
      },
    ])
    const [event] = 'refused' in taken ? [] : taken
    if (!event) throw new Error('Nothing was recorded.')
    expect(given(receivableDecider, added, received, event).when(takeBack())).toEqual([])
  })

  it('is refused if the invoice did not receive it, or has ended', () => {
    expect(given(receivableDecider, added, received).when(takeBack('application_2'))).toEqual({
      refused: { kind: 'unknown-credit' },
    })
    const writtenOff: ReceivableEvent = {
      type: 'ReceivableWrittenOff',
      data: { ...owner, date: '2026-11-21', currency: 'usd', amount: 100_000, reason: 'Closed' },
    }
    expect(given(receivableDecider, added, received, writtenOff).when(takeBack())).toEqual({
      refused: { kind: 'ended', how: 'written-off' },
    })
  })
})

describe('the end of an invoice', () => {
  it('takes all that is open, and a reopening brings it back', () => {
    const stream = given(receivableDecider, added, paid('payment_1', '2026-11-17', 40_000))
    const written = stream.when(writeOff(84_000))
    expect(written).toMatchObject([{ type: 'ReceivableWrittenOff', data: { amount: 84_000 } }])
    const ended = given(
      receivableDecider,
      added,
      paid('payment_1', '2026-11-17', 40_000),
      ...(written as ReceivableEvent[]),
    )
    expect(ended.when(record(payment(1), 0))).toEqual(refusedAs('ended', { how: 'written-off' }))
    expect(ended.when({ type: 'reopen-receivable', reason: null, ...by })).toMatchObject([
      { type: 'ReceivableReopened', data: { amount: 84_000, was: 'written-off' } },
    ])
  })

  it('is a cancellation only if nothing was paid', () => {
    const cancel = { type: 'cancel-receivable', reason: 'Wrong client', ...by } as const
    expect(given(receivableDecider, added).when(cancel)).toMatchObject([
      { type: 'ReceivableCanceled', data: { amount: 124_000 } },
    ])
    expect(
      given(receivableDecider, added, paid('payment_1', '2026-11-17', 1)).when(cancel),
    ).toEqual(refusedAs('is-reduced'))
  })
})

describe('a promise', () => {
  const promise = (date: string) =>
    ({ type: 'promise-payment', by: day(date), madeBy: 'client', ...by }) as const

  it('is for today to 30 days ahead', () => {
    const stream = given(receivableDecider, added)
    expect(stream.when(promise('2026-12-25'))).toMatchObject([{ type: 'PaymentPromised' }])
    expect(stream.when(promise('2026-12-26'))).toEqual(refusedAs('too-far'))
    expect(stream.when(promise('2026-11-24'))).toEqual(refusedAs('in-the-past'))
  })
})

describe('a dispute', () => {
  const disputed = (madeBy: 'merchant' | 'client'): ReceivableEvent => ({
    type: 'ReceivableDisputed',
    data: { ...owner, text: 'Wrong visit', madeBy },
  })
  const withdraw = { type: 'withdraw-dispute', ...by } as const
  const resolved: ReceivableEvent = {
    type: 'DisputeResolved',
    data: { ...owner, outcome: 'The client withdrew the dispute.' },
  }

  it('is withdrawn by the client that made it, once', () => {
    expect(given(receivableDecider, added, disputed('client')).when(withdraw)).toEqual([resolved])
    const after = given(receivableDecider, added, disputed('client'), resolved)
    expect(after.when(withdraw)).toEqual([])
    expect(given(receivableDecider, added).when(withdraw)).toEqual([])
  })

  it('that the merchant wrote down is resolved by the merchant only', () => {
    const stream = given(receivableDecider, added, disputed('merchant'))
    expect(stream.when(withdraw)).toEqual([])
    expect(stream.when({ type: 'resolve-dispute', outcome: null, ...by })).toMatchObject([
      { type: 'DisputeResolved', data: { outcome: null } },
    ])
  })
})
