import { List, Map as PersistentMap } from 'immutable'
import type {
  ChannelObstacle,
  ClientReminderEvent,
  SkipReason,
  StepDelay,
} from '#contracts/events/client-reminder'
import type { Day } from '#services/finance/calendar'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import { dayOf } from '../day-of.ts'
import type { Channel, Tone } from './schedule.ts'

export type { ChannelObstacle, SkipReason, StepDelay }

/** A step, or a repetition of the last one, of one receivable. */
export interface StepRef {
  readonly receivableId: string
  readonly stepId: string
  readonly repetition: number
}

/** A step as the schedule had it when it ended. `dueDay`: in the client's time zone. */
export interface DueStep extends StepRef {
  readonly offset: number
  readonly channel: Channel
  readonly tone: Tone
  readonly dueDay: Day
}

/** How a step ended, and on which day of the client it left the list. */
type Ended = { readonly day: Day } & (
  | { readonly kind: 'sent' | 'replaced'; readonly messageId: string }
  | { readonly kind: 'skipped'; readonly why: SkipReason }
)

/** A message whose outcome is not recorded. */
export interface OpenMessage {
  readonly messageId: string
  readonly day: Day
  /** The merchant's day among whose messages it has its place. */
  readonly merchantDay: Day
  readonly channel: Channel
  readonly tone: Tone
  readonly to: string
  readonly steps: readonly (DueStep & { readonly delays: readonly StepDelay[] })[]
  readonly replaced: readonly DueStep[]
  readonly isByHand: boolean
  readonly isRepeated: boolean
}

/** Where a message went, or was to go. */
interface MessageAddress {
  readonly messageId: string
  readonly channel: Channel
  readonly to: string
}

/** What became of the steps of one client's receivables. */
export interface ReminderState {
  /** By `stepKey`. */
  readonly ended: PersistentMap<string, Ended>
  readonly open: OpenMessage | null
  /** The days of the messages that went out, oldest first. Only the last ones matter. */
  readonly days: List<Day>
  /** Receivables that a message was about. */
  readonly told: PersistentMap<string, true>
  /** Failed tries since the last message that went out: for the id of the next one. */
  readonly tries: number
  /** The client's days, since the last message that went out, on which one was not accepted. */
  readonly refusedDays: List<Day>
  /**
   * The last message, if the address was refused for good or the person stopped the texts. The
   * address is to be marked before anything else is sent.
   */
  readonly refusal:
    | (MessageAddress & { readonly why: 'refused' | 'stopped'; readonly reason: string })
    | null
  /** The last messages that went out, oldest first: a mail can come back later. */
  readonly recent: List<MessageAddress>
  /** Messages whose outcome is unknown, while they need the merchant: none went out since. */
  readonly unknown: List<string>
  /** Payments with thanks, or whose thanks ended without a mail. */
  readonly thanked: PersistentMap<string, true>
}

export const initialReminderState: ReminderState = {
  ended: PersistentMap(),
  open: null,
  days: List(),
  told: PersistentMap(),
  tries: 0,
  refusedDays: List(),
  refusal: null,
  recent: List(),
  unknown: List(),
  thanked: PersistentMap(),
}

/** Names a step of a receivable. */
export function stepKey({ receivableId, stepId, repetition }: StepRef): string {
  return `${receivableId} ${stepId} ${repetition}`
}

/** Days of messages that any limit can look back to. */
const keptDays = 14
/** Mails that a delivery report can be about: reports come within days. */
const keptMessages = 30

