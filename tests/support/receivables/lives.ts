import fc from 'fast-check'
import type { ReceivableEvent } from '#contracts/events/receivable'
import { addDays, type Day } from '#services/finance/calendar'
import { receivableDecider } from '#services/receivables/receivable-decider'
import { openOf } from '#services/receivables/receivable-state'
import {
  anyAddition,
  anyReceivableCommand,
  day,
  firstDay,
} from './arbitrary-receivable-commands.ts'

/** The events of a life by chance, in which days pass and refused commands come, too. */
export function lifeOf(any: fc.GeneratorValue): readonly ReceivableEvent[] {
  return datedLifeOf(any).map(({ event }) => event)
}

/** An event, and the merchant's day of its recording. */
export interface DatedEvent {
  readonly event: ReceivableEvent
  readonly today: Day
}

export function datedLifeOf(
  any: fc.GeneratorValue,
  anyCommand = anyReceivableCommand,
  minSteps = 1,
): readonly DatedEvent[] {
  let today = firstDay
  let state = receivableDecider.initialState
  const events: DatedEvent[] = []
  const steps = any(fc.integer, { min: minSteps, max: 25 })
  for (let step = 0; step < steps; step += 1) {
    today = addDays(today, any(fc.integer, { min: 0, max: 9 }))
    const command =
      state.kind === 'none' ? any(anyAddition, today) : any(anyCommand, today, openOf(state))
    const decision = receivableDecider.decide(command, state)
    if (decision.kind === 'refused') continue
    for (const { type, data } of decision.events) {
      const event = { type, data } as ReceivableEvent
      events.push({ event, today })
      state = receivableDecider.evolve(state, event)
    }
  }
  return events
}

/** The days on which something changes, and the days beside them. */
export function daysOf(events: readonly ReceivableEvent[]): readonly Day[] {
  const texts = events.flatMap(({ data }) => [
    ...('date' in data ? [data.date] : []),
    ...('since' in data ? [data.since] : []),
  ])
  const days = [...new Set(texts)].map(day)
  return [...new Set(days.flatMap((each) => [addDays(each, -1), each, addDays(each, 1)]))]
}
