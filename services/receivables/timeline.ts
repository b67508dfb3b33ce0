import type { ClientEvent } from '#contracts/events/client'
import type { ReceivableEvent } from '#contracts/events/receivable'
import type { TimelineEvent, TimelineMark } from '#contracts/receivables/invoice'
import { receivableLabels } from '#contracts/receivable-labels'
import { eventSentence } from '#contracts/event-sentences'
import type { HandledEvent } from '#services/commands/decision-events'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import type { DayOf } from '#services/finance/time-zone'

type Event = ClientEvent | ReceivableEvent

const marks: Readonly<Record<Event['type'], TimelineMark>> = {
  ClientAdded: 'added',
  ClientChanged: 'changed',
  TextConsentRecorded: 'agreement',
  TextConsentWithdrawn: 'agreement',
  ClientHeld: 'agreement',
  ClientReleased: 'agreement',
  CreditAdded: 'credit',
  CreditApplied: 'credit',
  CreditRestored: 'credit',
  CreditReturned: 'returned',
  CreditCanceled: 'credit',
  PortalLinkRevoked: 'changed',
  ClientPortalOpened: 'other',
  ClientAddressBounced: 'changed',
  CreditReversed: 'returned',
  ClientCheckoutStarted: 'other',
  ClientCheckoutOpened: 'other',
  ClientCheckoutSubmitted: 'other',
  ClientCheckoutClosed: 'other',
  ClientPaymentReceived: 'paid',
  ClientPaymentReversed: 'returned',
  ClientPaymentRestored: 'paid',
  ClientChargebackLost: 'returned',
  PlatformFeeCharged: 'other',
  PlatformFeeReturned: 'other',
  ClientWithdrawn: 'ended',
  ClientErased: 'ended',
  ReceivableAdded: 'added',
  ReceivableChanged: 'changed',
  PaymentRecorded: 'paid',
  PaymentReversed: 'returned',
  CreditMemoIssued: 'credit',
  CreditReceived: 'paid',
  CreditTakenBack: 'returned',
  RemindersHeld: 'agreement',
  RemindersReleased: 'agreement',
  PaymentPromised: 'agreement',
  PromiseWithdrawn: 'agreement',
  ReceivableDisputed: 'agreement',
  DisputeResolved: 'agreement',
  ReceivableWrittenOff: 'ended',
  ReceivableCanceled: 'ended',
  ReceivableReopened: 'changed',
  ReceivableWithdrawn: 'ended',
}

/**
 * A payment in the portal is in the streams of the client and of each invoice. The invoices say
 * what was paid and what went back. The begin of a checkout asks nothing of the merchant.
 */
const saidByInvoices: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'ClientCheckoutStarted',
  'ClientCheckoutOpened',
  'ClientPaymentReceived',
  'ClientPaymentReversed',
  'ClientPaymentRestored',
])

export function isSaidByInvoices({ type }: ClientEvent): boolean {
  return saidByInvoices.has(type)
}

/** An event in words, for the merchant: with what the merchant or the client wrote. */
export function timelineEvent(
  event: HandledEvent<Event>,
  numberOf: (receivableId: string) => string | null,
  dayOf: DayOf,
): TimelineEvent {
  const { data } = event
  const receivableId = 'receivableId' in data ? data.receivableId : null
  const text = shownText(event)
  return {
    id: event.id,
    type: event.type,
    mark: marks[event.type],
    title: receivableLabels[event.type].title,
    sentence: sentenceOf(event, text),
    change: changeOf(event),
    currency: 'currency' in data ? data.currency : null,
    day:
      'date' in data
        ? data.date
        : event.type === 'ReceivableAdded'
          ? event.data.since
          : dayOf(event.metadata.occurredAt),
    recordedAt: event.metadata.recordedAt,
    receivableId,
    number: receivableId === null ? null : numberOf(receivableId),
    messageId: null,
  }
}

function sentenceOf(event: HandledEvent<Event>, text: string | null): string {
  if (text === null) return eventSentence(event)
  // The text about a dispute at the bank is a sentence of the product, and says it all.
  if (event.type === 'ReceivableDisputed' && event.data.madeBy === 'bank') return text
  return `${eventSentence(event)} ${ended(text)}`
}

function ended(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** Null also for a text that was erased with the client. */
function shownText(event: Event): string | null {
  const text = writtenText(event)
  return text === erasedValue ? null : text
}

/** What a person wrote. Null if nothing was written. */
function writtenText({ type, data }: Event): string | null {
  // The reason of a bounce is a code of the server, and its sentence has it.
  if (type === 'ClientAddressBounced') return null
  if ('note' in data) return data.note
  if ('reason' in data) return data.reason
  if ('text' in data) return data.text
  if ('outcome' in data) return data.outcome
  return 'source' in data ? data.source : null
}

/** The change of what is open. Null for an event that moves nothing. */
function changeOf(event: Event): number | null {
  switch (event.type) {
    case 'ReceivableAdded':
      return event.data.details.amount
    case 'ReceivableChanged': {
      const change = event.data.after.amount - event.data.before.amount
      return change === 0 ? null : change
    }
    case 'PaymentRecorded':
    case 'CreditReceived':
      return -event.data.applied
    case 'PaymentReversed':
      return event.data.applied
    case 'CreditMemoIssued':
    case 'ReceivableWrittenOff':
    case 'ReceivableCanceled':
      return -event.data.amount
    case 'CreditTakenBack':
    case 'ReceivableReopened':
      return event.data.amount
    default:
      // Agreements and a client's own events move nothing that is open.
      return null
  }
}