export function evolveReminder(state: ReminderState, event: ClientReminderEvent): ReminderState {
  switch (event.type) {
    case 'MessageDue': {
      const { messageId, day, merchantDay, cause, channel, tone, to, steps, replaced } = event.data
      return {
        ...state,
        refusal: null,
        open: {
          messageId,
          day: dayOf(day),
          merchantDay: dayOf(merchantDay),
          channel,
          tone,
          to,
          isByHand: cause === 'by-hand',
          steps: steps.map((each) => ({ ...each, dueDay: dayOf(each.dueDay) })),
          replaced: replaced.map((each) => ({ ...each, dueDay: dayOf(each.dueDay) })),
          isRepeated: false,
        },
      }
    }
    case 'MessageRepeated':
      return { ...state, open: { ...openOf(state, event), isRepeated: true } }
    case 'MessageSent': {
      const open = openOf(state, event)
      return {
        ...endedBy(state, open, (day) => sent(day, open.messageId)),
        ...afterSent(state, open),
        unknown: List(),
      }
    }
    case 'MessageUnknown': {
      const open = openOf(state, event)
      const why: SkipReason = { kind: 'unknown' }
      return {
        ...endedBy(state, open, (day) => ({ kind: 'skipped', why, day })),
        ...afterSent(state, open),
        unknown: state.unknown.push(open.messageId).takeLast(keptMessages),
      }
    }
    case 'MessageNotSent': {
      const { day, messageId, channel, to } = openOf(state, event)
      const { why, reason } = event.data
      const isRefusedDay = why === 'not-accepted' && state.refusedDays.last() !== day
      return {
        ...state,
        open: null,
        refusal:
          why === 'refused' || why === 'stopped' ? { messageId, channel, to, why, reason } : null,
        tries: state.tries + 1,
        refusedDays: isRefusedDay ? state.refusedDays.push(day) : state.refusedDays,
      }
    }
    case 'UnknownMessageSettled': {
      const { messageId } = event.data
      return { ...state, unknown: state.unknown.filter((each) => each !== messageId) }
    }
    case 'MessageReturned':
      return state
    case 'ThanksSent': {
      const { messageId, channel, to, paymentId } = event.data
      return {
        ...withRecent(state, { messageId, channel, to }),
        thanked: state.thanked.set(paymentId, true),
      }
    }
    case 'ThanksNotSent':
      return { ...state, thanked: state.thanked.set(event.data.paymentId, true) }
    case 'StepsSkipped': {
      const { steps, why, day } = event.data
      return {
        ...state,
        ended: state.ended.withMutations((ended) => {
          for (const step of steps)
            ended.set(stepKey(step), { kind: 'skipped', why, day: dayOf(day) })
        }),
        refusedDays: why.kind === 'not-delivered' ? List() : state.refusedDays,
      }
    }
    default:
      return unreachable(event)
  }
}

const sent = (day: Day, messageId: string): Ended => ({ kind: 'sent', messageId, day })

function withRecent(
  state: ReminderState,
  { messageId, channel, to }: MessageAddress,
): ReminderState {
  return { ...state, recent: state.recent.push({ messageId, channel, to }).takeLast(keptMessages) }
}

function afterSent(state: ReminderState, open: OpenMessage) {
  return {
    open: null,
    days: state.days.push(open.day).takeLast(keptDays),
    recent: withRecent(state, open).recent,
    told: state.told.withMutations((told) => {
      for (const { receivableId } of open.steps) told.set(receivableId, true)
    }),
    tries: 0,
    refusedDays: List<Day>(),
  }
}

function endedBy(
  state: ReminderState,
  { messageId, day, steps, replaced }: OpenMessage,
  endOf: (day: Day) => Ended,
): ReminderState {
  return {
    ...state,
    ended: state.ended.withMutations((ended) => {
      for (const step of replaced) ended.set(stepKey(step), { kind: 'replaced', messageId, day })
      for (const step of steps) ended.set(stepKey(step), endOf(day))
    }),
  }
}

function openOf(
  { open }: ReminderState,
  { type, data: { messageId } }: { readonly type: string; readonly data: { messageId: string } },
): OpenMessage {
  if (open?.messageId === messageId) return open
  throw new DamagedHistory(
    `${type} is about the message ${messageId}, which was not due. The log is damaged: run npm run billing -- events verify.`,
  )
}
