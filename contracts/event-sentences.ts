import { roleNames } from './admin/roles.ts'
import { codeInWords } from './code-in-words.ts'
import { discardReasons, retryReasons } from './dead-letter-reasons.ts'
import { toMajorUnits } from './currency.ts'
import { eventTitle } from './event-labels.ts'
import { enquiryStatusNames } from './enquiry-status.ts'
import type { DomainEvent } from './events/catalogue.ts'
import type { Actor } from './events/envelope.ts'
import type { MailRecipient } from './events/notification.ts'
import { filtersInWords } from './export-filters.ts'
import { formatMoney } from './format-money.ts'
import type { Instant } from './instant.ts'
import type { Money } from './money.ts'
import { paidByText } from './payment-method-text.ts'
import { notificationNames } from './notification-kinds.ts'
import { readableAddress } from './readable-address.ts'
import { clientReminderSentences } from './client-reminder-sentences.ts'
import { importSentences } from './import-sentences.ts'
import { receivableSentences } from './receivable-sentences.ts'

/*
 * What each event says, in plain English. The customer's download of the own data and the
 * administrators' audit timeline show these sentences. Free of zod, as contracts/currency.ts.
 */

type DataByType = { readonly [Event in DomainEvent as Event['type']]: Event['data'] }

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const day = (at: Instant) => days.format(new Date(at))
const moments = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})
const moment = (at: Instant) => `${moments.format(new Date(at))} UTC`
const percent = (millionths: number) => `${millionths / 10_000} %`
const amount = ({ amount: minor, currency }: Money) =>
  formatMoney(toMajorUnits(minor, currency), currency)
const inWords = (status: string) => status.replaceAll(/[_-]/g, ' ')
/** ` (blocked)`; empty without a filter. */
const ofQuery = (query: Readonly<Record<string, string>>) => {
  const filters = filtersInWords(query)
  return filters === '' ? '' : ` (${filters})`
}
const rowsInWords = (rows: number | null) =>
  rows === null
    ? 'all matching rows'
    : `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`
/** ` for Monthly Plan`; empty if the plan is unknown. */
const ofPlan = (planName: string | null) => (planName === null ? '' : ` for ${planName}`)

/** `. Reason: order change`; empty without a reason. A text that a person wrote stays as it is. */
const ofReason = (reason: string | null) =>
  reason === null ? '' : `, for this reason: ${codeInWords(reason)}`

