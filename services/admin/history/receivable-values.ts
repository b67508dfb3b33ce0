import { toMajorUnits } from '#contracts/currency'
import type { ClientReminderEvent } from '#contracts/events/client-reminder'
import type { ClientEvent } from '#contracts/events/client'
import type { ImportEvent } from '#contracts/events/import'
import type { MerchantEvent } from '#contracts/events/merchant'
import { idAtProvider, type ProviderRef } from '#contracts/events/provider-ref'
import type { ReceivableDetails, ReceivableEvent } from '#contracts/events/receivable'
import { formatMoney } from '#contracts/format-money'
import type { TopicValues, Fields } from './topic-values.ts'

type Event = ClientEvent | ClientReminderEvent | ImportEvent | MerchantEvent | ReceivableEvent
type Schedule = Extract<MerchantEvent, { readonly type: 'ScheduleChanged' }>['data']
type Topic =
  | 'client'
  | 'payment of a client'
  | 'invoice of a client'
  | 'invoice status'
  | 'key for programs'
  | 'brand for clients'
  | 'approved sender name'
  | 'time zone of invoices'
  | 'schedule of reminders'
  | 'reminders'
  | 'messages to clients'
  | 'limits of messages'
  | 'payment account'
  | 'link to pay'
  | 'instructions to pay'
  | 'import of invoices'

/*
 * What the events of clients and receivables change. No personal field of a client: administrators
 * see that something changed, not what a merchant writes about its clients.
 */
export const receivableValues: {
  readonly [Each in Event as Each['type']]: {
    readonly [Name in Topic]?: (data: Each['data']) => TopicValues
  }
} = {
  TimeZoneChosen: {
    'time zone of invoices': ({ timeZone }) => ({ of: '', after: { 'Time zone': timeZone } }),
  },
  ApiKeyMade: { 'key for programs': ({ keyId, ending }) => key(keyId, null, `Ends in ${ending}`) },
  ApiKeyRevoked: { 'key for programs': ({ keyId }) => key(keyId, 'Usable', 'Revoked') },
  ScheduleChanged: {
    'schedule of reminders': (schedule) => ({ of: '', after: scheduleFields(schedule) }),
  },
  RemindersTurnedOn: { reminders: () => ({ of: '', after: { Reminders: 'On' } }) },
  RemindersTurnedOff: { reminders: () => ({ of: '', after: { Reminders: 'Off' } }) },
  SendingStopped: {
    'messages to clients': ({ reason }) => ({
      of: '',
      after: { Messages: 'Stopped', Reason: reason },
    }),
  },
  SendingAllowed: {
    'messages to clients': () => ({ of: '', after: { Messages: 'Allowed', Reason: null } }),
  },
  SendingLimitsSet: {
    'limits of messages': ({ firstWeek, later }) => ({
      of: '',
      after: { 'Clients a day, first week': String(firstWeek), 'Clients a day': String(later) },
    }),
  },
  // The words are the merchant's.
  TemplateChanged: {},
  TemplateRestored: {},
  BrandChanged: {
    'brand for clients': ({ color, logo, senderName, replyTo, postalAddress }) => ({
      of: '',
      after: {
        Color: color,
        Logo: logo?.sha256 ?? null,
        'Sender name': senderName,
        'Reply address': replyTo,
        'Postal address': postalAddress?.join(', ') ?? null,
      },
    }),
  },
  SenderNameApproved: {
    'approved sender name': ({ name }) => ({ of: '', after: { 'Approved sender name': name } }),
  },
  PaymentAccountCreated: {
    'payment account': ({ accountRef }) => account(accountRef, 'Connected', nothingYet),
  },
  PaymentAccountReconnected: {
    'payment account': ({ accountRef }) => account(accountRef, 'Connected', nothingYet),
  },
  PaymentAccountChanged: {
    'payment account': ({ accountRef, ...standing }) => account(accountRef, 'Connected', standing),
  },
  PaymentAccountDisconnected: {
    'payment account': ({ accountRef }) => account(accountRef, 'Disconnected', nothingYet),
  },
  GatewayLinkChanged: { 'link to pay': ({ link }) => ({ of: '', after: { Link: link } }) },
  PayInstructionsChanged: {
    'instructions to pay': ({ text }) => ({ of: '', after: { Instructions: text } }),
  },
  MerchantErased: {},

  ImportStarted: {
    'import of invoices': ({ file, rows }) => ({
      of: file.sha256,
      after: { Rows: String(rows), Bytes: String(file.size) },
    }),
  },
  ImportRowsBegun: {},
  ImportRowsStored: {},
  ImportMissingFound: {},
  ImportFinished: {},
  ImportUndoStarted: {},
  ImportUndone: {},

  MessageDue: {},
  MessageRepeated: {},
  MessageSent: {},
  MessageNotSent: {},
  MessageUnknown: {},
  UnknownMessageSettled: {},
  MessageReturned: {},
  ThanksSent: {},
  ThanksNotSent: {},
  StepsSkipped: {},

  ClientAdded: { client: ({ clientId }) => client(clientId, null, 'Added') },
  ClientChanged: {},
  TextConsentRecorded: {},
  TextConsentWithdrawn: {},
  PortalLinkRevoked: {},
  ClientPortalOpened: {},
  ClientAddressBounced: {},
  ClientHeld: {},
  ClientReleased: {},
  CreditAdded: {},
  CreditApplied: {},
  CreditRestored: {},
  CreditReturned: {},
  CreditCanceled: {},
  CreditReversed: {},
  ClientCheckoutStarted: {},
  ClientCheckoutOpened: {},
  ClientCheckoutSubmitted: {},
  ClientCheckoutClosed: {},
  ClientPaymentReceived: {
    'payment of a client': ({ checkoutId, amount, currency }) =>
      clientPayment(checkoutId, { Paid: amountText(amount, currency) }),
  },
  ClientPaymentReversed: {},
  ClientPaymentRestored: {},
  ClientChargebackLost: {},
  PlatformFeeCharged: {
    'payment of a client': ({ checkoutId, amount, currency }) =>
      clientPayment(checkoutId, { Fee: amountText(amount, currency) }),
  },
  PlatformFeeReturned: {},
  ClientWithdrawn: { client: ({ clientId }) => client(clientId, 'Added', 'Withdrawn') },
  ClientErased: { client: ({ clientId }) => client(clientId, 'Added', 'Erased') },

  ReceivableAdded: {
    'invoice of a client': ({ receivableId, details, currency }) => ({
      of: receivableId,
      after: invoice(details, currency),
    }),
    'invoice status': ({ receivableId }) => status(receivableId, null, 'Open'),
  },
  ReceivableChanged: {
    'invoice of a client': ({ receivableId, before, after, currency }) => ({
      of: receivableId,
      before: invoice(before, currency),
      after: invoice(after, currency),
    }),
  },
  PaymentRecorded: {},
  PaymentReversed: {},
  CreditMemoIssued: {},
  CreditReceived: {},
  CreditTakenBack: {},
  RemindersHeld: {},
  RemindersReleased: {},
  PaymentPromised: {},
  PromiseWithdrawn: {},
  ReceivableDisputed: {},
  DisputeResolved: {},
  ReceivableWrittenOff: {
    'invoice status': ({ receivableId }) => status(receivableId, 'Open', 'Written off'),
  },
  ReceivableCanceled: {
    'invoice status': ({ receivableId }) => status(receivableId, 'Open', 'Canceled'),
  },
  ReceivableReopened: {
    'invoice status': ({ receivableId, was }) =>
      status(receivableId, was === 'canceled' ? 'Canceled' : 'Written off', 'Open'),
  },
  ReceivableWithdrawn: {
    'invoice status': ({ receivableId }) => status(receivableId, 'Open', 'Withdrawn'),
  },
}

