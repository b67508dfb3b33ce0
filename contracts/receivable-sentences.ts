import { toMajorUnits } from './currency.ts'
import type { ClientEvent } from './events/client.ts'
import type { MerchantEvent } from './events/merchant.ts'
import { idAtProvider } from './events/provider-ref.ts'
import type { ReceivableEvent } from './events/receivable.ts'
import type { Channel, TemplateTone } from './events/message-parts.ts'
import type { MoneyMethod } from './events/receivable-parts.ts'
import { formatMoney } from './format-money.ts'

/*
 * What the events of clients and receivables say. No sentence has a personal field of a client:
 * administrators read the sentences in a merchant's history without opening a client's data.
 */

type Event = ClientEvent | MerchantEvent | ReceivableEvent
type DataByType = { readonly [Each in Event as Each['type']]: Each['data'] }

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
/** `2026-11-13` as `Nov 13, 2026`. */
const on = (day: string) => days.format(new Date(day))
const money = (minor: number, currency: string) =>
  formatMoney(toMajorUnits(minor, currency), currency)

export const methodsInWords: Readonly<Record<MoneyMethod, string>> = {
  check: 'by check',
  cash: 'in cash',
  card: 'by card',
  'bank-transfer': 'by bank transfer',
  other: 'in another way',
}
const disputed = {
  merchant: "The client's dispute of the invoice was recorded.",
  client: 'The client disputed the invoice.',
  bank: 'A payment of the invoice is disputed at the bank.',
} as const
const whyReversed = {
  'recorded-in-error': 'because it was recorded in error',
  returned: 'because the money went back',
  refunded: 'because it was refunded',
  'charged-back': "because the client's bank took it back",
} as const

const whyClosed = {
  expired: 'because its page was closed unpaid',
  failed: 'because the payment failed',
  refused: 'because the payment provider refused it',
} as const
const takenBack = {
  refund: 'was refunded',
  chargeback: "was taken back by the client's bank",
} as const
const invoices = (items: readonly unknown[]) =>
  items.length === 1 ? '1 invoice' : `${count.format(items.length)} invoices`
const whyDisconnected = {
  merchant: 'because the merchant disconnected it',
  provider: 'because its access was removed at the payment provider',
  erased: 'because the merchant was erased',
} as const

const templateName = (of: { readonly tone: TemplateTone; readonly channel: Channel }) =>
  `${of.tone} ${of.channel === 'mail' ? 'e-mail' : 'text'} to clients`

const held = (whose: string, until: string | null) =>
  until === null
    ? `The reminders of ${whose} were paused.`
    : `The reminders of ${whose} were paused until ${on(until)}.`

const count = new Intl.NumberFormat('en-US')

/** `firm e-mail 7 days after the due date`. */
function stepInWords({ offset, channel, tone }: DataByType['ScheduleChanged']['steps'][number]) {
  const days = Math.abs(offset) === 1 ? '1 day' : `${Math.abs(offset)} days`
  const when =
    offset === 0 ? 'on the due date' : `${days} ${offset < 0 ? 'before' : 'after'} the due date`
  return `${tone} ${channel === 'mail' ? 'e-mail' : 'text'} ${when}`
}

