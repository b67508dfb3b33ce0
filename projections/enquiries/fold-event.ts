import type { RecordedEvent } from '#contracts/events/catalogue'
import type { EnquiryEvent } from '#contracts/events/enquiry'
import { eventConsumer } from '#services/foundation/event-consumer'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { unreachable } from '#services/foundation/decider'
import { streamOwner } from '#services/foundation/stream-names'
import type { Enquiry } from './enquiry.ts'

export const enquiryConsumer = eventConsumer({ name: 'enquiries', concernedBy: ['enquiry'] })

const erased = {
  first_name: erasedValue,
  last_name: erasedValue,
  email: erasedValue,
  phone_number: erasedValue,
  message: erasedValue,
  goals: erasedValue,
} as const

/** The enquiry after the event. `before` is undefined until EnquirySubmitted. */
export function foldEvent(
  before: Enquiry | undefined,
  event: RecordedEvent<EnquiryEvent>,
): Enquiry {
  const at = new Date(event.metadata.occurredAt)
  if (event.type === 'EnquirySubmitted') {
    const { firstName, lastName, email, phoneNumber, message, goals } = event.data
    return (
      before ?? {
        enquiry_id: streamOwner(event.stream),
        first_name: firstName,
        last_name: lastName,
        email,
        phone_number: phoneNumber,
        message,
        goals,
        status: 'open',
        created_at: at,
        updated_at: at,
      }
    )
  }
  if (!before)
    throw new DamagedHistory(
      `Enquiry ${streamOwner(event.stream)} has no EnquirySubmitted before this event. Run 'billing events verify'.`,
    )
  switch (event.type) {
    case 'EnquiryStatusChanged':
      return { ...before, status: event.data.to, updated_at: at }
    case 'EnquiryErased':
      return { ...before, ...erased }
    default:
      return unreachable(event)
  }
}
