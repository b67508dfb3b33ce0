import type { ChannelObstacle, SkipReason, StepDelay } from '#contracts/events/client-reminder'
import type { Day } from '#services/finance/calendar'
import { unreachable } from '#services/foundation/decider'
import type { PlannedMessage } from '../reminders/plan-client.ts'
import type { RemindedClient } from '../reminders/reminded.ts'

const days = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
const on = (day: string) => days.format(new Date(day))
const names = { mail: 'e-mail', text: 'text' } as const

/** Why a step is in a message: its day, what delayed it, and what changed channel and tone. */
export function reasonOfStep(
  step: PlannedMessage['steps'][number],
  message: Pick<PlannedMessage, 'day' | 'channel' | 'tone'>,
  client: Pick<RemindedClient, 'mail' | 'text'>,
): string {
  const obstacle = client[step.channel]
  return [
    `${whenOf(step.offset)}${step.repetition > 0 ? ', repeated' : ''}.`,
    ...step.delays.map((delay) => delayInWords(delay, step.dueDay)),
    ...(step.delays.length > 0 ? [`It goes out on ${on(message.day)}.`] : []),
    ...(step.channel === message.channel
      ? []
      : [
          obstacle === null
            ? `By ${names[message.channel]}, with the client’s other steps of the day.`
            : `By ${names[message.channel]}: ${obstacles[step.channel][obstacle]}.`,
        ]),
    ...(step.tone === message.tone
      ? []
      : [`In the ${message.tone} tone instead of the ${step.tone} one.`]),
  ].join(' ')
}

function whenOf(offset: number): string {
  if (offset === 0) return 'On the due date'
  const count = Math.abs(offset)
  return `${count === 1 ? '1 day' : `${count} days`} ${offset < 0 ? 'before' : 'after'} the due date`
}

function delayInWords(delay: StepDelay, dueDay: Day): string {
  switch (delay.kind) {
    case 'reminders-off':
      return `Its day, ${on(dueDay)}, passed before reminders were on, so it is a catch-up.`
    case 'added-later':
      return `Its day, ${on(dueDay)}, passed before the invoice was added, so it is a catch-up.`
    case 'hold':
      return 'It waited for the end of the hold.'
    case 'promise':
      return 'It waited for the promised day.'
    case 'dispute':
      return 'It waited for the end of the dispute.'
    case 'no-sending-day':
      return `${on(delay.day)} is ${delay.isDayOff ? 'a day off' : 'no sending day'}.`
    case 'week-limit':
      return `The client has ${delay.limit === 1 ? '1 message' : `${delay.limit} messages`} in 7 days already.`
    case 'merchant-limit':
      return 'You have messaged as many clients as you may in a day.'
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
