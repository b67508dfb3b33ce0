import type { Instant } from '#contracts/instant'
import { addDays, daysBetween, type Day } from '#services/finance/calendar'
import { limitOn } from './limits.ts'
import { localTime } from './local-time.ts'
import type { PlannedMessage } from './plan-client.ts'
import type { RemindedParts, RemindedReceivable } from './reminded.ts'
import { stepKey, type DueStep, type ReminderState } from './reminder-state.ts'
import { byStrength, lastStepOf, type Channel, type Schedule } from './schedule.ts'
import { sendingTimes } from './sending-times.ts'

/** Why a merchant cannot send to a client now. */
export type NotNow =
  | { readonly kind: 'message-open' }
  /** Nothing is owed that no payment on its way, hold, promise or dispute keeps back. */
  | { readonly kind: 'nothing-to-say'; readonly waitsFor: PausedBy | null }
  | {
      readonly kind: 'no-channel'
      readonly mail: RemindedParts['client']['mail']
      readonly text: RemindedParts['client']['text']
    }
  | { readonly kind: 'one-a-day' }
  | { readonly kind: 'week-limit'; readonly limit: number }
  | { readonly kind: 'merchant-limit' }
  | { readonly kind: 'text-hours' }

/** What keeps back all that a client owes: payments on their way, what was agreed, or both. */
type PausedBy = 'payments' | 'agreements' | 'both'

export type PlannedNow =
  | { readonly kind: 'message'; readonly message: PlannedMessage }
  | { readonly kind: 'refused'; readonly why: NotNow }

/**
 * What a merchant sends to a client by hand, at any hour of a mail and at the hours of texts. It is
 * about every owed receivable that nothing keeps back: the latest of its steps whose day came, else
 * the next one, else one more repetition of the last step. The limits count it, and it ends the
 * steps as any message. The caller has checked that the merchant may send (`forbiddenBecause`).
 */
export function planNow(
  { merchant, client, receivables }: RemindedParts,
  state: ReminderState,
  at: Instant,
): PlannedNow {
  const { schedule } = merchant
  const times = sendingTimes(schedule, client)
  const day = times.dayOf(at)
  const merchantDay = localTime(merchant.timeZone).dayOf(at)
  const refused = (why: NotNow): PlannedNow => ({ kind: 'refused', why })

  if (state.open !== null) return refused({ kind: 'message-open' })
  const owed = receivables.filter(({ settled }) => settled === null)
  const free = owed.filter((each) => !isPaused(each, client.hold, merchantDay) && !each.isPaying)
  const chosen = free.map((receivable) => stepsOf(receivable, schedule, state, day))
  const all = chosen.flatMap(({ step }) => (step === null ? [] : [step]))
  // As everywhere: the first message about a receivable is never in the final tone.
  const isTold = ({ receivableId }: DueStep) => state.told.has(receivableId)
  const isFinal = all.some((step) => step.tone === 'final' && isTold(step))
  const steps = isFinal ? all.filter(isTold) : all
  const spoken = steps.map((step) => ({
    ...step,
    tone: step.tone === 'final' && !isTold(step) ? ('firm' as const) : step.tone,
  }))
  const [strongest] = spoken.toSorted(byStrength)
  if (strongest === undefined)
    return refused({ kind: 'nothing-to-say', waitsFor: pausedBy(owed, free) })

  const limit = limitOn(day, state, schedule.messagesPerWeek)
  if (limit === 'one-a-day') return refused({ kind: limit })
  if (limit === 'week-limit') return refused({ kind: limit, limit: schedule.messagesPerWeek })
  if (merchant.isFull(at)) return refused({ kind: 'merchant-limit' })
  const channels: readonly Channel[] =
    strongest.channel === 'mail' ? ['mail', 'text'] : ['text', 'mail']
  const usable = channels.filter((channel) => client[channel] === null)
  const channel = usable.find((each) => each === 'mail' || times.isTextHour(at))
  if (channel === undefined)
    return refused(
      usable.length === 0
        ? { kind: 'no-channel', mail: client.mail, text: client.text }
        : { kind: 'text-hours' },
    )
  return {
    kind: 'message',
    message: {
      day,
      channel,
      tone: strongest.tone,
      steps: steps.map((step) => ({ ...step, delays: [] })),
      replaced: chosen
        .flatMap(({ replaced }) => replaced)
        .filter(({ receivableId }) => steps.some((step) => step.receivableId === receivableId)),
    },
  }
}

function pausedBy(
  owed: readonly RemindedReceivable[],
  free: readonly RemindedReceivable[],
): PausedBy | null {
  if (free.length === owed.length) return null
  const paying = owed.filter(({ isPaying }) => isPaying).length
  if (paying === 0) return 'agreements'
  return free.length + paying === owed.length ? 'payments' : 'both'
}

function isPaused(
  { hold, promisedBy, isDisputed }: RemindedReceivable,
  clientHold: RemindedParts['client']['hold'],
  today: Day,
): boolean {
  const holds = [hold, clientHold].filter((each) => each !== null)
  const isHeld = holds.some(({ until }) => until === null || until > today)
  return isDisputed || isHeld || (promisedBy !== null && promisedBy >= today)
}

function stepsOf(
  { receivableId, dueDate }: RemindedReceivable,
  schedule: Schedule,
  state: ReminderState,
  today: Day,
): { readonly step: DueStep | null; readonly replaced: readonly DueStep[] } {
  const open = schedule.steps
    .map(({ stepId, offset, channel, tone }) => ({
      receivableId,
      stepId,
      repetition: 0,
      offset,
      channel,
      tone,
      dueDay: addDays(dueDate, offset),
    }))
    .filter((step) => !state.ended.has(stepKey(step)))
    .toSorted((a, b) => daysBetween(b.dueDay, a.dueDay) || byStrength(b, a))
  const come = open.filter(({ dueDay }) => dueDay <= today)
  const step = come.at(-1) ?? open[0] ?? repetitionOf(receivableId, schedule, state, today)
  return { step, replaced: come.slice(0, -1) }
}

/** The next repetition of the last step, as if the schedule repeated it today. */
function repetitionOf(
  receivableId: string,
  schedule: Schedule,
  state: ReminderState,
  today: Day,
): DueStep | null {
  const last = lastStepOf(schedule)
  if (last === undefined) return null
  const { stepId, offset, channel, tone } = last
  let repetition = 1
  while (state.ended.has(stepKey({ receivableId, stepId, repetition }))) repetition += 1
  return { receivableId, stepId, repetition, offset, channel, tone, dueDay: today }
}
