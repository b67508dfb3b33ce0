import type { ChannelObstacle, SkipReason, StepDelay } from '#contracts/events/client-reminder'
import type { Channel, Tone } from '#contracts/events/message-parts'
import { unreachable } from '#services/foundation/decider'
import type { PlannedMessage } from '../reminders/plan-client.ts'
import type { RemindedClient } from '../reminders/reminded.ts'

/*
 * The words of why a step went out, waits, or did not go out. Coming and past steps have the same
 * sentences in their tense.
 */

type Tense = 'coming' | 'past'

const days = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
export const on = (day: string) => days.format(new Date(day))
export const channelNames = { mail: 'e-mail', text: 'text' } as const

type PlannedStep = PlannedMessage['steps'][number]
/** A step as its event has it: days are texts. */
interface ToldStep {
  readonly offset: number
  readonly repetition: number
  readonly channel: Channel
  readonly tone: Tone
  readonly dueDay: string
  readonly delays: readonly StepDelay[]
}
interface ToldMessage {
  readonly day: string
  readonly channel: Channel
  readonly tone: Tone
}

/** Why a step is in a coming message: its day, delays, and what changed channel and tone. */
export function reasonOfStep(
  step: PlannedStep,
  message: Pick<PlannedMessage, 'day' | 'channel' | 'tone'>,
  client: Pick<RemindedClient, 'mail' | 'text'>,
): string {
  const obstacle = client[step.channel]
  const because =
    obstacle === null
      ? `By ${channelNames[message.channel]}, with the client’s other steps of the day.`
      : `By ${channelNames[message.channel]}: ${obstacles[step.channel][obstacle]}.`
  return reason(step, message, because, 'coming')
}

/** Why a step was in a message. `steps`: all of the message. */
export function pastReasonOfStep(
  step: ToldStep,
  message: ToldMessage & { readonly steps: readonly Pick<ToldStep, 'channel'>[] },
): string {
  // The event has no obstacle. A step of the message's channel means that it was joined.
  const isJoined = message.steps.some(({ channel }) => channel === message.channel)
  const because = isJoined
    ? `By ${channelNames[message.channel]}, with the client’s other steps of the day.`
    : `By ${channelNames[message.channel]}, because the client could not get the ${channelNames[step.channel]}.`
  return reason(step, message, because, 'past')
}

function reason(step: ToldStep, message: ToldMessage, because: string, tense: Tense): string {
  return [
    `${whenOf(step)}.`,
    ...step.delays.map((delay) => delayInWords(delay, step.dueDay, tense)),
    ...(step.delays.length === 0
      ? []
      : [`It ${tense === 'coming' ? 'goes' : 'went'} out on ${on(message.day)}.`]),
    ...(step.channel === message.channel ? [] : [because]),
    ...(step.tone === message.tone
      ? []
      : [`In the ${message.tone} tone instead of the ${step.tone} one.`]),
  ].join(' ')
}

/** `7 days after the due date` */
export function whenOf({ offset, repetition }: Pick<ToldStep, 'offset' | 'repetition'>): string {
  return `${dayInWords(offset)}${repetition > 0 ? ', repeated' : ''}`
}

function dayInWords(offset: number): string {
  if (offset === 0) return 'On the due date'
  const count = Math.abs(offset)
  return `${count === 1 ? '1 day' : `${count} days`} ${offset < 0 ? 'before' : 'after'} the due date`
}

function delayInWords(delay: StepDelay, dueDay: string, tense: Tense): string {
  const isComing = tense === 'coming'
  switch (delay.kind) {
    case 'reminders-off':
      return `Its day, ${on(dueDay)}, passed before reminders were on, so it ${isComing ? 'is' : 'was'} a catch-up.`
    case 'added-later':
      return `Its day, ${on(dueDay)}, passed before the invoice was added, so it ${isComing ? 'is' : 'was'} a catch-up.`
    case 'reopened':
      return `Nothing of the invoice was owed for a while, so it ${isComing ? 'is' : 'was'} a catch-up.`
    case 'payment':
      return 'It waited for a payment of the client that was on its way.'
    case 'hold':
      return 'It waited for the end of the hold.'
    case 'promise':
      return 'It waited for the promised day.'
    case 'dispute':
      return 'It waited for the end of the dispute.'
    case 'no-sending-day':
      return `${on(delay.day)} ${isComing ? 'is' : 'was'} ${delay.isDayOff ? 'a day off' : 'no sending day'}.`
    case 'week-limit':
      return `The client ${isComing ? 'has' : 'had'} ${delay.limit === 1 ? '1 message' : `${delay.limit} messages`} in 7 days already.`
    case 'merchant-limit':
      return `Your other clients ${isComing ? 'take' : 'took'} all messages of the day.`
    case 'one-a-day':
      return 'A client gets one message a day.'
    case 'text-hours':
      return 'Texts go out from 8:00 AM to 8:00 PM in every zone of the client’s state.'
    case 'not-running':
      return 'Nothing could be sent then.'
    default:
      return unreachable(delay)
  }
}

const obstacles: Readonly<Record<'mail' | 'text', Readonly<Record<ChannelObstacle, string>>>> = {
  mail: {
    'no-address': 'no e-mail address',
    'no-consent': 'no consent to e-mails',
    stopped: 'e-mails stopped',
    bounced: 'address bounced',
    'not-allowed': 'e-mails not allowed',
    'no-hour': 'no hour for e-mails',
  },
  text: {
    'no-address': 'no phone number',
    'no-consent': 'no consent to texts',
    stopped: 'texts stopped',
    bounced: 'number bounced',
    'not-allowed': 'texts not allowed',
    'no-hour': 'no hour for texts',
  },
}

/** A coming message whose day can become a later one. */
export const limitInWords = (limit: number): string =>
  `Your limit of ${limit === 1 ? '1 client' : `${limit.toLocaleString('en-US')} clients`} a day can delay it.`

/** `No e-mail address, no consent to texts` */
export function skipInWords(why: SkipReason): string {
  switch (why.kind) {
    case 'no-channel': {
      const both = `${obstacles.mail[why.mail]}, ${obstacles.text[why.text]}`
      return `${both.charAt(0).toUpperCase()}${both.slice(1)}`
    }
    case 'paid':
      return 'Paid'
    case 'written-off':
      return 'Written off'
    case 'canceled':
      return 'Canceled'
    case 'by-hand':
      return 'Skipped by hand'
    case 'unknown':
      return 'Not known whether it arrived'
    case 'not-delivered':
      return 'Not accepted by the mail server'
    default:
      return unreachable(why)
  }
}

/** What changes it for the next steps. Null: nothing has to change, or nothing can. */
export function wayOutOf(why: SkipReason): string | null {
  switch (why.kind) {
    case 'no-channel':
      if (why.mail === 'no-address') return 'With an e-mail address, the next steps go out.'
      if (why.mail === 'bounced') return 'With another e-mail address, the next steps go out.'
      if (why.text === 'no-consent') return 'With consent to texts, the next steps go out.'
      return 'Only the client can allow messages again.'
    case 'unknown':
    case 'not-delivered':
      return 'Call the client, or send the next step now.'
    case 'paid':
    case 'written-off':
    case 'canceled':
    case 'by-hand':
      return null
    default:
      return unreachable(why)
  }
}
