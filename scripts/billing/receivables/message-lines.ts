import { clientReminderSentences } from '#contracts/client-reminder-sentences'
import type { ClientEvent } from '#contracts/events/client'
import type { ClientReminderEvent } from '#contracts/events/client-reminder'
import type { Instant } from '#contracts/instant'
import type { HandledEvent } from '#services/commands/decision-events'
import { unreachable } from '#services/foundation/decider'
import {
  channelNames,
  pastReasonOfStep,
  skipInWords,
  whenOf,
} from '#services/receivables/schedule/reason-words'

export interface MessageLine {
  readonly at: Instant
  readonly text: string
  /** A line each. */
  readonly details: readonly string[]
}

type Due = Extract<ClientReminderEvent, { readonly type: 'MessageDue' }>['data']
type Step = Due['replaced'][number]

/** What each event of a client's messages says. Names no person. */
export function linesOfReminder(
  events: readonly HandledEvent<ClientReminderEvent>[],
): readonly MessageLine[] {
  return events.map((event) => ({
    at: event.metadata.occurredAt,
    text: `${event.type}${messageIdOf(event)}  ${sentenceOf(event)}`,
    details: detailsOf(event),
  }))
}

/** What decides whether messages reach the client: its address, its consent, and its holds. */
export function linesOfClient(event: HandledEvent<ClientEvent>): readonly MessageLine[] {
  const line = (text: string): readonly MessageLine[] => [
    { at: event.metadata.occurredAt, text: `${event.type}  ${text}`, details: [] },
  ]
  switch (event.type) {
    case 'ClientAddressBounced':
      return line(
        `The client's address for ${channelNames[event.data.channel]}s takes no messages (${event.data.reason}).`,
      )
    case 'ClientChanged': {
      const { before, after } = event.data
      const changed = [
        ...(before.email === after.email ? [] : ['e-mail address']),
        ...(before.phone === after.phone ? [] : ['phone number']),
        ...(before.state === after.state && before.timeZone === after.timeZone ? [] : ['place']),
      ]
      return changed.length === 0 ? [] : line(`The client's ${changed.join(', ')} changed.`)
    }
    case 'TextConsentRecorded':
    case 'TextConsentWithdrawn':
    case 'ClientHeld':
    case 'ClientReleased':
    case 'ClientAdded':
    case 'ClientWithdrawn':
    case 'ClientErased':
      return line(titles[event.type])
    case 'CreditAdded':
    case 'CreditApplied':
    case 'CreditRestored':
    case 'CreditReturned':
    case 'CreditCanceled':
    case 'CreditReversed':
    case 'ClientCheckoutStarted':
    case 'ClientCheckoutOpened':
    case 'ClientCheckoutSubmitted':
    case 'ClientCheckoutClosed':
    case 'ClientPaymentReceived':
    case 'ClientPaymentReversed':
    case 'ClientPaymentRestored':
    case 'ClientChargebackLost':
    case 'PlatformFeeCharged':
    case 'PlatformFeeReturned':
    case 'PortalLinkRevoked':
    case 'ClientPortalOpened':
      return []
    default:
      return unreachable(event)
  }
}

const titles = {
  TextConsentRecorded: 'The client agreed to texts.',
  TextConsentWithdrawn: 'The consent to texts was withdrawn.',
  ClientHeld: 'Reminders to the client were held.',
  ClientReleased: 'The hold of the client ended.',
  ClientAdded: 'The client was added.',
  ClientWithdrawn: 'The import that added the client was undone.',
  ClientErased: 'The client was erased.',
} as const

function sentenceOf(event: ClientReminderEvent): string {
  switch (event.type) {
    case 'MessageDue':
      return `${clientReminderSentences.MessageDue(event.data)} In the ${event.data.tone} tone${event.data.cause === 'by-hand' ? ', by hand' : ''}.`
    case 'MessageRepeated':
      return clientReminderSentences.MessageRepeated(event.data)
    case 'MessageSent':
      return clientReminderSentences.MessageSent(event.data)
    case 'MessageNotSent':
      return clientReminderSentences.MessageNotSent(event.data)
    case 'MessageUnknown':
      return clientReminderSentences.MessageUnknown(event.data)
    case 'UnknownMessageSettled':
      return clientReminderSentences.UnknownMessageSettled(event.data)
    case 'MessageReturned':
      return clientReminderSentences.MessageReturned(event.data)
    case 'ThanksSent':
      return clientReminderSentences.ThanksSent(event.data)
    case 'ThanksNotSent':
      return clientReminderSentences.ThanksNotSent(event.data)
    case 'StepsSkipped':
      return `${clientReminderSentences.StepsSkipped(event.data)} ${skipInWords(event.data.why)}.`
    default:
      return unreachable(event)
  }
}

function messageIdOf(event: ClientReminderEvent): string {
  return event.type === 'StepsSkipped' ? '' : ` ${event.data.messageId}`
}

function detailsOf(event: ClientReminderEvent): readonly string[] {
  if (event.type === 'StepsSkipped') return event.data.steps.map(stepInWords)
  if (event.type !== 'MessageDue') return []
  const { steps, replaced } = event.data
  return [
    ...steps.map((step) => `${stepInWords(step)}: ${pastReasonOfStep(step, event.data)}`),
    ...replaced.map((step) => `${stepInWords(step)}: replaced by this message`),
  ]
}

function stepInWords(step: Step): string {
  const { receivableId, dueDay, tone, channel } = step
  return `${receivableId}  ${dueDay}  ${tone} ${channelNames[channel]}, ${whenOf(step).toLowerCase()}`
}
