import type { Instant } from '#contracts/instant'
import { addDays, type Day } from '#services/finance/calendar'
import { delaysOf } from './delays.ts'
import { limitOn } from './limits.ts'
import { localTime } from './local-time.ts'
import { pendingSteps, type PendingStep } from './pending-steps.ts'
import type { RemindedParts } from './reminded.ts'
import type { DueStep, ReminderState, SkipReason, StepDelay } from './reminder-state.ts'
import { byStrength, type Channel, type Tone } from './schedule.ts'
import { sendingTimes, type SendingTimes } from './sending-times.ts'

/** A message to one client. `day`: of the client. */
export interface PlannedMessage {
  readonly day: Day
  readonly channel: Channel
  readonly tone: Tone
  readonly steps: readonly (DueStep & { readonly delays: readonly StepDelay[] })[]
  /** Steps that end because a later step of their receivable is in `steps`. */
  readonly replaced: readonly DueStep[]
}

export interface PlannedSkip {
  readonly steps: readonly DueStep[]
  readonly why: SkipReason
}

/** What happens to one client's steps at one time, if nothing else happens. */
export interface ClientPlan {
  /** The client's day. */
  readonly day: Day
  /** The message that is due at this time. */
  readonly message: PlannedMessage | null
  readonly skips: readonly PlannedSkip[]
  /** The next time at which something is due. Null: nothing comes. */
  readonly nextAt: Instant | null
  /** Steps that a payment on its way, a hold, promise or dispute keeps back. */
  readonly waiting: readonly PendingStep[]
}

/** A step is delivered on at most so many days of the client; then it ends as skipped. */
const maxRefusedDays = 3

/**
 * The rules of reminders for one client: what goes out at `at`, and when to look again. The same
 * function decides what is sent, and what the screens say will be sent. Pure.
 */
export function planClient(
  { merchant, client, receivables }: RemindedParts,
  state: ReminderState,
  at: Instant,
): ClientPlan {
  const { schedule, sendingSince } = merchant
  const times = sendingTimes(schedule, client)
  const day = times.dayOf(at)
  const nothing: ClientPlan = { day, message: null, skips: [], nextAt: null, waiting: [] }
  if (sendingSince === null || state.open !== null) return nothing
  const parts = {
    schedule,
    sendingSince,
    merchantTime: localTime(merchant.timeZone),
    client,
    times,
    state,
    at,
  }
  const owed = receivables.filter(({ settled }) => settled === null)
  const pending = owed.map((receivable) => ({
    receivable,
    ...withoutSettled(receivable, pendingSteps(receivable, parts)),
  }))
  const skips = pending.flatMap(({ skip }) => (skip === null ? [] : [skip]))
  const waiting = pending.flatMap(({ steps }) => steps.filter(({ waitsFor }) => waitsFor !== null))
  const coming = pending
    .flatMap(({ steps }) => steps)
    .flatMap(({ from }) => (from !== null && from > at ? [from] : []))
    .sort()[0]

  const due = pending.map(({ steps }) => latestOf(steps.filter((step) => isDue(step, at))))
  const latest = due.flatMap(({ latest }) => latest)
  const allReplaced = due.flatMap(({ replaced }) => replaced)
  if (latest.length === 0) return { ...nothing, skips, waiting, nextAt: coming ?? null }

  const steps = withoutFinalFirst(
    latest.map((step) => toldStep(step, { ...parts, merchant, at })),
    state,
  )
  const [strongest] = steps.toSorted((a, b) => byStrength(a.spoken, b.spoken))
  const replaced = allReplaced.filter(({ receivableId }) =>
    steps.some(({ step }) => step.receivableId === receivableId),
  )
  const channel = strongest === undefined ? null : usable(strongest.step.channel, client)
  if (strongest === undefined || channel === null)
    return {
      ...nothing,
      skips: [...skips, skipOf(client, [...latest, ...allReplaced])],
      waiting,
      nextAt: coming ?? null,
    }
  if (state.refusedDays.size >= maxRefusedDays)
    return {
      ...nothing,
      skips: [
        ...skips,
        {
          steps: [...latest, ...allReplaced].map(asDue),
          why: { kind: 'not-delivered', days: maxRefusedDays },
        },
      ],
      waiting,
      nextAt: coming ?? null,
    }
  const chance = nextPossible(channel, { ...parts, merchant })
  if (chance !== at) {
    const next = [chance, coming].filter((each) => each != null).sort()[0]
    return { ...nothing, skips, waiting, nextAt: next ?? null }
  }
  return {
    day,
    message: {
      day,
      channel,
      tone: strongest.spoken.tone,
      steps: steps.map(({ step, delays }) => ({
        ...asDue(step),
        delays: channel === 'text' ? delays : withoutTextHours(step, delays, { day, times }),
      })),
      replaced: replaced.map(asDue),
    },
    skips,
    waiting,
    nextAt: coming ?? null,
  }
}

type Owed = RemindedParts['receivables'][number]

