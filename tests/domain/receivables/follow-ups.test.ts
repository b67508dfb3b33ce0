import { expect, it } from '@jest/globals'
import type { DomainEvent } from '#contracts/events/catalogue'
import { canBeFollowed, followed, followUpsOf } from '#services/receivables/follow-ups'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

it('an event without a follow-up needs no reactor, and each other one does', () => {
  const outcomes = [...followed.folds].flatMap((type) =>
    [0, 1].map((amount) => {
      const data = { ...samplePayloads[type], surplus: amount, notApplied: amount }
      const needs = canBeFollowed({ type, data })
      const event = { type, data } as DomainEvent
      expect([type, amount, needs]).toEqual([
        type,
        amount,
        followed.isFolded(event) && followUpsOf(event).length > 0,
      ])
      return needs
    }),
  )
  expect(new Set(outcomes)).toEqual(new Set([true, false]))
})

it('a damaged event is followed, so that its failure shows', () => {
  expect(canBeFollowed({ type: 'PaymentRecorded', data: {} })).toBe(true)
})