/** A new event type without a sentence does not compile. */
const sentences: { readonly [Type in keyof DataByType]: (data: DataByType[Type]) => string } = {
  AccountOpened: ({ email }) =>
    `The account was opened with the e-mail address ${readableAddress(email)}.`,
  CompanyProfileCompleted: ({ termsVersion }) =>
    `The company profile was completed, and the terms of ${termsVersion} were accepted.`,
  ProfileDiscarded: () =>
    'The company profile was removed, because another browser had saved it before the address was verified.',
  ProfileUpdated: () => 'The company profile was changed.',
  EmailVerified: ({ email }) =>
    `The e-mail address ${readableAddress(email)} was verified with a code.`,
  SecondaryEmailSet: ({ email }) =>
    `The secondary e-mail address ${readableAddress(email)} was added.`,
  SecondaryEmailRemoved: ({ email }) =>
    `The secondary e-mail address ${readableAddress(email)} was removed.`,
  EmailClaimDropped: ({ email }) =>
    `The e-mail address ${readableAddress(email)} was not added to the account.`,
  AccountBlocked: () => 'The account was blocked.',
  AccountUnblocked: () => 'The account was unblocked.',
  PersonalDataErased: () => 'The account was deleted and its personal data erased.',

  EmailClaimed: () => 'An e-mail address was assigned to the account.',
  EmailReleased: () => 'An e-mail address was released from the account.',
  EmailClaimMoved: () => 'EMAIL_HMAC_KEY was changed.',

  CodeRequested: ({ email, resend }) =>
    resend === 0
      ? `A sign-in code was sent to ${readableAddress(email)}.`
      : `A sign-in code was sent to ${readableAddress(email)} again.`,
  CodeRefused: ({ reason }) => refusedCodes[reason],
  SignedIn: ({ email }) => `A browser signed in with ${readableAddress(email)}.`,
  SignedOut: ({ everywhere, otherSession }) =>
    everywhere === true
      ? 'All browsers were signed out.'
      : otherSession === true
        ? 'Another browser was signed out.'
        : 'A browser was signed out.',

  AdminSignedIn: ({ by }) => `An administrator signed in ${adminSignInWays[by]}.`,
  AdminSignInRefused: ({ reason }) =>
    `A sign-in as administrator was refused: ${adminRefusals[reason]}.`,
  PasskeyCounterFellBack: ({ from, to }) =>
    `A sign-in with a passkey was refused: its counter was ${to.toLocaleString('en-US')} after ${from.toLocaleString('en-US')}. A copy of the passkey may exist. Remove it.`,
  AdminSignedOut: () => 'An administrator signed out.',
  DataExported: ({ list, format, rows }) =>
    list.startsWith('reports/')
      ? `An administrator exported the report ${inWords(list.slice('reports/'.length))} as ${format.toUpperCase()}.`
      : `An administrator exported ${rowsInWords(rows)} of the list ${inWords(list)} as ${format.toUpperCase()}.`,
  ExportProposed: ({ list, rows, format, query, reason }) =>
    `An export of ${rowsInWords(rows)} of the list ${inWords(list)}${ofQuery(query)} as ${format.toUpperCase()} was proposed. Another administrator decides about it. Reason: ${reason}`,
  ExportProposalApproved: ({ list, rows, takeBefore }) =>
    `Another administrator approved the proposed export of ${rowsInWords(rows)} of the list ${inWords(list)}. The one who proposed it can download it once, until ${moment(takeBefore)}.`,
  ExportProposalDeclined: ({ list, rows, why }) =>
    `Another administrator declined the proposed export of ${rowsInWords(rows)} of the list ${inWords(list)}: ${why}`,
  ExportProposalWithdrawn: ({ list, rows }) =>
    `The proposed export of ${rowsInWords(rows)} of the list ${inWords(list)} was withdrawn.`,
  ApprovedExportTaken: ({ list, rows }) =>
    `The approved export of ${rowsInWords(rows)} of the list ${inWords(list)} was used: it is not downloaded again.`,
  ExportTakenAlone: ({ rows, countsUntil }) =>
    `An export of ${rowsInWords(rows)} needed no second administrator. It counts until ${moment(countsUntil)}.`,
  AuditRoomWritten: ({ from, to, customers }) =>
    `An audit room of ${from === to ? from : `${from} to ${to}`} was written, with the data of ${customers.length.toLocaleString('en-US')} sampled ${customers.length === 1 ? 'customer' : 'customers'}.`,
  ClientDataOpened: ({ stream }) =>
    `An administrator opened the data of a client in an event of ${stream.startsWith('receivable-') ? 'its invoice' : 'the client'}.`,
  DeadLetterRetried: ({ eventType, why }) =>
    `A message that was not sent is tried once more. It is about “${eventTitle(eventType)}”. Reason: ${retryReasons[why]}.`,
  DeadLetterDiscarded: ({ eventType, why }) =>
    `A message that was not sent was discarded. It is about “${eventTitle(eventType)}”. Reason: ${discardReasons[why]}.`,
  PortalVisited: ({ action }) =>
    action === 'cancel'
      ? "An administrator opened the payment provider's page that cancels the subscription."
      : "An administrator opened the customer's portal at the payment provider.",

  AdministratorAdded: ({ name, email, role }) =>
    `${name} <${email}> became an administrator with the role ${roleNames[role]}.`,
  AdministratorRenamed: ({ name, email }) =>
    `The administrator's name and address became ${name} <${email}>.`,
  AdministratorRoleChanged: ({ from, to }) =>
    `The administrator's role was changed from ${roleNames[from]} to ${roleNames[to]}.`,
  AdministratorEnded: () =>
    'The administrator was ended. All sessions and passkeys of the person ended.',
  PasskeyAdded: ({ label }) => `The administrator added the passkey "${label}".`,
  PasskeyRenamed: ({ label }) => `The administrator renamed a passkey to "${label}".`,
  PasskeyRemoved: () => 'A passkey of the administrator was removed.',

  MonthCutOff: ({ month, timeZone, accepted }) =>
    `The books of ${month} were cut off in the time zone ${timeZone}. A later fact of the month is an adjustment.${
      accepted === undefined
        ? ''
        : ` The operator accepted what the checks found (${accepted.findings.join(' ')}) for this reason: ${accepted.reason}`
    }`,
  MonthClosed: ({ month, events }) =>
    `Month ${month} was closed with ${events.toLocaleString('en-US')} ${events === 1 ? 'event' : 'events'}.`,

  EnquirySubmitted: ({ firstName, lastName }) =>
    `An enquiry was sent with the contact form by ${firstName} ${lastName}.`,
  EnquiryStatusChanged: ({ from, to }) =>
    `The enquiry's status changed from ${enquiryStatusNames[from]} to ${enquiryStatusNames[to]}.`,
  EnquiryErased: () => 'The texts of the enquiry were erased.',

  MailSent: ({ kind, to }) => `The mail “${notificationNames[kind]}” was sent to ${to}.`,
  MailFailed: ({ kind, to, why, reason }) =>
    `The mail “${notificationNames[kind]}”${to === null ? '' : ` to ${to}`} was not sent: ${unsent[why]}${why === 'no-address' ? '' : ` (${reason})`}.`,
  MailReturned: ({ kind, recipient, reason }) =>
    `The mail “${notificationNames[kind]}” to ${recipientNames[recipient]} came back (${reason}). Other mails still go there.`,
  TextSent: ({ kind, to }) => `The text “${notificationNames[kind]}” was sent to ${to}.`,
  TextFailed: ({ kind, to, why, reason }) =>
    `The text “${notificationNames[kind]}”${to === null ? '' : ` to ${to}`} was not sent: ${unsent[why]} (${reason}).`,
  ContactStopped: ({ via }) => stopSentences[via],
  ContactResumed: ({ via }) =>
    via === 'text'
      ? 'The holder of a number answered START: texts may go there again.'
      : 'A client allowed messages of a merchant in its portal again.',
  TextsStopped: ({ to }) => `The holder of ${to} stopped the texts.`,
  DunningStarted: ({ due, planName }) =>
    `The reminders of an unpaid invoice of ${amount(due)}${ofPlan(planName)} started.`,
  DunningReminderDue: ({ due, day: days }) =>
    days === 0
      ? `A report of the failed payment of ${amount(due)} to the customer was due.`
      : `A reminder of the unpaid invoice of ${amount(due)} was due, ${days} days after the failed payment.`,
  DunningEnded: ({ due, why }) =>
    `The reminders of the invoice of ${amount(due)} ended: ${dunningEndNames[why]}.`,
  RenewalReminderDue: ({ planName, renewsAt }) =>
    `A reminder of the renewal of ${planName} on ${day(renewsAt)} was due.`,
  CardReminderDue: ({ method: { last4, expiryMonth, expiryYear } }) =>
    `A reminder that the card ending in ${last4 ?? '????'} expires in ${expiryMonth ?? '?'}/${expiryYear ?? '?'} was due.`,

  PaymentCustomerLinked: () => 'The account was linked to a customer at the payment provider.',
  BillingDetailsChanged: () => 'The name or the address on invoices was changed.',
  PaymentMethodChanged: ({ method }) =>
    method === null ? 'The payment method was removed.' : 'The payment method was changed.',
  CheckoutStarted: ({ planName }) => `A checkout${ofPlan(planName)} was started.`,
  CheckoutSessionOpened: () => 'The payment page of the checkout was opened.',
  CheckoutCompleted: () => 'The checkout was completed.',
  CheckoutExpired: () => 'The checkout was closed without a payment.',
  CheckoutFailed: ({ reason }) => `The payment provider refused the checkout: ${reason}`,

  SubscriptionStarted: ({ planName }) => `The subscription${ofPlan(planName)} started.`,
  SubscriptionRenewed: ({ currentPeriodEnd }) =>
    `The subscription was renewed until ${day(currentPeriodEnd)}.`,
  SubscriptionStatusChanged: ({ from, to }) =>
    `The subscription's status changed from ${inWords(from)} to ${inWords(to)}.`,
  SubscriptionPaused: ({ resumesAt }) =>
    resumesAt === null
      ? 'The subscription was paused.'
      : `The subscription was paused until ${day(resumesAt)}.`,
  SubscriptionResumed: () => 'The subscription was resumed after a pause.',
  PlanChangeScheduled: ({ from, to, effectiveAt }) =>
    `A change from ${from.planName} to ${to.planName} was planned for ${day(effectiveAt)}.`,
  PlanChangeDropped: () => 'The planned change of the plan was dropped.',
  PlanChanged: ({ from, to }) => `The plan changed from ${from.planName} to ${to.planName}.`,
  RecurringDeductionsChanged: ({ discounts, includedTax }) =>
    `Each invoice of the subscription has ${discounts.length === 0 ? 'no lasting discount' : `lasting discounts of ${discounts.map((each) => (each.kind === 'share' ? percent(each.millionths) : 'a fixed amount')).join(' and ')}`} and ${includedTax === 0 ? 'no included tax' : `${percent(includedTax)} included tax`}.`,
  CancellationScheduled: ({ effectiveAt }) =>
    `The subscription was set to end on ${day(effectiveAt)}.`,
  CancellationWithdrawn: () => 'The planned end of the subscription was withdrawn.',
  SubscriptionEnded: ({ why, endedAt }) =>
    `The subscription ended on ${day(endedAt)}: ${ends[why]}.`,

  PaymentSucceeded: ({ amounts: { total, currency }, planName, paidBy }) =>
    `An invoice of ${amount({ amount: total, currency })}${ofPlan(planName)} ${paidBy.length === 0 ? 'was settled; nothing was due' : `was paid: ${paidByText(paidBy)}`}.`,
  PaymentFailed: ({ due, planName, reason }) =>
    `A payment of ${amount(due)}${ofPlan(planName)} failed: ${reason}`,
  UnpaidInvoiceChanged: ({ due, nextAttemptAt }) =>
    nextAttemptAt === null
      ? `An unpaid invoice asks for ${amount(due)} now. No further attempt is planned.`
      : `An unpaid invoice asks for ${amount(due)} now. The next attempt is planned for ${day(nextAttemptAt)}.`,
  InvoiceWrittenOff: ({ due, how }) =>
    how === 'voided'
      ? `An invoice of ${amount(due)} was voided.`
      : `An invoice of ${amount(due)} was marked as uncollectible.`,

  RefundProposed: ({ amount: proposed, reason }) =>
    `A refund of ${amount(proposed)} was proposed${ofReason(reason)}. Another administrator decides about it.`,
  RefundProposalApproved: ({ amount: proposed }) =>
    `Another administrator approved the proposed refund of ${amount(proposed)}.`,
  RefundProposalDeclined: ({ amount: proposed, why }) =>
    `Another administrator declined the proposed refund of ${amount(proposed)}: ${why}`,
  RefundProposalWithdrawn: ({ amount: proposed }) =>
    `The proposed refund of ${amount(proposed)} was withdrawn.`,
  RefundProposalFailed: ({ amount: proposed, why }) =>
    `The approved refund of ${amount(proposed)} was not made: ${why}`,
  RefundRequested: ({ amount: requested, reason }) =>
    `A refund of ${amount(requested)} was requested${ofReason(reason)}.`,
  RefundRefused: ({ amount: requested, reason }) =>
    `The payment provider refused a refund of ${amount(requested)}: ${reason}`,
  RefundRecorded: ({ amount: refunded, planName, status, reason }) =>
    `A refund of ${amount(refunded)}${ofPlan(planName)} was created${ofReason(reason)}. Its status is ${inWords(status)}.`,
  RefundStatusChanged: ({ amount: refunded, from, to }) =>
    `The status of a refund of ${amount(refunded)} changed from ${inWords(from)} to ${inWords(to)}.`,
  RefundStatusOverridden: ({ from, to }) =>
    `The refund's shown status was set from ${from} to ${to}.`,
  CreditNoteIssued: ({ total, number, reason }) =>
    `The credit note ${number} of ${amount(total)} was issued${ofReason(reason)}.`,
  CreditNoteVoided: ({ total }) => `A credit note of ${amount(total)} was voided.`,
  DisputeOpened: ({ kind, amount: disputed }) =>
    kind === 'inquiry'
      ? `The bank asked about a payment of ${amount(disputed)}.`
      : `The bank took back a payment of ${amount(disputed)}.`,
  DisputeFeeCharged: ({ fee }) =>
    fee.amount < 0
      ? `The payment provider returned a dispute fee of ${amount({ ...fee, amount: -fee.amount })} to us.`
      : `The payment provider charged us a dispute fee of ${amount(fee)}.`,
  DisputeClosed: ({ outcome, amount: disputed }) => disputeEnds[outcome](amount(disputed)),

  ControlFired: ({ title, sentence }) => `The control “${title}” fired: ${sentence}`,

  ...clientReminderSentences,
  ...importSentences,
  ...receivableSentences,
}

