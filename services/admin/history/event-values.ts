import { toMajorUnits } from '#contracts/currency'
import type { EventType } from '#contracts/event-labels'
import type { CompanyProfile } from '#contracts/events/account'
import {
  collectedBy,
  type BilledTo,
  type PaymentMethod,
  type SubscriptionTerms,
} from '#contracts/events/billing-parts'
import { enquiryStatusNames } from '#contracts/enquiry-status'
import type { DomainEvent } from '#contracts/events/catalogue'
import { idAtProvider } from '#contracts/events/provider-ref'
import { formatMoney } from '#contracts/format-money'
import type { Instant } from '#contracts/instant'
import { statusAfter } from '#contracts/subscription-status'
import type { TopicValues } from './topic-values.ts'
import { receivableValues } from './receivable-values.ts'

/** A topic always has the same fields: the last event about it has all values. */
const topics = [
  'account status',
  'address owner',
  'billing details',
  'cancellation',
  'checkout',
  'client',
  'credit note',
  'customer',
  'dispute',
  'enquiry',
  'enquiry texts',
  'invoice',
  'invoice of a client',
  'invoice status',
  'payment method',
  'pause',
  'period',
  'personal data',
  'plan',
  'planned plan',
  'primary e-mail',
  'profile',
  'refund',
  'refund proposal',
  'refund request',
  'secondary e-mail',
  'subscription status',
  'time zone of invoices',
  'verified e-mail',
] as const
export type Topic = (typeof topics)[number]

