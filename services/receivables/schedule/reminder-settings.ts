import type { MerchantEvent } from '#contracts/events/merchant'
import type { Instant } from '#contracts/instant'
import { problemOfSchedule, type ScheduleProblem } from '#contracts/receivables/schedule-rules'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import {
  accepted,
  refused,
  unreachable,
  type Decided,
  type Decision,
} from '#services/foundation/decider'
import {
  defaultLimits,
  defaultSchedule,
  type Schedule,
  type ScheduledStep,
  type SendingLimits,
} from './schedule.ts'

/** How a merchant reminds its clients, and what an administrator allows it. */
export interface ReminderSettings {
  readonly schedule: Schedule
  /** Null: the zone of the state in the company profile. */
  readonly timeZone: TimeZone | null
  /** Counts the changes of both, so that two tabs do not overwrite each other. */
  readonly version: number
  readonly isOn: boolean
  /** An administrator's reason. Null: the merchant may send. */
  readonly stoppedBecause: string | null
  readonly limits: SendingLimits
}

export const initialReminderSettings: ReminderSettings = {
  schedule: defaultSchedule,
  timeZone: null,
  version: 0,
  isOn: false,
  stoppedBecause: null,
  limits: defaultLimits,
}

/** A schedule that a merchant wants. When its steps were added follows from what is known. */
export interface WantedSchedule extends Omit<Schedule, 'steps'> {
  readonly steps: readonly Omit<ScheduledStep, 'since'>[]
}

export type ReminderCommand =
  | {
      readonly type: 'change-schedule'
      readonly schedule: WantedSchedule
      /** Null: it stays as it is. */
      readonly timeZone: TimeZone | null
      /** The version that the form showed. */
      readonly basedOn: number
      readonly at: Instant
    }
  | { readonly type: 'turn-reminders-on'; readonly at: Instant }
  | { readonly type: 'turn-reminders-off'; readonly at: Instant }
  | { readonly type: 'stop-sending'; readonly reason: string; readonly at: Instant }
  | { readonly type: 'allow-sending'; readonly at: Instant }
  | { readonly type: 'set-sending-limits'; readonly limits: SendingLimits; readonly at: Instant }

export type ReminderRefusal = ScheduleProblem | 'changed-meanwhile'

type ReminderEvent = Extract<
  MerchantEvent,
  {
    readonly type:
      | 'TimeZoneChosen'
      | 'ScheduleChanged'
      | 'RemindersTurnedOn'
      | 'RemindersTurnedOff'
      | 'SendingStopped'
      | 'SendingAllowed'
      | 'SendingLimitsSet'
  }
>

export function evolveReminders(
  settings: ReminderSettings,
  event: ReminderEvent,
): ReminderSettings {
  const version = settings.version + 1
  switch (event.type) {
    case 'TimeZoneChosen':
      return { ...settings, timeZone: parseTimeZone(event.data.timeZone), version }
    case 'ScheduleChanged':
      return { ...settings, schedule: event.data, version }
    case 'RemindersTurnedOn':
      return { ...settings, isOn: true }
    case 'RemindersTurnedOff':
      return { ...settings, isOn: false }
    case 'SendingStopped':
      return { ...settings, stoppedBecause: event.data.reason }
    case 'SendingAllowed':
      return { ...settings, stoppedBecause: null }
    case 'SendingLimitsSet':
      return { ...settings, limits: event.data }
    default:
      return unreachable(event)
  }
}

/** The caller has refused the commands of an erased account. */
export function decideReminders(
  command: ReminderCommand,
  settings: ReminderSettings,
): Decision<ReminderEvent, ReminderRefusal> {
  const occurredAt = command.at
  switch (command.type) {
    case 'change-schedule':
      return changeSchedule(command, settings)
    case 'turn-reminders-on':
      if (settings.isOn) return accepted()
      return accepted({ type: 'RemindersTurnedOn', data: {}, occurredAt })
    case 'turn-reminders-off':
      if (!settings.isOn) return accepted()
      return accepted({ type: 'RemindersTurnedOff', data: {}, occurredAt })
    case 'stop-sending':
      if (settings.stoppedBecause === command.reason) return accepted()
      return accepted({ type: 'SendingStopped', data: { reason: command.reason }, occurredAt })
    case 'allow-sending':
      if (settings.stoppedBecause === null) return accepted()
      return accepted({ type: 'SendingAllowed', data: {}, occurredAt })
    case 'set-sending-limits': {
      const { firstWeek, later } = command.limits
      if (firstWeek === settings.limits.firstWeek && later === settings.limits.later)
        return accepted()
      return accepted({ type: 'SendingLimitsSet', data: { firstWeek, later }, occurredAt })
    }
    default:
      return unreachable(command)
  }
}

type ChangeSchedule = Extract<ReminderCommand, { readonly type: 'change-schedule' }>

function changeSchedule(
  { schedule: wanted, timeZone, basedOn, at }: ChangeSchedule,
  settings: ReminderSettings,
): Decision<ReminderEvent, ReminderRefusal> {
  const problem = problemOfSchedule(wanted)
  if (problem !== null) return refused(problem)
  const { schedule, isEqual } = scheduleFrom(wanted, settings.schedule, at)
  const events: readonly Decided<ReminderEvent>[] = [
    ...(isEqual ? [] : [{ type: 'ScheduleChanged', data: schedule, occurredAt: at } as const]),
    ...(timeZone === null || timeZone === settings.timeZone
      ? []
      : [{ type: 'TimeZoneChosen', data: { timeZone }, occurredAt: at } as const]),
  ]
  // A repeat of a change that was recorded has an older version, and changes nothing.
  if (events.length > 0 && basedOn !== settings.version) return refused('changed-meanwhile')
  return accepted(...events)
}

/** The schedule that a wanted one becomes, and whether it is the known one. */
export function scheduleFrom(
  wanted: WantedSchedule,
  known: Schedule,
  at: Instant,
): { readonly schedule: Schedule; readonly isEqual: boolean } {
  const schedule = ordered({ ...wanted, steps: dated(wanted.steps, known.steps, at) })
  return { schedule, isEqual: JSON.stringify(schedule) === JSON.stringify(ordered(known)) }
}

/** A step with another day counts as added now: it concerns no receivable past the new day. */
function dated(
  wanted: WantedSchedule['steps'],
  known: readonly ScheduledStep[],
  at: Instant,
): readonly ScheduledStep[] {
  return wanted.map((step) => {
    const same = known.find(({ stepId }) => stepId === step.stepId)
    return { ...step, since: same?.offset === step.offset ? same.since : at }
  })
}

/** In one order of steps, days and fields, so that equal schedules have equal texts. */
function ordered(
  schedule: Omit<Schedule, 'steps'> & { steps: readonly ScheduledStep[] },
): Schedule {
  return {
    steps: schedule.steps
      .map(({ stepId, offset, channel, tone, since, includesPast }) => ({
        stepId,
        offset,
        channel,
        tone,
        since,
        includesPast,
      }))
      .toSorted((a, b) => a.offset - b.offset || (a.stepId < b.stepId ? -1 : 1)),
    repeatLastEvery: schedule.repeatLastEvery,
    sendingDays: [...new Set(schedule.sendingDays)].toSorted((a, b) => a - b),
    daysOff: [...new Set(schedule.daysOff)].toSorted(),
    sendingTime: schedule.sendingTime,
    messagesPerWeek: schedule.messagesPerWeek,
    thanks: schedule.thanks,
  }
}
