import type { EventLabel } from './event-label.ts'
import type { ClientEvent } from './events/client.ts'
import type { MerchantEvent } from './events/merchant.ts'
import type { ReceivableEvent } from './events/receivable.ts'

type Event = ClientEvent | MerchantEvent | ReceivableEvent

const other = { kind: 'receivables', mark: 'other' } as const

/*
 * How a merchant's history shows the events of clients and receivables. They have no money there:
 * it is the merchant's, and the sums of the console are what customers paid to the seller.
 */
export const receivableLabels: {
  readonly [Each in Event as Each['type']]: EventLabel<Each['data']>
} = {
  TimeZoneChosen: { title: 'Time zone chosen', ...other },
  ApiKeyMade: { title: 'Key for programs made', ...other },
  ApiKeyRevoked: { title: 'Key for programs revoked', ...other },
  PaymentAccountCreated: { title: 'Payment account created', ...other },
  PaymentAccountReconnected: { title: 'Payment account connected again', ...other },
  PaymentAccountChanged: { title: 'Payment account changed', ...other },
  PaymentAccountDisconnected: { title: 'Payment account disconnected', ...other },
  GatewayLinkChanged: { title: 'Link to pay changed', ...other },
  PayInstructionsChanged: { title: 'Instructions to pay changed', ...other },
  ScheduleChanged: { title: 'Schedule of reminders changed', ...other },
  RemindersTurnedOn: { title: 'Reminders turned on', ...other },
  RemindersTurnedOff: { title: 'Reminders turned off', ...other },
  SendingStopped: { title: 'Messages to clients stopped', ...other },
  SendingAllowed: { title: 'Messages allowed', ...other },
  SendingLimitsSet: { title: 'Limits of messages set', ...other },
  TemplateChanged: { title: 'Template changed', ...other },
  TemplateRestored: { title: 'Template restored', ...other },
  BrandChanged: { title: 'Brand changed', ...other },
  SenderNameApproved: { title: 'Sender name approved', ...other },
  MerchantErased: { title: 'Clients erased', ...other },

  ClientAdded: { title: 'Client added', ...other },
  ClientChanged: { title: 'Client changed', ...other },
  TextConsentRecorded: { title: 'Consent to texts recorded', ...other },
  TextConsentWithdrawn: { title: 'Consent to texts withdrawn', ...other },
  PortalLinkRevoked: { title: 'Portal link revoked', ...other },
  ClientPortalOpened: { title: 'Portal opened', ...other },
  ClientAddressBounced: { title: 'Address bounced', ...other },
  ClientHeld: { title: 'Client on hold', ...other },
  ClientReleased: { title: 'Client no longer on hold', ...other },
  CreditAdded: { title: 'Credit added', ...other },
  CreditApplied: { title: 'Credit used', ...other },
  CreditRestored: { title: 'Credit restored', ...other },
  CreditReturned: { title: 'Credit paid back', ...other },
  CreditCanceled: { title: 'Credit ended', ...other },
  CreditReversed: { title: 'Credit taken by a refund', ...other },
  ClientCheckoutStarted: { title: 'Client checkout started', ...other },
  ClientCheckoutOpened: { title: 'Client checkout opened', ...other },
  ClientCheckoutSubmitted: { title: 'Client payment on its way', ...other },
  ClientCheckoutClosed: { title: 'Client checkout closed', ...other },
  ClientPaymentReceived: { title: 'Client paid', ...other },
  ClientPaymentReversed: { title: 'Client payment taken back', ...other },
  ClientPaymentRestored: { title: 'Client payment restored', ...other },
  ClientChargebackLost: { title: 'Chargeback lost', ...other },
  PlatformFeeCharged: { title: 'Fee charged', ...other },
  PlatformFeeReturned: { title: 'Fee returned', ...other },
  ClientWithdrawn: { title: 'Client withdrawn', ...other },
  ClientErased: { title: 'Client erased', ...other },

  ReceivableAdded: { title: 'Invoice added', ...other },
  ReceivableChanged: { title: 'Invoice changed', ...other },
  PaymentRecorded: { title: 'Payment recorded', ...other },
  PaymentReversed: { title: 'Payment reversed', ...other },
  CreditMemoIssued: { title: 'Credit memo issued', ...other },
  CreditReceived: { title: 'Paid by credit', ...other },
  CreditTakenBack: { title: 'Credit taken back', ...other },
  RemindersHeld: { title: 'Invoice on hold', ...other },
  RemindersReleased: { title: 'Invoice no longer on hold', ...other },
  PaymentPromised: { title: 'Payment promised', ...other },
  PromiseWithdrawn: { title: 'Promise withdrawn', ...other },
  ReceivableDisputed: { title: 'Invoice disputed', ...other },
  DisputeResolved: { title: 'Dispute resolved', ...other },
  ReceivableWrittenOff: { title: 'Bad debt written off', ...other },
  ReceivableCanceled: { title: 'Invoice canceled', ...other },
  ReceivableReopened: { title: 'Invoice reopened', ...other },
  ReceivableWithdrawn: { title: 'Invoice withdrawn', ...other },
}
