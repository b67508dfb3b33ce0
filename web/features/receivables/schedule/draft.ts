import { problemOfSchedule, scheduleLimits } from '#contracts/receivables/schedule-rules'
import type { ScheduleResponse } from '#contracts/receivables/schedule'
import { countOf } from '../shared/days.ts'

export type DraftStep = Omit<ScheduleResponse['schedule']['steps'][number], 'since'>
export interface DraftSchedule extends Omit<ScheduleResponse['schedule'], 'steps'> {
  readonly steps: readonly DraftStep[]
}

/** What the page shows and would save. `base`: what was saved when the first change was made. */
export interface Draft {
  readonly base: ScheduleResponse
  readonly schedule: DraftSchedule
  readonly timeZone: string
}

export const savedDraft = (base: ScheduleResponse): Draft => ({
  base,
  schedule: base.schedule,
  timeZone: base.timeZone,
})

/** How an unsaved step differs from the saved ones. Null: it does not. */
export function changeOf({ base }: Draft, step: DraftStep): 'added' | 'changed' | null {
  const saved = base.schedule.steps.find(({ stepId }) => stepId === step.stepId)
  if (saved === undefined) return 'added'
  return isSameStep(saved, step) ? null : 'changed'
}

const isSameStep = (a: DraftStep, b: DraftStep) =>
  a.offset === b.offset &&
  a.channel === b.channel &&
  a.tone === b.tone &&
  a.includesPast === b.includesPast

/** A step with a new day does not concern the invoices that are past it, unless it is ticked. */
export const hasNewDay = ({ base }: Draft, step: DraftStep) =>
  base.schedule.steps.every(
    ({ stepId, offset }) => stepId !== step.stepId || offset !== step.offset,
  )

/** `1 step added, 2 settings changed`. Empty: nothing is unsaved. */
export function unsavedWords(draft: Draft): string {
  const { base, schedule, timeZone } = draft
  const changes = schedule.steps.map((step) => changeOf(draft, step))
  const added = changes.filter((change) => change === 'added').length
  const changed = changes.filter((change) => change === 'changed').length
  const removed = base.schedule.steps.length - (schedule.steps.length - added)
  const text = (value: unknown) => JSON.stringify(value)
  const settings = [
    base.schedule.repeatLastEvery !== schedule.repeatLastEvery,
    text(base.schedule.sendingDays) !== text(schedule.sendingDays),
    text(base.schedule.daysOff) !== text(schedule.daysOff),
    base.schedule.sendingTime !== schedule.sendingTime,
    base.schedule.messagesPerWeek !== schedule.messagesPerWeek,
    base.schedule.thanks !== schedule.thanks,
    base.timeZone !== timeZone,
  ].filter(Boolean).length
  return [
    added > 0 && `${countOf(added, 'step')} added`,
    changed > 0 && `${countOf(changed, 'step')} changed`,
    removed > 0 && `${countOf(removed, 'step')} removed`,
    settings > 0 && `${countOf(settings, 'setting')} changed`,
  ]
    .filter((words) => words !== false)
    .join(', ')
}

export const problemOf = ({ schedule }: Draft) => problemOfSchedule(schedule)

const { firstOffset, lastOffset } = scheduleLimits
export const clampOffset = (offset: number) =>
  Math.min(lastOffset, Math.max(firstOffset, Math.round(offset)))

/** With some parts of a step changed. Another day takes the tick for past invoices away. */
export function withStep(draft: Draft, stepId: string, parts: Partial<DraftStep>): Draft {
  const steps = draft.schedule.steps.map((step) => {
    if (step.stepId !== stepId) return step
    const moved = parts.offset !== undefined && parts.offset !== step.offset
    return { ...step, ...(moved ? { includesPast: false } : {}), ...parts }
  })
  return { ...draft, schedule: { ...draft.schedule, steps } }
}

/** A step 15 days after the last one, which is repeated in its tone. */
export function withNewStep(draft: Draft, stepId: string): Draft {
  const last = inOrder(draft.schedule.steps).at(-1)
  const offset = clampOffset((last?.offset ?? -15) + 15)
  const step: DraftStep = {
    stepId,
    offset,
    channel: 'mail',
    tone: last?.tone ?? 'friendly',
    includesPast: false,
  }
  return { ...draft, schedule: { ...draft.schedule, steps: [...draft.schedule.steps, step] } }
}

export function withoutStep(draft: Draft, stepId: string): Draft {
  const steps = draft.schedule.steps.filter((step) => step.stepId !== stepId)
  return { ...draft, schedule: { ...draft.schedule, steps } }
}

export const inOrder = (steps: readonly DraftStep[]) =>
  steps.toSorted((a, b) => a.offset - b.offset)

/** The schedule as calls of the API take it. */
export const wantedOf = ({ schedule }: Draft) => ({
  ...schedule,
  steps: schedule.steps.map(({ stepId, offset, channel, tone, includesPast }) => ({
    stepId,
    offset,
    channel,
    tone,
    includesPast,
  })),
})
