import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { ReceivableEvent } from '#contracts/events/receivable'
import { foldReceivable, type Receivable } from '#projections/receivables/fold-receivable'
import { daySumsOf } from '#projections/receivables/day-sums'
import { dueDaysOf, openOf, settledOn } from '#projections/receivables/receivable-history'
import type { Day } from '#services/finance/calendar'
import { recorded } from '../../support/data/events.ts'
import { daysOf, lifeOf } from '../../support/receivables/lives.ts'
import {
  collectedByModel,
  dueDateByModel,
  openByModel,
} from '../../support/receivables/receivable-model.ts'

function fold(events: readonly ReceivableEvent[]): Receivable | undefined {
  return events.reduce<Receivable | undefined>((before, event, index) => {
    const at: RecordedEvent<ReceivableEvent> = recorded('receivable-1', event, { revision: index })
    return foldReceivable(before, { ...at, number: index + 1 })
  }, undefined)
}

const everyLife = (look: (receivable: Receivable, events: readonly ReceivableEvent[]) => void) =>
  fc.assert(
    fc.property(fc.gen(), (any) => {
      const events = lifeOf(any)
      const receivable = fold(events)
      if (receivable !== undefined) look(receivable, events)
    }),
    { numRuns: 200 },
  )

describe('in any life of a receivable', () => {
  it('the aging of each day has what the plain model says is open, at the due date of that day', () => {
    everyLife(({ history }, events) => {
      const dueDays = dueDaysOf(history)
      const agings = daysOf(events).map((each) => {
        const aging = new Map<string, { amount: number; count: number }>()
        for (const { due, day: from, amount, count } of dueDays) {
          if (from > each) continue
          const known = aging.get(due) ?? { amount: 0, count: 0 }
          aging.set(due, { amount: known.amount + amount, count: known.count + count })
        }
        const found = [...aging].filter(([, { amount, count }]) => amount !== 0 || count !== 0)
        return { day: each, aging: found }
      })
      expect(agings).toEqual(
        daysOf(events).map((each) => {
          const open = openByModel(events, each)
          const due = dueDateByModel(events, each)
          return { day: each, aging: open === 0 ? [] : [[due, { amount: open, count: 1 }]] }
        }),
      )
    })
  })

  it('what was collected up to each day is what the plain model says', () => {
    everyLife(({ history, issue_date, state }, events) => {
      const sums = daySumsOf(history, issue_date, state !== 'open' && state !== 'paid')
      const collectedUpTo = (each: Day) =>
        sums.filter((sum) => sum.day <= each).reduce((total, sum) => total + sum.collected, 0)
      const days = daysOf(events)
      expect(days.map(collectedUpTo)).toEqual(days.map((each) => collectedByModel(events, each)))
    })
  })

  it('one that is paid has nothing open from the day on which it was settled', () => {
    everyLife(({ history, state }, events) => {
      const settled = settledOn(history)
      expect(settled === null).toBe(openOf(history) !== 0)
      if (state === 'open') expect(openOf(history)).toBeGreaterThan(0)
      if (settled !== null) expect(openByModel(events, settled)).toBe(0)
    })
  })
})
