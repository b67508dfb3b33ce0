import type { EventLabel } from './event-label.ts'
import type { DomainEvent } from './events/catalogue.ts'
import type { Money } from './money.ts'
import { clientReminderLabels } from './client-reminder-labels.ts'
import { importLabels } from './import-labels.ts'
import { receivableLabels } from './receivable-labels.ts'
import { hasReturnedMoney } from './refund-status.ts'

/*
 * How a timeline shows each event: its title, its kind, its mark and its money. The sentences are
 * in event-sentences.ts. Free of zod, as contracts/currency.ts.
 */

type DataByType = { readonly [Event in DomainEvent as Event['type']]: Event['data'] }
export type EventType = keyof DataByType

/** A new event type without a label does not compile. */
const labels: { readonly [Type in EventType]: EventLabel<DataByType[Type]> } = {
  AccountOpened: { title: 'Account opened', kind: 'account', mark: 'other' },
  CompanyProfileCompleted: { title: 'Company profile completed', kind: 'account', mark: 'other' },
  ProfileDiscarded: { title: 'Company profile removed', kind: 'account', mark: 'other' },
  ProfileUpdated: { title: 'Company profile changed', kind: 'account', mark: 'other' },
  EmailVerified: { title: 'E-mail address verified', kind: 'account', mark: 'other' },
  SecondaryEmailSet: { title: 'Secondary e-mail added', kind: 'account', mark: 'other' },
  SecondaryEmailRemoved: { title: 'Secondary e-mail removed', kind: 'account', mark: 'other' },
  EmailClaimDropped: { title: 'E-mail address not added', kind: 'account', mark: 'other' },
  AccountBlocked: { title: 'Account blocked', kind: 'account', mark: 'other' },
  AccountUnblocked: { title: 'Account unblocked', kind: 'account', mark: 'other' },
  PersonalDataErased: { title: 'Account deleted', kind: 'account', mark: 'other' },

  EmailClaimed: { title: 'E-mail address assigned', kind: 'account', mark: 'other' },
  EmailReleased: { title: 'E-mail address released', kind: 'account', mark: 'other' },
  EmailClaimMoved: { title: 'Key changed', kind: 'account', mark: 'other' },

  CodeRequested: { title: 'Sign-in code sent', kind: 'messages', mark: 'mail' },
  CodeRefused: { title: 'Sign-in code refused', kind: 'account', mark: 'other' },
  SignedIn: { title: 'Signed in', kind: 'account', mark: 'other' },
  SignedOut: { title: 'Signed out', kind: 'account', mark: 'other' },

  AdminSignedIn: { title: 'Administrator signed in', kind: 'admin', mark: 'other' },
  AdminSignInRefused: {
    title: 'Administrator sign-in refused',
    kind: 'admin',
    mark: 'other',
  },
  PasskeyCounterFellBack: { title: 'Passkey refused', kind: 'admin', mark: 'other' },
  DataExported: { title: 'Data exported', kind: 'admin', mark: 'other' },
  AuditRoomWritten: { title: 'Audit room written', kind: 'admin', mark: 'other' },
  ExportProposed: { title: 'Export proposed', kind: 'admin', mark: 'other' },
  ExportProposalApproved: { title: 'Export approved', kind: 'admin', mark: 'other' },
  ExportProposalDeclined: { title: 'Export declined', kind: 'admin', mark: 'other' },
  ExportProposalWithdrawn: { title: 'Export proposal withdrawn', kind: 'admin', mark: 'other' },
  ApprovedExportTaken: { title: 'Approved export used', kind: 'admin', mark: 'other' },
  ExportTakenAlone: { title: 'Export counted', kind: 'admin', mark: 'other' },
  DeadLetterRetried: { title: 'Unsent message retried', kind: 'admin', mark: 'other' },
  DeadLetterDiscarded: { title: 'Unsent message discarded', kind: 'admin', mark: 'other' },
  ClientDataOpened: { title: "Client's data opened", kind: 'admin', mark: 'other' },
  PortalVisited: { title: 'Customer portal opened', kind: 'admin', mark: 'other' },
  AdminSignedOut: { title: 'Administrator signed out', kind: 'admin', mark: 'other' },

  AdministratorAdded: { title: 'Administrator added', kind: 'admin', mark: 'other' },
  AdministratorRenamed: { title: 'Administrator renamed', kind: 'admin', mark: 'other' },
  AdministratorRoleChanged: { title: 'Role changed', kind: 'admin', mark: 'other' },
  AdministratorEnded: { title: 'Administrator ended', kind: 'admin', mark: 'other' },
  PasskeyAdded: { title: 'Passkey added', kind: 'admin', mark: 'other' },
  PasskeyRenamed: { title: 'Passkey renamed', kind: 'admin', mark: 'other' },
  PasskeyRemoved: { title: 'Passkey removed', kind: 'admin', mark: 'other' },

  MonthCutOff: { title: 'Month cut off', kind: 'billing', mark: 'other' },
  MonthClosed: { title: 'Month closed', kind: 'billing', mark: 'other' },

  EnquirySubmitted: { title: 'Enquiry submitted', kind: 'enquiries', mark: 'other' },
  EnquiryStatusChanged: { title: 'Enquiry status changed', kind: 'enquiries', mark: 'other' },
  EnquiryErased: { title: 'Enquiry erased', kind: 'enquiries', mark: 'other' },

  MailSent: { title: 'Mail sent', kind: 'messages', mark: 'mail' },
  MailFailed: { title: 'Mail not sent', kind: 'messages', mark: 'mail-unsent' },
  MailReturned: { title: 'Mail came back', kind: 'messages', mark: 'mail-unsent' },
  TextSent: { title: 'Text sent', kind: 'messages', mark: 'text' },
  TextFailed: { title: 'Text not sent', kind: 'messages', mark: 'text-unsent' },
  ContactStopped: { title: 'Messages stopped', kind: 'messages', mark: 'other' },
  ContactResumed: { title: 'Messages allowed again', kind: 'messages', mark: 'other' },
  TextsStopped: { title: 'Texts stopped', kind: 'messages', mark: 'text' },
  DunningStarted: { title: 'Payment reminders started', kind: 'messages', mark: 'other' },
  DunningReminderDue: { title: 'Payment reminder due', kind: 'messages', mark: 'other' },
  DunningEnded: { title: 'Payment reminders ended', kind: 'messages', mark: 'other' },
  RenewalReminderDue: { title: 'Renewal reminder due', kind: 'messages', mark: 'other' },
  CardReminderDue: { title: 'Card reminder due', kind: 'messages', mark: 'other' },

  PaymentCustomerLinked: {
    title: 'Linked to the payment provider',
    kind: 'billing',
    mark: 'other',
  },
  BillingDetailsChanged: { title: 'Billing details changed', kind: 'billing', mark: 'other' },
  PaymentMethodChanged: { title: 'Payment method changed', kind: 'billing', mark: 'other' },
  CheckoutStarted: { title: 'Checkout started', kind: 'billing', mark: 'other' },
  CheckoutSessionOpened: { title: 'Payment page opened', kind: 'billing', mark: 'other' },
  CheckoutCompleted: { title: 'Checkout completed', kind: 'billing', mark: 'other' },
  CheckoutExpired: { title: 'Checkout closed', kind: 'billing', mark: 'other' },
  CheckoutFailed: { title: 'Checkout refused', kind: 'billing', mark: 'other' },

  SubscriptionStarted: { title: 'Subscription started', kind: 'billing', mark: 'plan-change' },
  SubscriptionRenewed: { title: 'Subscription renewed', kind: 'billing', mark: 'plan-change' },
  SubscriptionStatusChanged: {
    title: 'Subscription status changed',
    kind: 'billing',
    mark: 'plan-change',
  },
  SubscriptionPaused: { title: 'Subscription paused', kind: 'billing', mark: 'plan-change' },
  SubscriptionResumed: { title: 'Subscription resumed', kind: 'billing', mark: 'plan-change' },
  PlanChangeScheduled: { title: 'Plan change scheduled', kind: 'billing', mark: 'plan-change' },
  PlanChangeDropped: { title: 'Plan change dropped', kind: 'billing', mark: 'plan-change' },
  PlanChanged: { title: 'Plan changed', kind: 'billing', mark: 'plan-change' },
  RecurringDeductionsChanged: {
    title: 'Lasting discounts changed',
    kind: 'billing',
    mark: 'plan-change',
  },
  CancellationScheduled: { title: 'Cancellation scheduled', kind: 'billing', mark: 'plan-change' },
  CancellationWithdrawn: { title: 'Cancellation withdrawn', kind: 'billing', mark: 'plan-change' },
  SubscriptionEnded: { title: 'Subscription ended', kind: 'billing', mark: 'plan-change' },

  PaymentSucceeded: {
    title: 'Payment succeeded',
    kind: 'billing',
    mark: 'paid',
    // The money that moved: the dashboard's revenue is the sum of these amounts.
    money: ({ amounts: { paid, currency } }) => ({ amount: paid, currency }),
  },
  PaymentFailed: {
    title: 'Payment failed',
    kind: 'billing',
    mark: 'failed',
    money: ({ due }) => due,
  },
  UnpaidInvoiceChanged: { title: 'Unpaid invoice changed', kind: 'billing', mark: 'other' },
  InvoiceWrittenOff: {
    title: 'Invoice written off',
    kind: 'billing',
    mark: 'failed',
    money: ({ due }) => due,
  },
  RefundProposed: { title: 'Refund proposed', kind: 'billing', mark: 'returned' },
  RefundProposalApproved: { title: 'Refund approved', kind: 'billing', mark: 'returned' },
  RefundProposalDeclined: { title: 'Refund declined', kind: 'billing', mark: 'other' },
  RefundProposalWithdrawn: { title: 'Refund proposal withdrawn', kind: 'billing', mark: 'other' },
  RefundProposalFailed: { title: 'Approved refund not made', kind: 'billing', mark: 'other' },
  // The money moves with RefundRecorded.
  RefundRequested: { title: 'Refund requested', kind: 'billing', mark: 'returned' },
  RefundRefused: { title: 'Refund refused', kind: 'billing', mark: 'other' },
  RefundRecorded: {
    title: 'Refund recorded',
    kind: 'billing',
    mark: 'returned',
    // A pending refund returns its money when its status becomes succeeded.
    money: ({ amount, status }) => (hasReturnedMoney(status) ? returned(amount) : null),
  },
  RefundStatusChanged: {
    title: 'Refund status changed',
    kind: 'billing',
    mark: 'returned',
    money: ({ amount, from, to }) => {
      if (hasReturnedMoney(from) === hasReturnedMoney(to)) return null
      return hasReturnedMoney(to) ? returned(amount) : amount
    },
  },
  RefundStatusOverridden: { title: 'Refund status set', kind: 'billing', mark: 'returned' },
  CreditNoteIssued: {
    title: 'Credit note issued',
    kind: 'billing',
    mark: 'returned',
    money: ({ total }) => returned(total),
  },
  CreditNoteVoided: {
    title: 'Credit note voided',
    kind: 'billing',
    mark: 'returned',
    money: ({ total }) => total,
  },
  DisputeOpened: {
    title: 'Dispute opened',
    kind: 'billing',
    mark: 'returned',
    // An inquiry moves no money.
    money: ({ kind, amount }) => (kind === 'chargeback' ? returned(amount) : null),
  },
  DisputeFeeCharged: {
    title: 'Dispute fee',
    kind: 'billing',
    mark: 'returned',
    // The product pays the fee. A fee that the provider returns is positive.
    money: ({ fee }) => returned(fee),
  },
  DisputeClosed: {
    title: 'Dispute closed',
    kind: 'billing',
    mark: 'returned',
    // A lost dispute keeps the money that DisputeOpened shows. An inquiry moved no money.
    money: ({ outcome, amount }) => (outcome === 'won' ? amount : null),
  },

  ControlFired: { title: 'Control fired', kind: 'billing', mark: 'other' },

  ...clientReminderLabels,
  ...importLabels,
  ...receivableLabels,
}

/** Every event type that has a label: the types of the catalogue. */
export const labeledTypes = Object.keys(labels) as readonly EventType[]

/** Title, kind and mark of an event type. */
export function eventLabel(type: EventType): Omit<EventLabel<never>, 'money'> {
  return labels[type]
}

/** The money that the event is about, in minor units. Null if it is about no money. */
export function eventMoney<Type extends EventType>(event: {
  readonly type: Type
  readonly data: DataByType[Type]
}): Money | null {
  return labels[event.type].money?.(event.data) ?? null
}

/** `0 - 0` is 0, and `-0` is not: JSON and screens would differ. */
function returned({ amount, currency }: Money): Money {
  return { amount: 0 - amount, currency }
}

/** The title of a type that a table stores as text. A type of a newer release is its own title. */
export function eventTitle(type: string): string {
  const known = labeledTypes.find((each) => each === type)
  return known === undefined ? type : eventLabel(known).title
}
