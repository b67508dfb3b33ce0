import type { Instant } from '#contracts/instant'
import { addDays, type Day } from '#services/finance/calendar'
import type { PendingStep } from './pending-steps.ts'
import { limitOn } from './limits.ts'
import type { RemindedParts } from './reminded.ts'
import type { ReminderState, StepDelay } from './reminder-state.ts'
import type { SendingTimes } from './sending-times.ts'

/**
 * Why a step that goes out at `at` did not go out at the sending hour of its day, in the order of
 * time. None: it is on time.
 */
export function delaysOf(
  step: PendingStep,
  {
    merchant,
    times,
    state,
    at,
  }: {
    readonly merchant: RemindedParts['merchant']
    readonly times: SendingTimes
    readonly state: ReminderState
    readonly at: Instant
  },
): readonly StepDelay[] {
  const { from, late, channel, dueAt } = step
  if (from === null || from > at) return []
  const start: readonly StepDelay[] = late === null ? [] : [{ kind: late.why }]
  const wished = times.dayOf(late?.at ?? dueAt)
  const closed: readonly StepDelay[] = times.isSendingDay(wished)
    ? []
    : [
        {
          kind: 'no-sending-day',
          day: wished,
          isDayOff: merchant.schedule.daysOff.has(wished),
        },
      ]
  return [...start, ...closed, ...waits()]

  /** From the first sending hour at which the step could go out, until now. */
  function waits(): readonly StepDelay[] {
    const today = times.dayOf(at)
    const kinds = new Map<StepDelay['kind'], StepDelay>()
    for (let day = times.dayOf(from ?? at); day < today; day = addDays(day, 1)) {
      if (!times.isSendingDay(day)) continue
      const why = waitOn(day)
      kinds.set(why.kind, why)
    }
    const chance = times.nextChance(channel, from ?? at)
    if (kinds.size === 0 && channel === 'text' && chance !== null && chance > (from ?? at))
      return [{ kind: 'text-hours' }]
    return [...kinds.values()]
  }

  function waitOn(day: Day): StepDelay {
    const limit = merchant.schedule.messagesPerWeek
    const earlier = { days: state.days.filter((each) => each <= day) }
    const why = limitOn(day, earlier, limit)
    if (why === 'week-limit') return { kind: 'week-limit', limit }
    if (why === 'one-a-day') return { kind: 'one-a-day' }
    const hour = times.sendingHourOf(day)
    const window = times.nextChance(channel, hour)
    const isShut = window === null || times.dayOf(window) > day
    if (merchant.isFull(isShut ? hour : window)) return { kind: 'merchant-limit' }
    return channel === 'text' && isShut ? { kind: 'text-hours' } : { kind: 'not-running' }
  }
}
