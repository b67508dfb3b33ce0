import type { ClientReminderEvent } from '#contracts/events/client-reminder'
import type { TimelineEvent } from '#contracts/receivables/invoice'
import type { HandledEvent } from '#services/commands/decision-events'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { unreachable } from '#services/foundation/decider'
import type { DayOf } from '#services/finance/time-zone'
import {
  channelNames,
  on,
  pastReasonOfStep,
  skipInWords,
  wayOutOf,
  whenOf,
} from './schedule/reason-words.ts'

export type ReminderEvents = readonly HandledEvent<ClientReminderEvent>[]

type Event = ReminderEvents[number]
type Due = Extract<ClientReminderEvent, { readonly type: 'MessageDue' }>['data']
type Step = Due['replaced'][number]
type ThanksType = 'ThanksSent' | 'ThanksNotSent'

interface Shown {
  /** Only what is about this invoice. Null: about all of the client. */
  readonly receivableId: string | null
  /** Null for an invoice that the page does not name. */
  readonly numberOf: (receivableId: string) => string | null
  /** In the merchant's time zone. */
  readonly dayOf: DayOf
}

/**
 * What became of each past step, in words: sent, replaced or not sent, and why. In the order of the
 * events of a client's messages.
 */
export function messageHistory(events: ReminderEvents, shown: Shown): readonly TimelineEvent[] {
  const due = new Map<string, Due>()
  const ended = new Set(
    events.flatMap((event) =>
      event.type === 'StepsSkipped' ||
      event.type === 'MessageDue' ||
      event.type === 'MessageRepeated'
        ? []
        : [event.data.messageId],
    ),
  )
  return events.flatMap((event) => {
    if (event.type === 'StepsSkipped') return skippedRows(event, shown)
    if (event.type === 'ThanksSent' || event.type === 'ThanksNotSent')
      return thanksRows(event, shown)
    if (event.type === 'MessageDue') due.set(event.data.messageId, event.data)
    const message = due.get(event.data.messageId)
    if (message === undefined || !isAbout(message, shown.receivableId)) return []
    if (event.type === 'MessageDue' && ended.has(message.messageId)) return []
    return messageRows(event, message, shown)
  })
}

function isAbout({ steps, replaced }: Due, receivableId: string | null): boolean {
  return (
    receivableId === null ||
    [...steps, ...replaced].some((step) => step.receivableId === receivableId)
  )
}

function messageRows(
  event: Exclude<Event, { readonly type: 'StepsSkipped' | ThanksType }>,
  message: Due,
  shown: Shown,
): readonly TimelineEvent[] {
  const { channel, tone, to } = message
  const name = `${capital(tone)} ${channelNames[channel]}`
  const address = to === erasedValue ? '' : to
  const row = rowOf(event, message.steps, shown)
  switch (event.type) {
    case 'MessageDue':
      return [
        { ...row, mark: channel, title: `${name} is being sent`, sentence: whyOf(message, shown) },
      ]
    case 'MessageRepeated':
      return []
    case 'MessageSent': {
      const sentences = [
        message.cause === 'by-hand' ? 'Sent by hand.' : null,
        whyOf(message, shown),
        address === '' ? null : `To ${address}.`,
      ]
      return [
        ...replacedRows(event, message, shown),
        {
          ...row,
          mark: channel,
          title: `${name} sent`,
          sentence: joined(sentences),
          messageId: message.messageId,
        },
      ]
    }
    case 'MessageUnknown':
      return [
        ...replacedRows(event, message, shown),
        {
          ...row,
          mark: 'not-sent',
          title: `${name}: not known whether it arrived`,
          sentence: joined([whyOf(message, shown), 'No answer came, so nothing repeats it.']),
        },
      ]
    case 'UnknownMessageSettled':
      return [
        {
          ...row,
          mark: 'other',
          title: `${name} settled`,
          sentence: 'You looked after it. It needs nothing more.',
        },
      ]
    case 'MessageReturned':
      return [
        {
          ...row,
          mark: 'returned',
          title: `${name} came back`,
          sentence: `${address === '' ? 'The address' : address} could not be reached.`,
        },
      ]
    case 'MessageNotSent': {
      const sentence = notSentInWords(event.data.why, message)
      return sentence === null
        ? []
        : [{ ...row, mark: 'not-sent', title: `${name} not sent`, sentence }]
    }
    default:
      return unreachable(event)
  }
}

/** Null for a message that was overtaken before it was sent: nothing happened. */
function notSentInWords(
  why: Extract<ClientReminderEvent, { readonly type: 'MessageNotSent' }>['data']['why'],
  { channel, to }: Due,
): string | null {
  const address = to === erasedValue ? 'the address' : to
  switch (why) {
    case 'outdated':
      return null
    case 'refused':
      return channel === 'mail'
        ? `The mail server refused ${address} for good.`
        : `The provider of texts refused ${address} for good.`
    case 'stopped':
      return 'The person had stopped the texts.'
    case 'not-accepted':
      return channel === 'mail'
        ? 'The mail server did not accept it then. It is tried again later.'
        : 'The provider of texts did not accept it then. It is tried again later.'
    default:
      return unreachable(why)
  }
}

