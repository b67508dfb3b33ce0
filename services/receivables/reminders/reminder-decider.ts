import type { ClientReminderEvent } from '#contracts/events/client-reminder'
import type { ClientId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import {
  accepted,
  refused,
  unreachable,
  type Decided,
  type Decider,
} from '#services/foundation/decider'
import { partIdOf } from '../receivable-id.ts'
import { localTime } from './local-time.ts'
import type { Channel } from './schedule.ts'
import { planClient, type ClientPlan, type PlannedMessage } from './plan-client.ts'
import { planNow, type NotNow } from './plan-now.ts'
import type { RemindedParts } from './reminded.ts'
import {
  evolveReminder,
  initialReminderState,
  stepKey,
  type DueStep,
  type OpenMessage,
  type ReminderState,
} from './reminder-state.ts'

interface OfClient {
  readonly merchantId: UserId
  readonly clientId: ClientId
  readonly at: Instant
}

/** What the client got. `subject` is null for a text, `providerId` for a mail. */
interface SentMessage {
  readonly messageId: string
  readonly subject: string | null
  readonly body: string
  readonly providerId: string | null
}

interface OfThanks {
  readonly messageId: string
  readonly receivableId: string
  readonly paymentId: string
}

/** The client's addresses. A channel that can be used has one. */
export type Addresses = Readonly<Record<Channel, string | null>>

export type ReminderCommand = OfClient &
  (
    | { readonly type: 'follow'; readonly parts: RemindedParts; readonly to: Addresses }
    /** By hand. `key`: of the message that the merchant saw (`messageKey`). */
    | {
        readonly type: 'send-now'
        readonly parts: RemindedParts
        readonly to: Addresses
        readonly key: string
      }
    /** The outcome of the open message is not known: no answer came, or the process ended. */
    | { readonly type: 'repeat'; readonly parts: RemindedParts }
    | ({ readonly type: 'record-sent' } & SentMessage)
    | {
        readonly type: 'record-not-sent'
        readonly messageId: string
        readonly why: 'outdated' | 'refused' | 'stopped' | 'not-accepted'
        readonly reason: string
      }
    | { readonly type: 'record-unknown'; readonly messageId: string; readonly reason: string }
    /** The merchant looked after a message whose outcome is unknown. */
    | { readonly type: 'settle-unknown'; readonly messageId: string }
    | { readonly type: 'record-returned'; readonly messageId: string; readonly reason: string }
    | ({
        readonly type: 'record-thanks'
        readonly channel: Channel
        readonly to: string
        readonly subject: string | null
        readonly body: string
      } & OfThanks)
    | ({
        readonly type: 'record-no-thanks'
        readonly why: 'refused' | 'gave-up'
        readonly reason: string
      } & OfThanks)
    | { readonly type: 'skip-step'; readonly step: DueStep; readonly day: string }
  )

export type ReminderRefusal =
  /** The message has its outcome, or another one is open. */
  | { readonly kind: 'no-open-message' }
  | { readonly kind: 'not-now'; readonly why: NotNow }
  /** The merchant saw another message. */
  | { readonly kind: 'changed-meanwhile' }
  | { readonly kind: 'step-ended' }
  /** The outcome of the message is known, a later message went out, or it was settled. */
  | { readonly kind: 'not-unknown' }
  /** A message about it is being sent. */
  | { readonly kind: 'step-is-sent' }

/**
 * The process manager of one client's reminders. It records which message is due before anything is
 * sent, so that each step ends once, whatever happens between the record and the answer of the mail
 * server or Twilio. A repeated command records nothing.
 */
export const clientReminderDecider: Decider<
  'clientReminder',
  ReminderState,
  ReminderCommand,
  ClientReminderEvent,
  ReminderRefusal
> = {
  category: 'clientReminder',
  initialState: initialReminderState,
  evolve: evolveReminder,

  // oxlint-disable-next-line max-lines-per-function -- A table: one case per command.
  decide(command, state) {
    const { merchantId, clientId, at: occurredAt } = command
    const of = { merchantId, clientId }
    switch (command.type) {
      case 'follow':
        return accepted(...followed(planClient(command.parts, state, occurredAt), state, command))
      case 'send-now': {
        const planned = planNow(command.parts, state, occurredAt)
        if (planned.kind === 'refused') return refused({ kind: 'not-now', why: planned.why })
        const { message } = planned
        if (messageKey(message) !== command.key) return refused({ kind: 'changed-meanwhile' })
        return accepted(dueEvent(message, 'by-hand', state, command))
      }
      case 'repeat': {
        const { open } = state
        if (open === null) return refused({ kind: 'no-open-message' })
        const { messageId, channel } = open
        const isTrue = isStillTrue(open, command.parts, state, occurredAt)
        if (channel === 'mail' && !open.isRepeated && isTrue)
          return accepted({ type: 'MessageRepeated', data: { ...of, messageId }, occurredAt })
        const reason = open.isRepeated ? 'no answer, twice' : 'no answer'
        return accepted({
          type: 'MessageUnknown',
          data: { ...of, messageId, channel, reason },
          occurredAt,
        })
      }
      case 'record-sent': {
        const open = openMessage(state, command.messageId)
        if (open === null) return refused({ kind: 'no-open-message' })
        const { messageId, subject, body, providerId } = command
        return accepted({
          type: 'MessageSent',
          data: { ...of, messageId, channel: open.channel, subject, body, providerId },
          occurredAt,
        })
      }
      case 'record-not-sent': {
        const open = openMessage(state, command.messageId)
        if (open === null) return refused({ kind: 'no-open-message' })
        const { messageId, why, reason } = command
        return accepted({
          type: 'MessageNotSent',
          data: { ...of, messageId, channel: open.channel, why, reason },
          occurredAt,
        })
      }
      case 'record-unknown': {
        const open = openMessage(state, command.messageId)
        if (open === null) return refused({ kind: 'no-open-message' })
        const { messageId, reason } = command
        return accepted({
          type: 'MessageUnknown',
          data: { ...of, messageId, channel: open.channel, reason },
          occurredAt,
        })
      }
      case 'settle-unknown': {
        const { messageId } = command
        if (!state.unknown.includes(messageId)) return refused({ kind: 'not-unknown' })
        return accepted({ type: 'UnknownMessageSettled', data: { ...of, messageId }, occurredAt })
      }
      case 'record-returned': {
        const { messageId, reason } = command
        return accepted({
          type: 'MessageReturned',
          data: { ...of, messageId, reason },
          occurredAt,
          fact: `${messageId} returned`,
        })
      }
      case 'record-thanks': {
        const { messageId, receivableId, paymentId, channel, to, subject, body } = command
        if (state.thanked.has(paymentId)) return accepted()
        return accepted({
          type: 'ThanksSent',
          data: { ...of, messageId, receivableId, paymentId, channel, to, subject, body },
          occurredAt,
        })
      }
      case 'record-no-thanks': {
        const { messageId, receivableId, paymentId, why, reason } = command
        if (state.thanked.has(paymentId)) return accepted()
        return accepted({
          type: 'ThanksNotSent',
          data: { ...of, messageId, receivableId, paymentId, why, reason },
          occurredAt,
        })
      }
      case 'skip-step': {
        const { step, day } = command
        const key = stepKey(step)
        if (state.open?.steps.some((each) => stepKey(each) === key) === true)
          return refused({ kind: 'step-is-sent' })
        const ended = state.ended.get(key)
        if (ended?.kind === 'skipped' && ended.why.kind === 'by-hand') return accepted()
        if (ended !== undefined) return refused({ kind: 'step-ended' })
        return accepted({
          type: 'StepsSkipped',
          data: { ...of, day, steps: [step], why: { kind: 'by-hand' } },
          occurredAt,
        })
      }
      default:
        return unreachable(command)
    }
  },
}

/** What a new message is decided from. */
type DecidedFrom = OfClient & { readonly to: Addresses; readonly parts: RemindedParts }

function followed(
  { skips, message, day: today }: ClientPlan,
  state: ReminderState,
  command: DecidedFrom,
): readonly Decided<ClientReminderEvent>[] {
  const { merchantId, clientId, at: occurredAt } = command
  return [
    ...skips.map(({ steps, why }) => ({
      type: 'StepsSkipped' as const,
      data: { merchantId, clientId, day: today, steps: [...steps], why },
      occurredAt,
    })),
    ...(message === null ? [] : [dueEvent(message, 'schedule', state, command)]),
  ]
}

function dueEvent(
  { day, channel, tone, steps, replaced }: PlannedMessage,
  cause: 'schedule' | 'by-hand',
  { tries }: ReminderState,
  { merchantId, clientId, at: occurredAt, to: addresses, parts }: DecidedFrom,
): Decided<Extract<ClientReminderEvent, { readonly type: 'MessageDue' }>> {
  const to = addresses[channel]
  if (to === null)
    throw new Error(
      `The client ${clientId} has no address for a ${channel} that is due. This is a bug; report it.`,
    )
  return {
    type: 'MessageDue',
    data: {
      merchantId,
      clientId,
      messageId: partIdOf('message', `${clientId} ${day} ${tries}`),
      day,
      merchantDay: localTime(parts.merchant.timeZone).dayOf(occurredAt),
      cause,
      channel,
      tone,
      to,
      steps: steps.map((step) => ({ ...step, delays: [...step.delays] })),
      replaced: [...replaced],
    },
    occurredAt,
  }
}

function openMessage({ open }: ReminderState, messageId: string): OpenMessage | null {
  return open?.messageId === messageId ? open : null
}

/** Names what a message says: a merchant confirms what it saw. */
export function messageKey({ channel, tone, steps }: PlannedMessage): string {
  return partIdOf('shown', JSON.stringify([channel, tone, ...steps.map(stepKey).toSorted()]))
}

/**
 * What the open message is about would go out now, by the same channel, if it were not open. It has
 * its place among the merchant's messages of the day already.
 */
export function isStillTrue(
  { steps, channel, isByHand }: OpenMessage,
  { merchant, ...parts }: RemindedParts,
  state: ReminderState,
  at: Instant,
): boolean {
  const known = { ...parts, merchant: { ...merchant, isFull: () => false } }
  const before = { ...state, open: null }
  const now = isByHand ? planNow(known, before, at) : null
  const message =
    now === null
      ? planClient(known, before, at).message
      : now.kind === 'message'
        ? now.message
        : null
  const due = new Set(message?.steps.map(stepKey))
  return message?.channel === channel && steps.every((step) => due.has(stepKey(step)))
}
