import type { Channel, Tone } from '../events/message-parts.ts'

/*
 * When a schedule is one that the product can follow. The page and the decider ask the same
 * function, so that a draft is refused before it is sent, with the same sentence.
 */

export const scheduleLimits = {
  steps: 20,
  firstOffset: -60,
  lastOffset: 365,
  /** Days between two repetitions of the last step. */
  shortestRepeat: 1,
  longestRepeat: 365,
  messagesPerWeek: 7,
  daysOff: 200,
} as const

/** `HH:MM`, each quarter of an hour. E-mails go out until 18:00, so a later time has no room. */
export const sendingTimes: readonly string[] = Array.from({ length: 17 * 4 + 1 }, (_, quarter) => {
  const [hour, minute] = [Math.floor(quarter / 4), (quarter % 4) * 15]
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
})

export interface CheckedSchedule {
  readonly steps: readonly {
    readonly stepId: string
    readonly offset: number
    readonly channel: Channel
    readonly tone: Tone
  }[]
  readonly repeatLastEvery: number | null
  readonly sendingDays: readonly number[]
  readonly daysOff: readonly string[]
  readonly sendingTime: string
  readonly messagesPerWeek: number
}

/** What is wrong, and what to do. */
export const scheduleProblems = {
  'no-step':
    'The schedule has no step. Keep one at least, or turn reminders off if nothing should go out.',
  'too-many-steps': `A schedule has ${scheduleLimits.steps} steps at most. Remove one before you add another one.`,
  'step-out-of-range': `A step is ${-scheduleLimits.firstOffset} days before the due date at the earliest, and ${scheduleLimits.lastOffset} days after it at the latest.`,
  'same-step': 'Two steps have the same day, channel and tone. Change one of them, or remove it.',
  'no-sending-day': 'No day of the week is a sending day. Choose one at least.',
  'wrong-sending-time':
    'Reminders begin between 12:00 AM and 5:00 PM, at a quarter of an hour. Choose such a time.',
  'wrong-weekly-limit': `A client gets 1 to ${scheduleLimits.messagesPerWeek} messages in 7 days. Enter a number in between.`,
  'wrong-repeat': `The last step is repeated every ${scheduleLimits.shortestRepeat} to ${scheduleLimits.longestRepeat} days. Enter a number in between, or do not repeat it.`,
  'too-many-days-off': `A schedule has ${scheduleLimits.daysOff} days off at most. Remove some that have passed.`,
} as const

export type ScheduleProblem = keyof typeof scheduleProblems

const isWholeWithin = (value: number, min: number, max: number) =>
  Number.isInteger(value) && value >= min && value <= max

/** The first problem. Null if there is none. A tone may get weaker from a step to the next one. */
export function problemOfSchedule(schedule: CheckedSchedule): ScheduleProblem | null {
  const { steps, repeatLastEvery, sendingDays, daysOff, sendingTime, messagesPerWeek } = schedule
  const { firstOffset, lastOffset, shortestRepeat, longestRepeat } = scheduleLimits
  if (steps.length === 0) return 'no-step'
  if (steps.length > scheduleLimits.steps) return 'too-many-steps'
  if (steps.some(({ offset }) => !isWholeWithin(offset, firstOffset, lastOffset)))
    return 'step-out-of-range'
  const kinds = steps.map(({ offset, channel, tone }) => `${offset} ${channel} ${tone}`)
  const ids = steps.map(({ stepId }) => stepId)
  if (new Set(kinds).size < steps.length || new Set(ids).size < steps.length) return 'same-step'
  if (sendingDays.length === 0 || !sendingDays.every((day) => isWholeWithin(day, 1, 7)))
    return 'no-sending-day'
  if (!sendingTimes.includes(sendingTime)) return 'wrong-sending-time'
  if (!isWholeWithin(messagesPerWeek, 1, scheduleLimits.messagesPerWeek))
    return 'wrong-weekly-limit'
  if (repeatLastEvery !== null && !isWholeWithin(repeatLastEvery, shortestRepeat, longestRepeat))
    return 'wrong-repeat'
  return daysOff.length > scheduleLimits.daysOff ? 'too-many-days-off' : null
}
