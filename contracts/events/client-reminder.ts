import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { event, mayGrow, personal, type EventsOf } from './define-event.ts'
import { channel, tone } from './message-parts.ts'
import { ofClient } from './receivable-parts.ts'

/** One step of one receivable. `repetition`: 0 for the step, 1 for its first repetition. */
const ofStep = {
  receivableId: z.string(),
  stepId: z.string(),
  repetition: z.int().min(0),
}

/**
 * The step as the schedule had it. A later change of the schedule does not change this event.
 * `dueDay` is a day in the client's time zone.
 */
const step = { ...ofStep, offset: z.int(), channel, tone, dueDay: calendarDay }

/**
 * Why a step did not go out at its sending hour. `no-sending-day`: `day` is a weekday without
 * sending, or a day off. `week-limit` and `merchant-limit`: the most messages to the client in 7
 * days, the most clients of the merchant in a day. `one-a-day`: the client had a message that day.
 * `reopened`: nothing of the receivable was owed meanwhile. `payment`: a payment of the client was
 * on its way. `not-running`: no process of the product sent anything at that time.
 */
const delay = mayGrow(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('reminders-off') }),
    z.object({ kind: z.literal('added-later') }),
    z.object({ kind: z.literal('reopened') }),
    z.object({ kind: z.literal('payment') }),
    z.object({ kind: z.literal('hold') }),
    z.object({ kind: z.literal('promise') }),
    z.object({ kind: z.literal('dispute') }),
    z.object({ kind: z.literal('no-sending-day'), day: calendarDay, isDayOff: z.boolean() }),
    z.object({ kind: z.literal('week-limit'), limit: z.int() }),
    z.object({ kind: z.literal('merchant-limit') }),
    z.object({ kind: z.literal('one-a-day') }),
    z.object({ kind: z.literal('text-hours') }),
    z.object({ kind: z.literal('not-running') }),
  ]),
)
export type StepDelay = Readonly<z.infer<typeof delay>>

/** Why a message cannot go through a channel. */
const obstacle = mayGrow(
  z.enum(['no-address', 'no-consent', 'stopped', 'bounced', 'not-allowed', 'no-hour']),
)
export type ChannelObstacle = z.infer<typeof obstacle>

const skip = mayGrow(
  z.discriminatedUnion('kind', [
    /** The receivable was settled so when the step was due. */
    z.object({ kind: z.literal('paid') }),
    z.object({ kind: z.literal('written-off') }),
    z.object({ kind: z.literal('canceled') }),
    z.object({ kind: z.literal('no-channel'), mail: obstacle, text: obstacle }),
    z.object({ kind: z.literal('by-hand') }),
    /** Whether the message arrived is not known, and it is not repeated. */
    z.object({ kind: z.literal('unknown') }),
    /** The message could not be delivered on `days` sending days. */
    z.object({ kind: z.literal('not-delivered'), days: z.int() }),
  ]),
)
export type SkipReason = Readonly<z.infer<typeof skip>>

const ofMessage = { ...ofClient, messageId: z.string() }
const ofThanks = { ...ofMessage, receivableId: z.string(), paymentId: z.string() }

/**
 * Stream `clientReminder-{clientId}`: what became of each step of the client's receivables. A step
 * ends as sent, skipped or replaced.
 */
export const clientReminderEvents = {
  /**
   * The message is about to be sent. `day` is the client's day, for the limits; `merchantDay` is
   * the merchant's day on which it has a place. `tone` is the message's, `to` the address that it
   * goes to. A step of `replaced` ends: a later step of the receivable is in `steps`. `by-hand`:
   * the merchant sent it before its time.
   */
  MessageDue: event(['client-message'], {
    ...ofMessage,
    day: calendarDay,
    merchantDay: calendarDay,
    cause: mayGrow(z.enum(['schedule', 'by-hand'])),
    channel,
    tone,
    to: personal(z.string()),
    steps: z.array(z.object({ ...step, delays: z.array(delay) })).min(1),
    replaced: z.array(z.object(step)),
  }),
  /** Whether the mail server took it is not known: it is repeated, with the same Message-ID. */
  MessageRepeated: event(['client-message'], ofMessage),
  /**
   * The mail server or Twilio accepted the message. `subject` and `body` are what the client got;
   * a text has no subject. `providerId` is Twilio's id of a text.
   */
  MessageSent: event(['client-message'], {
    ...ofMessage,
    channel,
    subject: personal(z.string()).nullable(),
    body: personal(z.string()),
    providerId: z.string().nullable(),
  }),
  /**
   * The message did not go out, and its steps are open again. `outdated`: what it was about
   * changed. `refused`: for good, at this address. `stopped`: the person stopped the texts.
   * `not-accepted`: for now.
   */
  MessageNotSent: event(['client-message'], {
    ...ofMessage,
    channel,
    why: mayGrow(z.enum(['outdated', 'refused', 'stopped', 'not-accepted'])),
    /** Codes of the server, without an address. */
    reason: z.string(),
  }),
  /** Whether a text was accepted stays unclear. Its steps end as skipped. */
  MessageUnknown: event(['client-message'], { ...ofMessage, channel, reason: z.string() }),
  /** The merchant looked after a message whose outcome is unknown: it needs nothing more. */
  UnknownMessageSettled: event(['client-message'], ofMessage),
  /** A mail that was accepted came back later. */
  MessageReturned: event(['client-message'], { ...ofMessage, reason: z.string() }),
  /** Thanks for the payment that settled a receivable. No limit counts it. A text: no subject. */
  ThanksSent: event(['client-message'], {
    ...ofThanks,
    channel,
    to: personal(z.string()),
    subject: personal(z.string()).nullable(),
    body: personal(z.string()),
  }),
  /** `refused`: for good, at this address. `gave-up`: the server took it on no try. */
  ThanksNotSent: event(['client-message'], {
    ...ofThanks,
    why: mayGrow(z.enum(['refused', 'gave-up'])),
    /** Codes of the server, without an address. */
    reason: z.string(),
  }),
  /** `day`: of the client. */
  StepsSkipped: event(['client-message'], {
    ...ofClient,
    day: calendarDay,
    steps: z.array(z.object(step)).min(1),
    why: skip,
  }),
} as const

export type ClientReminderEvent = EventsOf<typeof clientReminderEvents>
