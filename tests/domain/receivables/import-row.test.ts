import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ReceivableEvent } from '#contracts/events/receivable'
import { addDays, type Day } from '#services/finance/calendar'
import type { ImportRow } from '#services/receivables/receivable-commands'
import { receivableDecider } from '#services/receivables/receivable-decider'
import { movementsOf, openOf, type ReceivableState } from '#services/receivables/receivable-state'
import { openOn } from '#services/receivables/movements'
import { given } from '../../support/data/given.ts'
import { daysOf, lifeOf } from '../../support/receivables/lives.ts'
import {
  clientId,
  day,
  merchantId,
  receivableId,
} from '../../support/receivables/arbitrary-receivable-commands.ts'

const today = day('2026-11-27')
const at = '2026-11-27T15:00:00.000Z'
const details = {
  issueDate: '2026-10-14',
  dueDate: '2026-11-13',
  amount: 124_000,
  reference: 'Plan 2 of 3',
  url: null,
}
const row = (changes: Partial<ImportRow> = {}): ImportRow => ({
  type: 'import-row',
  merchantId,
  today,
  at,
  clientId,
  receivableId,
  number: 'AD-1187',
  currency: 'usd',
  details,
  openAmount: null,
  confirmsReversal: false,
  paymentId: 'payment_row',
  ...changes,
})
const types = (events: readonly { readonly type: string }[] | { readonly refused: unknown }) =>
  'refused' in events ? events : events.map(({ type }) => type)
const imported = (...rows: readonly ImportRow[]): readonly ReceivableEvent[] => {
  const events: ReceivableEvent[] = []
  for (const command of rows) {
    const { state } = given(receivableDecider, ...events)
    const decision = receivableDecider.decide(command, state)
    if (decision.kind === 'refused') throw new Error(decision.refusal.kind)
    events.push(...decision.events)
  }
  return events
}

describe('a row of a new invoice', () => {
  it('adds it, with the whole amount open if the file does not say what is open', () => {
    const { state } = given(receivableDecider, ...imported(row()))
    expect(state.kind === 'added' && openOf(state)).toBe(124_000)
  })

  it('records what is not open as an estimated payment of the day of the import', () => {
    const events = imported(row({ openAmount: 24_000 }))
    expect(types(events)).toEqual(['ReceivableAdded', 'PaymentRecorded'])
    expect(events[1]?.data).toMatchObject({
      applied: 100_000,
      date: '2026-11-27',
      isEstimated: true,
    })
  })

  it.each([
    [{ openAmount: 124_001 }, 'open-above-amount'],
    [{ details: { ...details, dueDate: '2026-10-13' } }, 'due-before-issue'],
  ])('is refused with %p', (changes, kind) => {
    expect(given(receivableDecider).when(row(changes))).toEqual({ refused: { kind } })
  })
})

describe('a row of a known invoice', () => {
  const known = imported(row({ openAmount: 24_000 }))
  const when = (changes: Partial<ImportRow>) =>
    given(receivableDecider, ...known).when(row({ paymentId: 'payment_next', ...changes }))

  it.each([
    ['the same row', { openAmount: 24_000 }],
    ['a row that leaves out the open amount', {}],
    [
      'a row that leaves out what is optional',
      { details: { ...details, issueDate: null, reference: null } },
    ],
  ])('%s changes nothing', (_name, changes) => {
    expect(when(changes)).toEqual([])
  })

  it('pays what is open less than before', () => {
    expect(when({ openAmount: 0 })).toMatchObject([
      { type: 'PaymentRecorded', data: { applied: 24_000, isEstimated: true } },
    ])
  })

  it('opens more if the amount rose as much', () => {
    const risen = { ...details, amount: 130_000 }
    expect(types(when({ details: risen, openAmount: 30_000 }))).toEqual(['ReceivableChanged'])
    expect(when({ details: risen, openAmount: 31_000 })).toEqual({
      refused: { kind: 'open-rose', open: 30_000 },
    })
  })

  it('takes a payment back only if the merchant confirms it', () => {
    expect(when({ openAmount: 50_000 })).toEqual({ refused: { kind: 'open-rose', open: 24_000 } })
    expect(when({ openAmount: 50_000, confirmsReversal: true })).toMatchObject([
      { type: 'PaymentReversed', data: { why: 'returned', applied: 100_000 } },
      { type: 'PaymentRecorded', data: { applied: 74_000 } },
    ])
  })

  it.each([
    [{ currency: 'eur' }, 'currency-differs'],
    [{ details: { ...details, amount: 99_999 } }, 'below-paid'],
  ])('is refused with %p', (changes, kind) => {
    expect(when(changes)).toEqual({ refused: { kind } })
  })
})