function scheduleFields(schedule: Schedule): Fields {
  return {
    Steps: schedule.steps
      .map(({ offset, tone, channel }) => `day ${offset}: ${tone} ${channel}`)
      .join(', '),
    'Repeat every': schedule.repeatLastEvery === null ? null : `${schedule.repeatLastEvery} days`,
    'Sending days': schedule.sendingDays.map((day) => weekdays[day - 1]).join(', '),
    'Days off': schedule.daysOff.join(', '),
    'Sending time': schedule.sendingTime,
    'Messages in 7 days': String(schedule.messagesPerWeek),
    'Thank you': schedule.thanks ? 'On' : 'Off',
  }
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

function key(keyId: string, before: string | null, after: string): TopicValues {
  return { of: keyId, before: { Key: before }, after: { Key: after } }
}

function clientPayment(checkoutId: string, after: Fields): TopicValues {
  return { of: checkoutId, after }
}

function amountText(amount: number, currency: string): string {
  return formatMoney(toMajorUnits(amount, currency), currency)
}

const nothingYet = { canCharge: false, canPayOut: false, isSubmitted: false }

function account(
  accountRef: ProviderRef,
  use: 'Connected' | 'Disconnected',
  { canCharge, canPayOut, isSubmitted }: typeof nothingYet,
): TopicValues {
  const yes = (is: boolean) => (is ? 'Yes' : 'No')
  return {
    of: idAtProvider(accountRef),
    after: {
      Account: use,
      'Form complete': yes(isSubmitted),
      'Clients can pay': yes(canCharge),
      'Pays out': yes(canPayOut),
    },
  }
}

function client(clientId: string, before: string | null, after: string): TopicValues {
  return { of: clientId, before: { Client: before }, after: { Client: after } }
}

function status(receivableId: string, before: string | null, after: string): TopicValues {
  return {
    of: receivableId,
    before: { 'Invoice status': before },
    after: { 'Invoice status': after },
  }
}

function invoice({ amount, issueDate, dueDate }: ReceivableDetails, currency: string): Fields {
  return {
    Amount: amountText(amount, currency),
    'Issue date': issueDate,
    'Due date': dueDate,
  }
}