/** Of a person that a mail is for. */
const recipientNames = {
  primary: 'the primary address',
  secondary: 'the secondary address',
  visitor: 'the visitor',
  support: 'the support address',
} as const satisfies Readonly<Record<MailRecipient, string>>

const unsent = {
  outdated: 'it was no longer true',
  'no-address': 'the address was erased',
  limited: 'too many mails went to the address',
  'no-number': 'the support phone is no phone number',
  'not-allowed': 'no texts go to this country or kind of number',
  stopped: 'the holder of the number stopped the texts',
  refused: 'it was refused for good',
  'gave-up': 'every attempt failed',
} as const

const stopSentences = {
  portal: 'A client stopped the messages of a merchant in its portal.',
  'one-click': 'A client stopped the e-mails of a merchant in its mail program.',
  text: 'The holder of a number answered STOP: no text goes there.',
  provider: 'The provider of texts refuses a number whose holder answered STOP.',
} as const

const dunningEndNames = {
  recovered: 'it was paid',
  canceled: 'the subscription ended',
  'written-off': 'the payment provider no longer collects it',
} as const

const refusedCodes = {
  wrong: 'A wrong sign-in code was entered.',
  expired: 'An expired sign-in code was entered.',
  'too-many-tries': 'A sign-in code was refused after too many tries.',
} as const