export const receivableSentences: {
  readonly [Type in keyof DataByType]: (data: DataByType[Type]) => string
} = {
  TimeZoneChosen: ({ timeZone }) => `The time zone ${timeZone} was chosen for invoices.`,
  ApiKeyMade: ({ ending }) => `A key for programs was made. It ends in ${ending}.`,
  ApiKeyRevoked: () => 'A key for programs was revoked.',
  ScheduleChanged: ({ steps }) =>
    `The schedule of reminders was changed. It has ${steps.length === 1 ? '1 step' : `${steps.length} steps`}: ${steps.map(stepInWords).join(', ')}.`,
  RemindersTurnedOn: () => 'Reminders were turned on.',
  RemindersTurnedOff: () => 'Reminders were turned off.',
  SendingStopped: ({ reason }) =>
    `An administrator stopped all messages to the clients. Reason: ${reason}`,
  SendingAllowed: () => 'An administrator allowed messages to the clients again.',
  SendingLimitsSet: ({ firstWeek, later }) =>
    `An administrator set how many clients get a message in a day: ${count.format(firstWeek)} in the first week, ${count.format(later)} later.`,
  TemplateChanged: (data) => `The words of the ${templateName(data)} were changed.`,
  TemplateRestored: (data) => `The words of the ${templateName(data)} are the original ones again.`,
  BrandChanged: ({ color, logo }) =>
    `What clients see of the merchant was changed: ${logo === null ? 'no logo' : 'a logo'}, ${color === null ? 'no color' : `color ${color}`}.`,
  SenderNameApproved: ({ name }) => `The sender name ${name} was approved.`,
  PaymentAccountCreated: ({ accountRef, country }) =>
    `The account ${idAtProvider(accountRef)} in ${country} was made at the payment provider, so that clients can pay by card.`,
  PaymentAccountReconnected: ({ accountRef }) =>
    `The account ${idAtProvider(accountRef)} at the payment provider is in use again.`,
  PaymentAccountChanged: ({ accountRef, canCharge, canPayOut, isSubmitted }) =>
    `The payment provider says of the account ${idAtProvider(accountRef)}: its form is ${isSubmitted ? 'complete' : 'not complete'}, clients ${canCharge ? 'can' : 'cannot'} pay, and money ${canPayOut ? 'goes' : 'does not go'} on to the bank.`,
  PaymentAccountDisconnected: ({ accountRef, why }) =>
    `The account ${idAtProvider(accountRef)} is not in use any more, ${whyDisconnected[why]}.`,
  GatewayLinkChanged: ({ link }) =>
    link === null ? 'The link to pay was removed.' : 'The link to pay was changed.',
  PayInstructionsChanged: ({ text }) =>
    text === null
      ? 'The instructions to pay were removed.'
      : 'The instructions to pay were changed.',
  MerchantErased: () => 'All clients were erased with the account.',

  ClientAdded: () => 'A client was added.',
  ClientChanged: () => "A client's details were changed.",
  TextConsentRecorded: ({ date }) => `A client's consent to texts of ${on(date)} was recorded.`,
  TextConsentWithdrawn: () => "A client's consent to texts was withdrawn.",
  PortalLinkRevoked: () => 'The earlier links to the portal of a client lead nowhere.',
  ClientPortalOpened: () => 'A client opened its portal.',
  ClientAddressBounced: ({ channel, reason }) =>
    `A client's ${channel === 'mail' ? 'e-mail address' : 'phone number'} was refused for good (${reason}).`,
  ClientHeld: ({ until }) => held('a client', until),
  ClientReleased: () => 'The reminders of a client continue.',
  CreditAdded: ({ amount, currency }) =>
    `A client has a credit of ${money(amount, currency)} from a payment that was higher than what was open.`,
  CreditApplied: ({ amount, currency }) =>
    `A client's credit paid ${money(amount, currency)} of an invoice.`,
  CreditRestored: ({ amount, currency }) =>
    `A client's credit got ${money(amount, currency)} back from an invoice.`,
  CreditReturned: ({ amount, currency, method, date }) =>
    `A client got ${money(amount, currency)} of a credit back ${methodsInWords[method]} on ${on(date)}.`,
  CreditCanceled: ({ amount, currency, why }) =>
    `A client's credit of ${money(amount, currency)} ended with its payment, ${whyReversed[why]}.`,
  CreditReversed: ({ amount, currency, short }) =>
    `A reversal of its payment took ${money(amount, currency)} of a client's credit${
      short > 0 ? `; ${money(short, currency)} of it had been used before` : ''
    }.`,
  ClientCheckoutStarted: ({ amount, currency, items, fee }) =>
    `A client began to pay ${money(amount, currency)} of ${invoices(items)} in the portal. The fee is ${money(fee, currency)}.`,
  ClientCheckoutOpened: () => 'The payment page of a client was opened.',
  ClientCheckoutSubmitted: () => "A client's payment is on its way.",
  ClientCheckoutClosed: ({ why }) =>
    `A client's checkout was closed without a payment, ${whyClosed[why]}.`,
  ClientPaymentReceived: ({ amount, currency, items, date }) =>
    `A client paid ${money(amount, currency)} of ${invoices(items)} in the portal on ${on(date)}.`,
  ClientPaymentReversed: ({ amount, currency, kind, date }) =>
    `Of a client's payment, ${money(amount, currency)} ${takenBack[kind]} on ${on(date)}.`,
  ClientPaymentRestored: ({ amount, currency, kind }) =>
    kind === 'refund'
      ? `A refund of ${money(amount, currency)} to a client failed, so the payment counts again.`
      : `The merchant won a dispute at a client's bank, so a payment of ${money(amount, currency)} counts again.`,
  ClientChargebackLost: () =>
    "The merchant lost a dispute at a client's bank. The money stays with the client.",
  PlatformFeeCharged: ({ amount, currency }) =>
    `A fee of ${money(amount, currency)} was charged on a client's payment.`,
  PlatformFeeReturned: ({ amount, currency }) =>
    `Of the fee on a client's payment, ${money(amount, currency)} was returned with a refund.`,
  ClientWithdrawn: () => 'A client was withdrawn, because the import that added it was undone.',
  ClientErased: () => "A client's personal data was erased.",

  ReceivableAdded: ({ number, currency, details: { amount, dueDate } }) =>
    `Invoice ${number} of ${money(amount, currency)}, due ${on(dueDate)}, was added.`,
  ReceivableChanged: ({ before, after, currency }) => {
    const changes = [
      ...(before.amount === after.amount
        ? []
        : [`amount ${money(before.amount, currency)} to ${money(after.amount, currency)}`]),
      ...(before.dueDate === after.dueDate
        ? []
        : [`due date ${on(before.dueDate)} to ${on(after.dueDate)}`]),
      ...(before.issueDate === after.issueDate ? [] : ['issue date']),
      ...(before.reference === after.reference && before.url === after.url
        ? []
        : ['reference or link']),
    ]
    return `The invoice was changed: ${changes.join(', ')}.`
  },
  PaymentRecorded: ({ applied, surplus, currency, date, method, isEstimated }) =>
    `A payment of ${money(applied + surplus, currency)} ${methodsInWords[method]} on ${on(date)} was recorded${
      surplus > 0 ? `; ${money(surplus, currency)} of it is a credit` : ''
    }${isEstimated ? ', on an estimated day' : ''}.`,
  PaymentReversed: ({ applied, surplus, currency, why }) =>
    `A payment of ${money(applied + surplus, currency)} was reversed, ${whyReversed[why]}.`,
  CreditMemoIssued: ({ amount, currency, number }) =>
    `${number === null ? 'A credit memo' : `Credit memo ${number}`} of ${money(amount, currency)} was issued.`,
  CreditReceived: ({ applied, currency }) =>
    `The invoice received ${money(applied, currency)} of the client's credit.`,
  CreditTakenBack: ({ amount, currency }) =>
    `The invoice gave ${money(amount, currency)} of the client's credit back.`,
  RemindersHeld: ({ until }) => held('the invoice', until),
  RemindersReleased: () => 'The reminders of the invoice continue.',
  PaymentPromised: ({ by, madeBy }) =>
    madeBy === 'client'
      ? `The client promised to pay by ${on(by)}.`
      : `The client's promise to pay by ${on(by)} was recorded.`,
  PromiseWithdrawn: () => 'The promise to pay was withdrawn.',
  ReceivableDisputed: ({ madeBy }) => disputed[madeBy],
  DisputeResolved: () => 'The dispute of the invoice was resolved.',
  ReceivableWrittenOff: ({ amount, currency }) =>
    `The open amount of ${money(amount, currency)} was written off as a bad debt.`,
  ReceivableCanceled: ({ amount, currency }) =>
    `The invoice of ${money(amount, currency)} was canceled as issued in error.`,
  ReceivableReopened: ({ amount, currency, was }) =>
    `The invoice was reopened: ${money(amount, currency)} that was ${was === 'canceled' ? 'canceled' : 'written off'} is owed again.`,
  ReceivableWithdrawn: ({ amount, currency }) =>
    `The invoice of ${money(amount, currency)} was withdrawn, because the import that added it was undone.`,
}
