import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ClientEvent } from '#contracts/events/client'
import { parseUserId } from '#contracts/ids'
import { clientDecider, type ClientCommand } from '#services/receivables/client-decider'
import { given } from '../../support/data/given.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import {
  clientId,
  day,
  merchantId,
  receivableId,
} from '../../support/receivables/arbitrary-receivable-commands.ts'

const today = day('2026-11-26')
const at = '2026-11-26T18:12:00.000Z'
const by = { merchantId, today, at } as const
const owner = { merchantId, clientId }
const { details } = samplePayloads.ClientAdded
const added: ClientEvent = { type: 'ClientAdded', data: { ...owner, details } }
const credit = {
  type: 'CreditAdded',
  data: {
    ...owner,
    creditId: 'credit_1',
    currency: 'usd',
    amount: 5_000,
    date: '2026-11-25',
    receivableId,
    paymentId: 'payment_1',
  },
} as const satisfies ClientEvent
const apply = (applicationId: string, amount: number, currency = 'usd') =>
  ({
    type: 'apply-credit',
    creditId: 'credit_1',
    applicationId,
    receivableId,
    currency,
    amount,
    ...by,
  }) as const
const refusedAs = (kind: string, more: object = {}) => ({ refused: { kind, ...more } })

describe('a client', () => {
  const stream = given(clientDecider, added)
  const change = (basedOn: number) =>
    ({
      type: 'change-client',
      details: { ...details, email: 'new@postbox.example' },
      basedOn,
      ...by,
    }) as const

  it('is not changed by a form that showed older details', () => {
    expect(stream.when(change(0))).toMatchObject([{ type: 'ClientChanged' }])
    expect(stream.when(change(1))).toEqual(refusedAs('changed-meanwhile'))
  })

  it('of another merchant is not found, as one that does not exist', () => {
    const other = { ...change(0), merchantId: parseUserId('usr_other') }
    expect(stream.when(other)).toEqual(given(clientDecider).when(other))
  })

  it('gets no consent to texts without a phone number', () => {
    const noPhone: ClientEvent = {
      type: 'ClientAdded',
      data: { ...owner, details: { ...details, phone: null } },
    }
    const consent = { type: 'record-text-consent', source: 'Form', date: today, ...by } as const
    expect(given(clientDecider, noPhone).when(consent)).toEqual(refusedAs('no-phone'))
    expect(stream.when(consent)).toMatchObject([{ type: 'TextConsentRecorded' }])
  })

  it('that was erased is not changed any more, and its credits still count', () => {
    const erased = given(clientDecider, added, { type: 'ClientErased', data: owner })
    expect(erased.when(change(0))).toEqual(refusedAs('erased'))
    const { creditId, currency, amount, paymentId } = credit.data
    expect(
      erased.when({
        type: 'add-credit',
        creditId,
        currency,
        amount,
        paymentId,
        date: day(credit.data.date),
        receivableId,
        ...by,
      }),
    ).toEqual([credit])
  })
})

describe('a credit', () => {
  const stream = given(clientDecider, added, credit)

  it('pays its own currency, up to what is left', () => {
    expect(stream.when(apply('application_1', 5_000))).toMatchObject([{ type: 'CreditApplied' }])
    expect(stream.when(apply('application_1', 5_001))).toEqual(
      refusedAs('above-credit', { left: 5_000 }),
    )
    expect(stream.when(apply('application_1', 1, 'eur'))).toEqual(refusedAs('other-currency'))
  })

  it('that was used in part does not end with its payment', () => {
    const cancel: ClientCommand = {
      type: 'cancel-credit',
      creditId: 'credit_1',
      receivableId,
      paymentId: 'payment_1',
      why: 'returned',
      date: today,
      note: null,
      ...by,
    }
    expect(stream.when(cancel)).toMatchObject([{ type: 'CreditCanceled', data: { amount: 5_000 } }])
    const [applied] = stream.when(apply('application_1', 1)) as ClientEvent[]
    if (!applied) throw new Error('The credit was not applied.')
    expect(given(clientDecider, added, credit, applied).when(cancel)).toEqual(
      refusedAs('credit-used'),
    )
  })

  it('is never used for more than it had, in any order of acts', () => {
    const amounts = fc.integer({ min: 1, max: 6_000 })
    const ids = fc.constantFrom('1', '2', '3')
    const acts = fc.oneof(
      fc.tuple(ids, amounts).map(([id, amount]): ClientCommand => apply(id, amount)),
      fc.tuple(ids, amounts).map(([applicationId, amount]): ClientCommand => ({
        type: 'restore-credit',
        creditId: 'credit_1',
        applicationId,
        amount,
        why: 'not-needed',
        ...by,
      })),
      fc.tuple(ids, amounts).map(([returnId, amount]): ClientCommand => ({
        type: 'return-credit',
        creditId: 'credit_1',
        returnId,
        amount,
        date: today,
        method: 'check',
        note: null,
        ...by,
      })),
    )
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 20 }), (commands) => {
        const events: ClientEvent[] = [added, credit]
        for (const command of commands) {
          const decided = given(clientDecider, ...events).when(command)
          if (!('refused' in decided)) events.push(...(decided as ClientEvent[]))
        }
        const sum = (type: ClientEvent['type']) =>
          events.reduce(
            (total, event) =>
              event.type === type && 'amount' in event.data ? total + event.data.amount : total,
            0,
          )
        const used = sum('CreditApplied') - sum('CreditRestored') + sum('CreditReturned')
        const { state } = given(clientDecider, ...events)
        if (state.kind !== 'added') throw new Error('There is no client.')
        expect(used).toBeLessThanOrEqual(5_000)
        expect(state.credits.get('credit_1')?.left).toBe(5_000 - used)
      }),
    )
  })
})

describe('a client whose merchant is erased while it is added', () => {
  const erase = { type: 'erase-reserved-client', clientId, ...by } as const
  const add = { type: 'add-client', clientId, details, ...by } as const
  const erased = { type: 'ClientErased', data: owner } as const

  it('is erased if it was added before', () => {
    expect(given(clientDecider, added).when(erase)).toEqual([erased])
    expect(given(clientDecider, added, erased).when(erase)).toEqual([])
  })

  it('is never added if its erasure came before', () => {
    const stream = given(clientDecider)
    expect(stream.when(erase)).toEqual([erased])
    expect(given(clientDecider, erased).when(erase)).toEqual([])
    expect(given(clientDecider, erased).when(add)).toEqual(refusedAs('erased'))
    expect(given(clientDecider, erased).when(apply('application_1', 1))).toEqual(
      refusedAs('not-found'),
    )
  })

  it('of another merchant stays', () => {
    const other = { ...erase, merchantId: parseUserId('usr_other') }
    expect(given(clientDecider, added).when(other)).toEqual(refusedAs('not-found'))
  })
})
