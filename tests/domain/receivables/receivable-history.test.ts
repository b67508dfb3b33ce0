import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { receivableEvents, type ReceivableEvent } from '#contracts/events/receivable'
import { addDays, type Day } from '#services/finance/calendar'
import { openOn } from '#services/receivables/movements'
import { receivableDecider } from '#services/receivables/receivable-decider'
import { movementsOf, openOf, type ReceivableState } from '#services/receivables/receivable-state'
import {
  anyAddition,
  anyReceivableCommand,
  day,
  firstDay,
} from '../../support/receivables/arbitrary-receivable-commands.ts'
import { keptByModel, openByModel } from '../../support/receivables/receivable-model.ts'

type Look = (state: ReceivableState, events: readonly ReceivableEvent[]) => void

/**
 * Days pass, and commands of every kind come, refused ones too. `look` sees each state. The same
 * command again records nothing.
 */
function live(any: fc.GeneratorValue, look: Look): void {
  let today = firstDay
  let state = receivableDecider.initialState
  const events: ReceivableEvent[] = []
  const steps = any(fc.integer, { min: 1, max: 25 })
  for (let step = 0; step < steps; step += 1) {
    today = addDays(today, any(fc.integer, { min: 0, max: 9 }))
    const command =
      state.kind === 'none'
        ? any(anyAddition, today)
        : any(anyReceivableCommand, today, openOf(state))
    const decision = receivableDecider.decide(command, state)
    if (decision.kind === 'refused') continue
    for (const { type, data } of decision.events) {
      const event = { type, data } as ReceivableEvent
      events.push(event)
      state = receivableDecider.evolve(state, event)
    }
    look(state, events)
    const again = receivableDecider.decide(command, state)
    expect(again.kind === 'accepted' ? again.events : []).toEqual([])
  }
}

const everyLife = (look: Look, numRuns = 600) =>
  fc.assert(
    fc.property(fc.gen(), (any) => live(any, look)),
    { numRuns },
  )

/** The days on which something changes, and the days beside them. */
function daysOf(events: readonly ReceivableEvent[]): readonly Day[] {
  const texts = events.flatMap(({ data }) => [
    ...('date' in data ? [data.date] : []),
    ...('since' in data ? [data.since] : []),
  ])
  const days = [...new Set(texts)].map(day)
  return days.flatMap((each) => [addDays(each, -1), each, addDays(each, 1)])
}

const zip = (days: readonly Day[], amounts: readonly number[]) =>
  days.map((each, index) => [each, amounts[index]])

describe('in any life of a receivable', () => {
  it('what is open on each day is what the plain model says, and is never below zero', () => {
    everyLife((state, events) => {
      if (state.kind === 'none') return
      const movements = movementsOf(state)
      const days = daysOf(events)
      const open = days.map((each) => openOn(movements, each))
      const byModel = days.map((each) => openByModel(events, each))
      expect(zip(days, open)).toEqual(zip(days, byModel))
      expect(Math.min(...open)).toBeGreaterThanOrEqual(0)
    })
  })

  it('an ended one has nothing open, and a reopened one has what it had', () => {
    everyLife((state, events) => {
      if (state.kind === 'none') return
      if (state.ended !== null) expect(openOf(state)).toBe(0)
      const last = events.at(-1)
      if (last?.type === 'ReceivableReopened') expect(openOf(state)).toBe(last.data.amount)
    })
  })

  it('a payment is applied once, and never gives more back than came', () => {
    everyLife((_state, events) => {
      const recorded = events.flatMap(({ type, data }) =>
        type === 'PaymentRecorded' ? [data.paymentId] : [],
      )
      const reversals = events.flatMap(({ type, data }) =>
        type === 'PaymentReversed' ? [`${data.paymentId} ${data.reversalId}`] : [],
      )
      expect(new Set(recorded).size).toBe(recorded.length)
      expect(new Set(reversals).size).toBe(reversals.length)
      for (const paymentId of recorded)
        expect(Math.min(...keptByModel(events, paymentId))).toBeGreaterThanOrEqual(0)
    })
  })
})

describe('the lives of this test', () => {
  it('contain every event type of a receivable', () => {
    const seen = new Set<string>()
    everyLife((_state, events) => {
      for (const { type } of events) seen.add(type)
    }, 1_000)
    // An undo takes the receivable away: `import-row.test.ts`.
    const { ReceivableWithdrawn: _withdrawn, ...others } = receivableEvents
    expect([...seen].sort()).toEqual(Object.keys(others).sort())
  })
})
