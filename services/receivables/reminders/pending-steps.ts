import type { Instant } from '#contracts/instant'
import { addDays, daysBetween } from '#services/finance/calendar'
import type { LocalTime } from './local-time.ts'
import type { RemindedClient, RemindedReceivable } from './reminded.ts'
import { stepKey, type DueStep, type ReminderState } from './reminder-state.ts'
import { lastStepOf, type Schedule, type Step } from './schedule.ts'
import type { SendingTimes } from './sending-times.ts'

/** Why a step is open, and what it waits for. */
type Waiting = 'payment' | 'hold' | 'client-hold' | 'promise' | 'dispute'

/** From when on a step that a pause or a late start kept back may go out, and what kept it back. */
interface Start {
  readonly at: Instant
  readonly why:
    | 'reminders-off'
    | 'added-later'
    | 'reopened'
    | 'payment'
    | 'hold'
    | 'promise'
    | 'dispute'
}

/** A step of a receivable that has not ended. */
export interface PendingStep extends DueStep {
  /** The sending hour of its day. */
  readonly dueAt: Instant
  /** What kept it back until after `dueAt`. Null: nothing. */
  readonly late: Start | null
  /** The first sending hour at which it may go out. Null: it waits, or no sending day comes. */
  readonly from: Instant | null
  readonly waitsFor: Waiting | null
}

/**
 * The steps of a receivable that are owed and have not ended, in the order of their days.
 * `sendingSince` is when the merchant's messages could go out.
 */
export function pendingSteps(
  receivable: RemindedReceivable,
  {
    schedule,
    sendingSince,
    merchantTime,
    client,
    times,
    state,
    at,
  }: {
    readonly schedule: Schedule
    readonly sendingSince: Instant
    readonly merchantTime: LocalTime
    readonly client: Pick<RemindedClient, 'hold' | 'releasedAt'>
    readonly times: SendingTimes
    readonly state: ReminderState
    readonly at: Instant
  },
): readonly PendingStep[] {
  const pauses = pausesOf(receivable, client, merchantTime)
  const waiting = pauses.find(({ until }) => until === null || until > at)
  const starts: readonly Start[] = [
    { at: sendingSince, why: 'reminders-off' },
    { at: receivable.addedAt, why: 'added-later' },
    ...(receivable.reopened === null
      ? []
      : [{ at: receivable.reopened.at, why: 'reopened' as const }]),
    ...pauses.flatMap(({ until, kind }): readonly Start[] =>
      until === null ? [] : [{ at: until, why: kind === 'client-hold' ? 'hold' : kind }],
    ),
    ...(receivable.resumed === null
      ? []
      : [{ at: receivable.resumed.at, why: receivable.resumed.after }]),
    ...(receivable.payingUntil === null
      ? []
      : [{ at: receivable.payingUntil, why: 'payment' as const }]),
    ...(client.releasedAt === null ? [] : [{ at: client.releasedAt, why: 'hold' as const }]),
  ]
  return openSteps(receivable, schedule, times, state).map((step) => {
    const dueAt = times.sendingHourOf(step.dueDay)
    const late = latest(starts.filter((start) => start.at > dueAt))
    const isForever = waiting !== undefined && waiting.until === null
    return {
      ...step,
      dueAt,
      late,
      from: isForever ? null : times.nextSendingHour(late?.at ?? dueAt),
      waitsFor: waiting?.kind ?? null,
    }
  })
}

interface Pause {
  readonly kind: Waiting
  /** Null: until a person ends it, or the payment arrives or fails. */
  readonly until: Instant | null
}

/** The pauses that nothing has ended: some are over by themselves. The longest one is first. */
function pausesOf(
  { hold, promisedBy, isDisputed, isPaying }: RemindedReceivable,
  client: Pick<RemindedClient, 'hold'>,
  { instantOf }: LocalTime,
): readonly Pause[] {
  const untilOf = ({ until }: { readonly until: RemindedReceivable['promisedBy'] }) =>
    until === null ? null : instantOf(until, '00:00')
  const pauses: readonly Pause[] = [
    ...(isPaying ? [{ kind: 'payment' as const, until: null }] : []),
    ...(isDisputed ? [{ kind: 'dispute' as const, until: null }] : []),
    ...(hold === null ? [] : [{ kind: 'hold' as const, until: untilOf(hold) }]),
    ...(client.hold === null
      ? []
      : [{ kind: 'client-hold' as const, until: untilOf(client.hold) }]),
    ...(promisedBy === null
      ? []
      : [{ kind: 'promise' as const, until: instantOf(addDays(promisedBy, 1), '00:00') }]),
  ]
  return pauses.toSorted((a, b) => (a.until === b.until ? 0 : comparedEnds(a.until, b.until)))
}

function comparedEnds(a: Instant | null, b: Instant | null): number {
  if (a === null) return -1
  if (b === null) return 1
  return a > b ? -1 : 1
}

function latest(starts: readonly Start[]): Start | null {
  return starts.reduce<Start | null>(
    (last, start) => (last === null || start.at > last.at ? start : last),
    null,
  )
}

/** The steps that have not ended, and the next repetition of the last one. */
function openSteps(
  receivable: RemindedReceivable,
  schedule: Schedule,
  times: SendingTimes,
  state: ReminderState,
): readonly DueStep[] {
  const steps = schedule.steps
    .map((step) => dueStep(receivable, step, 0, addDays(receivable.dueDate, step.offset)))
    .filter((step) => !state.ended.has(stepKey(step)))
    .filter((step) => concerns(schedule.steps, step, receivable, times))
  const repetition = nextRepetition(receivable, schedule, state)
  return [...steps, ...(repetition === null ? [] : [repetition])].toSorted((a, b) =>
    daysBetween(b.dueDay, a.dueDay),
  )
}

/**
 * A step that was added when a receivable was past its day does not concern the receivable, unless
 * the merchant said so.
 */
function concerns(
  steps: readonly Step[],
  { stepId, dueDay }: DueStep,
  { addedAt }: RemindedReceivable,
  times: SendingTimes,
): boolean {
  const step = steps.find((each) => each.stepId === stepId)
  if (step === undefined || step.includesPast || addedAt >= step.since) return true
  return dueDay >= times.dayOf(step.since)
}

/** Its day is `repeatLastEvery` days after the last step, or its last repetition, ended. */
function nextRepetition(
  receivable: RemindedReceivable,
  schedule: Schedule,
  state: ReminderState,
): DueStep | null {
  const last = lastStepOf(schedule)
  if (schedule.repeatLastEvery === null || last === undefined) return null
  const { receivableId } = receivable
  const endOf = (repetition: number) =>
    state.ended.get(stepKey({ receivableId, stepId: last.stepId, repetition }))
  let before = endOf(0)
  let repetition = 1
  for (let end = endOf(1); end !== undefined; end = endOf(repetition)) {
    before = end
    repetition += 1
  }
  if (before === undefined) return null
  const dueDay = addDays(before.day, schedule.repeatLastEvery)
  return dueStep(receivable, last, repetition, dueDay)
}

function dueStep(
  { receivableId }: RemindedReceivable,
  { stepId, offset, channel, tone }: Step,
  repetition: number,
  dueDay: DueStep['dueDay'],
): DueStep {
  return { receivableId, stepId, repetition, offset, channel, tone, dueDay }
}