type DataByType = { readonly [Event in DomainEvent as Event['type']]: Event['data'] }
/** Null: this event says nothing about the topic. */
type ValuesByTopic<Data> = { readonly [Name in Topic]?: (data: Data) => TopicValues | null }

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const day = (at: Instant) => days.format(new Date(at))
const inWords = (code: string) => {
  const words = code.replaceAll(/[_-]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** One topic with one field. */
const one = (of: string, field: string, after: string | null): TopicValues => ({
  of,
  after: { [field]: after },
})
/** One field that the event has before and after. */
const changed = (
  of: string,
  field: string,
  before: string | null,
  after: string | null,
): TopicValues => ({
  of,
  before: { [field]: before },
  after: { [field]: after },
})
const shown = (values: TopicValues): TopicValues => ({ ...values, isOnlyShown: true })

const profile = (data: CompanyProfile | null): TopicValues => ({
  of: '',
  after: {
    'Full name': data?.fullName ?? null,
    'Company name': data?.companyName ?? null,
    Domain: data?.domain ?? null,
    Website: data?.websiteUrl ?? null,
    Address: data?.address ?? null,
    City: data?.city ?? null,
    State: data?.state ?? null,
    'ZIP code': data?.zipcode ?? null,
    'Support e-mail': data?.supportEmail ?? null,
    'Support phone': data?.supportPhone ?? null,
  },
})

const billingDetails = (data: BilledTo): TopicValues => ({
  of: '',
  after: {
    'Name on invoices': data.customerName,
    'E-mail on invoices': data.customerEmail,
    'Address line 1': data.addressLine1,
    'Address line 2': data.addressLine2,
    'Postal code': data.postalCode,
    City: data.city,
    State: data.state,
    Country: data.country,
  },
})

const paymentMethod = (method: PaymentMethod | null): TopicValues => ({
  of: '',
  after: {
    'Payment method': method && methodInWords(method),
    Expires:
      method?.expiryMonth && method.expiryYear
        ? `${String(method.expiryMonth).padStart(2, '0')}/${method.expiryYear}`
        : null,
  },
})

function methodInWords({ type, brand, last4 }: PaymentMethod): string {
  const name = inWords(brand && brand !== 'unknown' ? brand : type)
  return last4 === null ? name : `${name} ending ${last4}`
}

const planFields = ({ planName, price, interval, intervalCount, quantity }: SubscriptionTerms) => ({
  Plan: planName,
  Price: `${formatMoney(toMajorUnits(price.amount, price.currency), price.currency)} per ${
    intervalCount === 1 ? interval : `${intervalCount} ${interval}s`
  }`,
  Quantity: String(quantity),
})

const periodEnd = (data: { subscriptionId: string; currentPeriodEnd: Instant }) =>
  one(data.subscriptionId, 'Paid period ends', day(data.currentPeriodEnd))
const status = (id: string, after: string) => one(id, 'Subscription status', inWords(after))
const pause = (id: string, resumesAt: Instant | null) =>
  one(id, 'Pause ends', resumesAt && day(resumesAt))
const planned = (id: string, plan: { name: string; at: Instant } | null): TopicValues => ({
  of: id,
  after: { 'Planned plan': plan && plan.name, 'Planned for': plan && day(plan.at) },
})
const ends = (id: string, at: Instant | null) => one(id, 'Cancellation on', at && day(at))
const invoice = (id: string, after: string) => one(id, 'Invoice', after)
const proposal = (id: string, before: string | null, after: string) =>
  changed(id, 'Refund proposal', before, after)
const checkout = (id: string, after: string) => one(id, 'Checkout', after)

/**
 * What each event says, by topic. A new event type without an entry does not compile. An event
 * without a topic changes no value: it reports something that happened.
 */
const values: { readonly [Type in EventType]: ValuesByTopic<DataByType[Type]> } = {
  AccountOpened: {
    'account status': () => changed('', 'Account', null, 'Active'),
    'primary e-mail': ({ email }) => changed('', 'E-mail', null, email),
  },
  CompanyProfileCompleted: { profile: (data) => profile(data) },
  ProfileDiscarded: { profile: () => profile(null) },
  ProfileUpdated: { profile: (data) => profile(data) },
  EmailVerified: { 'verified e-mail': ({ email }) => one('', 'Verified e-mail', email) },
  SecondaryEmailSet: { 'secondary e-mail': ({ email }) => one('', 'Secondary e-mail', email) },
  SecondaryEmailRemoved: {
    'secondary e-mail': ({ email }) => changed('', 'Secondary e-mail', email, null),
  },
  EmailClaimDropped: {},
  AccountBlocked: { 'account status': () => changed('', 'Account', 'Active', 'Blocked') },
  AccountUnblocked: { 'account status': () => changed('', 'Account', 'Blocked', 'Active') },
  PersonalDataErased: {
    'personal data': () => changed('', 'Personal data', 'Stored', 'Erased'),
  },

  EmailClaimed: { 'address owner': ({ userId }) => one('', 'Account of the address', userId) },
  EmailReleased: {
    'address owner': ({ userId }) => changed('', 'Account of the address', userId, null),
  },

  EmailClaimMoved: {},

  CodeRequested: {},
  CodeRefused: {},
  SignedIn: {},
  SignedOut: {},

  AdminSignedIn: {},
  AdminSignInRefused: {},
  PasskeyCounterFellBack: {},
  AdminSignedOut: {},
  DataExported: {},
  ExportProposed: {},
  ExportProposalApproved: {},
  ExportProposalDeclined: {},
  ExportProposalWithdrawn: {},
  ApprovedExportTaken: {},
  ExportTakenAlone: {},
  AuditRoomWritten: {},
  ClientDataOpened: {},
  DeadLetterRetried: {},
  DeadLetterDiscarded: {},
  PortalVisited: {},

  AdministratorAdded: {},
  AdministratorRenamed: {},
  AdministratorRoleChanged: {},
  AdministratorEnded: {},
  PasskeyAdded: {},
  PasskeyRenamed: {},
  PasskeyRemoved: {},

  MonthCutOff: {},
  MonthClosed: {},

  MailSent: {},
  MailFailed: {},
  MailReturned: {},
  TextSent: {},
  TextFailed: {},
  TextsStopped: {},
  ContactStopped: {},
  ContactResumed: {},
  DunningStarted: {},
  DunningReminderDue: {},
  DunningEnded: {},
  RenewalReminderDue: {},
  CardReminderDue: {},

  ControlFired: {},

  EnquirySubmitted: {
    enquiry: () => changed('', 'Enquiry', null, inWords(enquiryStatusNames.open)),
  },
  EnquiryStatusChanged: {
    enquiry: ({ from, to }) =>
      changed('', 'Enquiry', inWords(enquiryStatusNames[from]), inWords(enquiryStatusNames[to])),
  },
  EnquiryErased: {
    'enquiry texts': () => changed('', 'Texts of the enquiry', 'Stored', 'Erased'),
  },

  PaymentCustomerLinked: {
    customer: ({ customerRef }) =>
      one('', 'Customer at the payment provider', idAtProvider(customerRef)),
  },
  BillingDetailsChanged: { 'billing details': billingDetails },
  PaymentMethodChanged: { 'payment method': ({ method }) => paymentMethod(method) },
  CheckoutStarted: { checkout: ({ checkoutId }) => checkout(checkoutId, 'Started') },
  CheckoutSessionOpened: {
    checkout: ({ checkoutId }) => checkout(checkoutId, 'Payment page open'),
  },
  CheckoutCompleted: { checkout: ({ checkoutId }) => checkout(checkoutId, 'Completed') },
  CheckoutExpired: { checkout: ({ checkoutId }) => checkout(checkoutId, 'Closed') },
  CheckoutFailed: { checkout: ({ checkoutId }) => checkout(checkoutId, 'Refused') },

  SubscriptionStarted: {
    'subscription status': (data) => status(data.subscriptionId, data.status),
    plan: (data) => ({ of: data.subscriptionId, after: planFields(data) }),
    period: periodEnd,
  },
  SubscriptionRenewed: { period: periodEnd },
  SubscriptionStatusChanged: {
    'subscription status': ({ subscriptionId, from, to }) =>
      changed(subscriptionId, 'Subscription status', inWords(from), inWords(to)),
  },
  SubscriptionPaused: {
    'subscription status': ({ subscriptionId }) => status(subscriptionId, 'paused'),
    pause: ({ subscriptionId, resumesAt }) => pause(subscriptionId, resumesAt),
  },
  SubscriptionResumed: {
    'subscription status': (data) =>
      changed(data.subscriptionId, 'Subscription status', 'Paused', inWords(data.status)),
    pause: ({ subscriptionId }) => pause(subscriptionId, null),
  },
  PlanChangeScheduled: {
    'planned plan': ({ subscriptionId, to, effectiveAt }) =>
      planned(subscriptionId, { name: to.planName, at: effectiveAt }),
  },
  PlanChangeDropped: { 'planned plan': ({ subscriptionId }) => planned(subscriptionId, null) },
  PlanChanged: {
    plan: ({ subscriptionId, from, to }) => ({
      of: subscriptionId,
      before: planFields(from),
      after: planFields(to),
    }),
    period: periodEnd,
    'planned plan': ({ subscriptionId }) => planned(subscriptionId, null),
  },
  RecurringDeductionsChanged: {},
  CancellationScheduled: {
    cancellation: ({ subscriptionId, effectiveAt }) => ends(subscriptionId, effectiveAt),
  },
  CancellationWithdrawn: { cancellation: ({ subscriptionId }) => ends(subscriptionId, null) },
  SubscriptionEnded: {
    'subscription status': ({ subscriptionId, why }) => status(subscriptionId, statusAfter(why)),
  },

  PaymentSucceeded: {
    invoice: ({ paymentId }) => invoice(paymentId, 'Paid'),
    'billing details': (data) => shown(billingDetails(data)),
    'payment method': ({ paidBy }) => {
      const method = collectedBy(paidBy)
      return method === null ? null : shown(paymentMethod(method))
    },
  },
  PaymentFailed: {
    invoice: ({ paymentId, attempt }) => invoice(paymentId, `Payment ${attempt} failed`),
  },
  // The invoice stays unpaid: the sentence has the amount and the next attempt.
  UnpaidInvoiceChanged: {},
  InvoiceWrittenOff: { invoice: ({ paymentId, how }) => invoice(paymentId, inWords(how)) },

  RefundProposed: { 'refund proposal': ({ requestId }) => proposal(requestId, null, 'Waiting') },
  RefundProposalApproved: {
    'refund proposal': ({ requestId }) => proposal(requestId, 'Waiting', 'Approved'),
  },
  RefundProposalDeclined: {
    'refund proposal': ({ requestId }) => proposal(requestId, 'Waiting', 'Declined'),
  },
  RefundProposalWithdrawn: {
    'refund proposal': ({ requestId }) => proposal(requestId, 'Waiting', 'Withdrawn'),
  },
  RefundProposalFailed: {
    'refund proposal': ({ requestId }) => proposal(requestId, 'Approved', 'Not made'),
  },
  RefundRequested: {
    'refund request': ({ requestId }) => changed(requestId, 'Refund request', null, 'Waiting'),
  },
  RefundRefused: {
    'refund request': ({ requestId }) => changed(requestId, 'Refund request', 'Waiting', 'Refused'),
  },
  RefundRecorded: {
    refund: (data) => changed(data.refundId, 'Refund', null, inWords(data.status)),
    'refund request': ({ requestId }) =>
      requestId === null ? null : changed(requestId, 'Refund request', 'Waiting', 'Created'),
  },
  RefundStatusChanged: {
    refund: ({ refundId, from, to }) => changed(refundId, 'Refund', inWords(from), inWords(to)),
  },
  RefundStatusOverridden: {
    refund: ({ refundId, from, to }) => changed(refundId, 'Refund', inWords(from), inWords(to)),
  },
  CreditNoteIssued: {
    'credit note': ({ creditNoteId }) => changed(creditNoteId, 'Credit note', null, 'Issued'),
  },
  CreditNoteVoided: {
    'credit note': ({ creditNoteId }) => changed(creditNoteId, 'Credit note', 'Issued', 'Voided'),
  },
  DisputeOpened: {
    dispute: ({ disputeId, kind }) => one(disputeId, 'Dispute', inWords(kind)),
  },
  DisputeFeeCharged: {},
  DisputeClosed: {
    dispute: ({ disputeId, outcome }) => one(disputeId, 'Dispute', inWords(outcome)),
  },

  ...receivableValues,
}

/** The topics of an event, and what the event says about each. */
export function valuesOf<Type extends EventType>(event: {
  readonly type: Type
  readonly data: DataByType[Type]
}): ReadonlyMap<Topic, TopicValues> {
  const ofType = values[event.type]
  return new Map(
    topics.flatMap((topic) => {
      const values = ofType[topic]?.(event.data) ?? null
      return values === null ? [] : [[topic, values] as const]
    }),
  )
}

/** The event types that say something about the topic. */
export function typesAbout(topic: Topic): readonly EventType[] {
  return (Object.keys(values) as EventType[]).filter((type) => topic in values[type])
}
