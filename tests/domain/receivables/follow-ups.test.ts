import { expect, it } from '@jest/globals'
import { canBeFollowed, followed, followUpOf } from '#services/receivables/follow-ups'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

type Followed = Parameters<typeof followUpOf>[0]

it('an event without a follow-up needs no reactor, and each other one does', () => {
  const outcomes = [...followed.folds].flatMap((type) =>
    [0, 1].map((amount) => {
      const data = { ...samplePayloads[type], surplus: amount, notApplied: amount }
      const needs = canBeFollowed({ type, data })
      expect([type, amount, needs]).toEqual([
        type,
        amount,
        followUpOf({ type, data, occurredAt: '' } as unknown as Followed) !== null,
      ])
      return needs
    }),
  )
  expect(new Set(outcomes)).toEqual(new Set([true, false]))
})

it('a damaged event is followed, so that its failure shows', () => {
  expect(canBeFollowed({ type: 'PaymentRecorded', data: {} })).toBe(true)
})