/** Why the message went out: of one invoice its steps, of several each with its number. */
function whyOf(message: Due, { receivableId, numberOf }: Shown): string {
  const own =
    receivableId === null
      ? message.steps
      : message.steps.filter((step) => step.receivableId === receivableId)
  const ids = [...new Set(message.steps.map((step) => step.receivableId))]
  const others = ids.filter((id) => id !== receivableId)
  if (receivableId !== null || ids.length === 1)
    return joined([
      ...own.map((step) => pastReasonOfStep(step, message)),
      receivableId === null || others.length === 0
        ? null
        : `One ${channelNames[message.channel]} with ${named(others, numberOf)}.`,
    ])
  return `About ${named(ids, numberOf)}.`
}

/** A replaced step is a row on the page of its invoice only. */
function replacedRows(
  event: Extract<Event, { readonly type: 'MessageSent' | 'MessageUnknown' }>,
  message: Due,
  shown: Shown,
): readonly TimelineEvent[] {
  return message.replaced
    .filter((step) => step.receivableId === shown.receivableId)
    .map((step) => ({
      ...rowOf(event, [step], shown, step),
      mark: 'not-sent',
      title: `${nameOf(step)} replaced`,
      sentence: `${whenOf(step)}, ${on(step.dueDay)}. The later ${message.tone} ${channelNames[message.channel]} of ${on(message.day)} replaced it.`,
    }))
}

function thanksRows(
  event: Extract<Event, { readonly type: ThanksType }>,
  shown: Shown,
): readonly TimelineEvent[] {
  const { receivableId } = event.data
  if (shown.receivableId !== null && shown.receivableId !== receivableId) return []
  const row = { ...rowOf(event, [], shown), receivableId, number: shown.numberOf(receivableId) }
  if (event.type === 'ThanksNotSent')
    return [
      {
        ...row,
        mark: 'not-sent',
        title: 'Thank you not sent',
        sentence: `The server refused it (${event.data.reason}).`,
      },
    ]
  const { to, channel } = event.data
  const sentence =
    to === erasedValue ? `By ${channelNames[channel]}, for the payment.` : `To ${to}.`
  return [{ ...row, mark: channel, title: 'Thank you sent', sentence }]
}

function skippedRows(
  event: Extract<Event, { readonly type: 'StepsSkipped' }>,
  shown: Shown,
): readonly TimelineEvent[] {
  const { steps, why } = event.data
  const own = steps.filter(
    (step) => shown.receivableId === null || step.receivableId === shown.receivableId,
  )
  const sentence = joined([`${skipInWords(why)}.`, wayOutOf(why)])
  // A client with hundreds of invoices has one row for all of them.
  if (own.length > 1 && shown.receivableId === null) {
    const ids = [...new Set(own.map((step) => step.receivableId))]
    return [
      {
        ...rowOf(event, own, shown),
        mark: 'not-sent',
        title: `${own.length} steps not sent`,
        sentence: `About ${named(ids, shown.numberOf)}. ${sentence}`,
      },
    ]
  }
  return own.map((step) => ({
    ...rowOf(event, [step], shown, step),
    mark: 'not-sent',
    title: `${nameOf(step)} not sent`,
    sentence: `${whenOf(step)}. ${sentence}`,
  }))
}

/** A row without its words. `step`: the row is about this step only. */
function rowOf(
  event: Event,
  steps: readonly Step[],
  { receivableId, numberOf, dayOf }: Shown,
  step: Step | null = null,
): Omit<TimelineEvent, 'mark' | 'title' | 'sentence'> {
  const [only, other] = new Set(steps.map((each) => each.receivableId))
  const id = receivableId ?? (other === undefined ? (only ?? null) : null)
  const { occurredAt, recordedAt } = event.metadata
  return {
    id:
      step === null
        ? event.id
        : `${event.id} ${step.receivableId} ${step.stepId} ${step.repetition}`,
    type: event.type,
    change: null,
    currency: null,
    day: dayOf(occurredAt),
    recordedAt,
    receivableId: id,
    number: id === null ? null : numberOf(id),
    messageId: null,
  }
}

const nameOf = ({ tone, channel }: Step) => `${capital(tone)} ${channelNames[channel]}`
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
const joined = (sentences: readonly (string | null)[]) =>
  sentences.filter((each) => each !== null && each !== '').join(' ')

/** Invoices that a sentence names. */
const maxNamed = 3

/** `AD-1214`, `AD-1214 and AD-1221`, `AD-1214, AD-1221 and 3 other invoices` */
function named(ids: readonly string[], numberOf: Shown['numberOf']): string {
  const numbers = ids.flatMap((id) => numberOf(id) ?? [])
  const shown = numbers.slice(0, ids.length > maxNamed ? maxNamed - 1 : maxNamed)
  const rest = ids.length - shown.length
  if (shown.length === 0) return rest === 1 ? '1 other invoice' : `${rest} invoices`
  const last = rest === 0 ? shown.at(-1) : rest === 1 ? '1 other invoice' : `${rest} other invoices`
  const before = rest === 0 ? shown.slice(0, -1) : shown
  return before.length === 0 ? (last ?? '') : `${before.join(', ')} and ${last ?? ''}`
}
