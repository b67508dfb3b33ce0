import { accountEvents } from './account.ts'
import { adminAccessEvents } from './admin-access.ts'
import { administratorsEvents } from './administrators.ts'
import { billingEvents } from './billing.ts'
import { clientEvents } from './client.ts'
import { clientReminderEvents } from './client-reminder.ts'
import { closeEvents } from './close.ts'
import { contactStopEvents } from './contact-stop.ts'
import { controlEvents } from './control.ts'
import { dunningEvents } from './dunning.ts'
import { emailClaimEvents } from './email-claim.ts'
import { enquiryEvents } from './enquiry.ts'
import { exportApprovalEvents } from './export-approval.ts'
import { importEvents } from './import.ts'
import { merchantEvents } from './merchant.ts'
import { notificationEvents } from './notification.ts'
import { receivableEvents } from './receivable.ts'
import { refundApprovalEvents } from './refund-approval.ts'
import { reminderEvents } from './reminder.ts'
import { signInEvents } from './sign-in.ts'
import type { EventDefinitions, EventsOf } from './define-event.ts'
import type { EventMetadata } from './envelope.ts'

/** The event types of each stream category. */
export const eventsByCategory = {
  account: accountEvents,
  adminAccess: adminAccessEvents,
  administrators: administratorsEvents,
  billing: billingEvents,
  client: clientEvents,
  clientReminder: clientReminderEvents,
  close: closeEvents,
  contactStop: contactStopEvents,
  control: controlEvents,
  dunning: dunningEvents,
  email: emailClaimEvents,
  enquiry: enquiryEvents,
  exportApproval: exportApprovalEvents,
  import: importEvents,
  merchant: merchantEvents,
  notification: notificationEvents,
  receivable: receivableEvents,
  refundApproval: refundApprovalEvents,
  reminder: reminderEvents,
  signIn: signInEvents,
} as const

export type StreamCategory = keyof typeof eventsByCategory

/** Every event type that the log can contain. The codec refuses to write or read any other type. */
export const eventCatalogue: EventDefinitions = Object.fromEntries(
  Object.values(eventsByCategory).flatMap((definitions: EventDefinitions) =>
    Object.entries(definitions),
  ),
)

type EventOfCategory = {
  [Category in StreamCategory]: EventsOf<(typeof eventsByCategory)[Category]>
}

export type DomainEvent = EventOfCategory[StreamCategory]

/** The category whose streams contain these events. */
export type CategoryOf<Event extends DomainEvent> = {
  [Category in StreamCategory]: Event extends EventOfCategory[Category] ? Category : never
}[StreamCategory]

/**
 * An event as deciders and projections receive it: decrypted and upcast to the current schema
 * version. `revision` counts from 0 within the stream. `position` orders the whole log and is
 * opaque outside the event store's adapter.
 */
export type RecordedEvent<Event extends { type: string; data: unknown } = DomainEvent> = Event & {
  readonly id: string
  readonly stream: string
  readonly revision: number
  readonly position: string
  readonly metadata: EventMetadata
}