const ends = {
  canceled: 'it was canceled',
  blocked: 'the account was blocked or deleted',
  unpaid: 'it was not paid',
  expired: 'its first payment was not made in time',
} as const

const disputeEnds = {
  won: (disputed: string) => `A dispute was closed: the bank returned the ${disputed}.`,
  lost: (disputed: string) => `A dispute was closed: the bank kept the ${disputed}.`,
  'inquiry-closed': (disputed: string) =>
    `The bank closed its question about a payment of ${disputed}.`,
} as const

/** One or two sentences that say what the event records. */
export function eventSentence<Type extends keyof DataByType>(event: {
  readonly type: Type
  readonly data: DataByType[Type]
}): string {
  return sentences[event.type](event.data)
}

/** Who did it, for people. */
const adminSignInWays = {
  'shared-password': 'with the shared password',
  code: 'with the password and a code',
  passkey: 'with a passkey',
} as const

const adminRefusals = {
  'wrong-password': 'the password was wrong',
  'unknown-address': 'no administrator has the address',
  'wrong-code': 'the code was wrong',
  'too-many-tries': 'there were too many tries',
  'unknown-passkey': 'no administrator has the passkey',
  'wrong-passkey': 'the passkey could not be verified',
  'late-passkey': 'the request had expired, was used, or came from another browser',
} as const

export const actorNames: Readonly<Record<Actor['kind'], string>> = {
  customer: 'customer',
  admin: 'administrator',
  'payment-provider': 'payment provider',
  system: 'system',
}