function undo(before: ReceivableState, own: readonly ReceivableEvent[]): ReceivableState {
  const after = own.reduce(receivableDecider.evolve, before)
  const decision = receivableDecider.decide(
    {
      type: 'undo-import',
      merchantId,
      today,
      at,
      importId: 'import_1',
      own,
      sinceBefore: before.kind === 'added' ? before.since : null,
      seen: after.kind === 'added' ? after.events : 0,
      paymentId: 'payment_undo',
    },
    after,
  )
  if (decision.kind === 'refused') throw new Error(decision.refusal.kind)
  return decision.events.reduce(receivableDecider.evolve, after)
}

const lives = fc.gen().map(lifeOf)

describe('after any life of an invoice', () => {
  interface Made {
    readonly amount: number
    readonly openAmount: number | null
    readonly confirmsReversal: boolean
    readonly dueIn: number
    readonly issued: number | null
  }
  const rows: fc.Arbitrary<Made> = fc.record({
    amount: fc.integer({ min: 1, max: 700 }),
    openAmount: fc.option(fc.integer({ min: 0, max: 700 })),
    confirmsReversal: fc.boolean(),
    dueIn: fc.integer({ min: -20, max: 20 }),
    issued: fc.option(fc.integer({ min: -500, max: -21 })),
  })
  const rowOf = ({ amount, dueIn, issued, ...rest }: Made) =>
    row({
      ...rest,
      details: {
        ...details,
        issueDate: issued === null ? null : addDays(today, issued),
        amount,
        dueDate: addDays(today, dueIn),
      },
    })

  it('a row that is accepted leaves what it says, and the same row again changes nothing', () => {
    fc.assert(
      fc.property(lives, rows, (life, made) => {
        const { state } = given(receivableDecider, ...life)
        const command = rowOf(made)
        const decision = receivableDecider.decide(command, state)
        if (decision.kind === 'refused') return
        const after = decision.events.reduce(receivableDecider.evolve, state)
        if (after.kind === 'none') throw new Error('The row took the invoice away.')
        if (made.openAmount !== null) expect(openOf(after)).toBe(made.openAmount)
        for (const each of daysOf([...life, ...decision.events]))
          expect(openOn(movementsOf(after), each)).toBeGreaterThanOrEqual(0)
        expect(receivableDecider.decide(command, after)).toEqual({ kind: 'accepted', events: [] })
      }),
      { numRuns: 500 },
    )
  })

  it('an undo leaves what was open on every day, and the details', () => {
    fc.assert(
      fc.property(lives, rows, (life, made) => {
        const { state } = given(receivableDecider, ...life)
        const decision = receivableDecider.decide(rowOf(made), state)
        if (decision.kind === 'refused' || decision.events.length === 0) return
        const after = undo(state, decision.events)
        if (state.kind === 'none') return expect(after.kind).toBe('none')
        if (after.kind === 'none') throw new Error('The undo took a known invoice away.')
        expect(after.details).toEqual(state.details)
        const open = (each: ReceivableState, on: Day) =>
          each.kind === 'none' ? 0 : openOn(movementsOf(each), on)
        for (const each of daysOf([...life, ...decision.events]))
          expect(open(after, each)).toBe(open(state, each))
      }),
      { numRuns: 500 },
    )
  })
})

it('an undone import can be repeated', () => {
  const own = imported(row({ openAmount: 24_000 }))
  const after = undo({ kind: 'none' }, own)
  expect(after).toEqual({ kind: 'none' })
  const again = receivableDecider.decide(row({ openAmount: 24_000 }), after)
  expect(again.kind === 'accepted' && types(again.events)).toEqual([
    'ReceivableAdded',
    'PaymentRecorded',
  ])
})

it('an undo is refused if something followed the import', () => {
  const own = imported(row())
  const { state } = given(receivableDecider, ...own)
  const held = { merchantId, clientId, receivableId, reason: 'Waits', until: null }
  const after = receivableDecider.evolve(state, { type: 'RemindersHeld', data: held })
  const command = {
    type: 'undo-import',
    merchantId,
    today,
    at,
    importId: 'import_1',
    own,
    sinceBefore: null,
    seen: 1,
    paymentId: 'payment_undo',
  } as const
  expect(receivableDecider.decide(command, after)).toEqual({
    kind: 'refused',
    refusal: { kind: 'changed-meanwhile' },
  })
})