/** Steps whose time came while nothing was owed end as skipped when the receivable is reopened. */
function withoutSettled(
  { reopened }: Owed,
  steps: readonly PendingStep[],
): { readonly steps: readonly PendingStep[]; readonly skip: PlannedSkip | null } {
  if (reopened === null) return { steps, skip: null }
  const missed = steps.filter(({ dueAt }) => dueAt >= reopened.settledAt && dueAt < reopened.at)
  if (missed.length === 0) return { steps, skip: null }
  return {
    steps: steps.filter((step) => !missed.includes(step)),
    skip: { steps: missed.map(asDue), why: { kind: reopened.was } },
  }
}

function isDue({ from, waitsFor }: PendingStep, at: Instant): boolean {
  return waitsFor === null && from !== null && from <= at
}

/** The latest day's steps of one receivable go out; the ones of earlier days are replaced. */
function latestOf(steps: readonly PendingStep[]): {
  readonly latest: readonly PendingStep[]
  readonly replaced: readonly PendingStep[]
} {
  const day = steps.at(-1)?.dueDay
  return {
    latest: steps.filter(({ dueDay }) => dueDay === day),
    replaced: steps.filter(({ dueDay }) => dueDay !== day),
  }
}

/**
 * What one message is about. A message in the final tone is about no receivable that the client has
 * not been told of: its step waits for the next message.
 */
function withoutFinalFirst(
  steps: readonly ToldStep[],
  { told }: Pick<ReminderState, 'told'>,
): readonly ToldStep[] {
  if (!steps.some(({ spoken }) => spoken.tone === 'final')) return steps
  return steps.filter(({ step }) => told.has(step.receivableId))
}

interface ToldStep {
  readonly step: PendingStep
  readonly delays: readonly StepDelay[]
  readonly spoken: { readonly tone: Tone; readonly channel: Channel }
}

/**
 * The step with its delays, and as the message says it: the first message about a receivable is
 * never in the final tone, and friendly if it comes late.
 */
function toldStep(
  step: PendingStep,
  parts: Parameters<typeof delaysOf>[1] & Pick<RemindedParts, 'client'>,
): ToldStep {
  // A step that goes by the other channel waits for the hours of that one.
  const goesBy = usable(step.channel, parts.client) ?? step.channel
  const delays = delaysOf({ ...step, channel: goesBy }, parts)
  const isFirst = !parts.state.told.has(step.receivableId)
  const isCatchUp = step.late !== null || delays.some(({ kind }) => kind === 'not-running')
  const { channel } = step
  const first: Tone = isCatchUp || step.tone === 'friendly' ? 'friendly' : 'firm'
  return { step, delays, spoken: { channel, tone: isFirst ? first : step.tone } }
}

/** A text whose day is today joined a mail, and so did not wait for the hours of texts. */
function withoutTextHours(
  { from }: PendingStep,
  delays: readonly StepDelay[],
  { day, times }: { readonly day: Day; readonly times: SendingTimes },
): readonly StepDelay[] {
  return from !== null && times.dayOf(from) === day
    ? delays.filter(({ kind }) => kind !== 'text-hours')
    : delays
}

/** The step's channel, else the other one. Null: neither can be used. */
function usable(channel: Channel, client: RemindedParts['client']): Channel | null {
  const other: Channel = channel === 'mail' ? 'text' : 'mail'
  if (client[channel] === null) return channel
  return client[other] === null ? other : null
}

function skipOf(
  { mail, text }: RemindedParts['client'],
  steps: readonly PendingStep[],
): PlannedSkip {
  if (mail === null || text === null)
    throw new Error(
      'A channel can be used, so no step is skipped for it. This is a bug; report it.',
    )
  return { steps: steps.map(asDue), why: { kind: 'no-channel', mail, text } }
}

function asDue(step: DueStep): DueStep {
  const { receivableId, stepId, repetition, offset, channel, tone, dueDay } = step
  return { receivableId, stepId, repetition, offset, channel, tone, dueDay }
}

/** Any wait ends within this many days, unless the schedule has no day left. */
export const longestWaitDays = 60

/** The first time from now on that no limit forbids. */
function nextPossible(
  channel: Channel,
  {
    at,
    times,
    state,
    schedule,
    merchant,
  }: {
    readonly at: Instant
    readonly times: SendingTimes
    readonly state: ReminderState
    readonly schedule: RemindedParts['merchant']['schedule']
    readonly merchant: RemindedParts['merchant']
  },
): Instant | null {
  const lastDay = addDays(times.dayOf(at), longestWaitDays)
  let from = at
  for (;;) {
    const chance = times.nextChance(channel, from)
    if (chance === null) return null
    const day = times.dayOf(chance)
    if (day > lastDay) return null
    const isPossible =
      limitOn(day, state, schedule.messagesPerWeek) === null && !merchant.isFull(chance)
    if (isPossible) return chance
    const hour = times.nextSendingHour(times.sendingHourOf(addDays(day, 1)))
    if (hour === null) return null
    // A text may go out before the sending hour of its day, if that hour suits no text.
    from = hour
  }
}
