import { z } from 'zod'
import { event, mayGrow, personal, type EventsOf } from './define-event.ts'

const status = mayGrow(z.enum(['open', 'inprogress', 'closed']))

/** Stream `enquiry-{enquiryId}`: a visitor's message from the contact form. */
export const enquiryEvents = {
  /**
   * The key of the personal fields belongs to the enquiry and to the address
   * (docs/decisions/0022-enquiries.md). `addressHmac` is not personal: it selects the key, and it
   * shows which enquiries are of one address.
   */
  EnquirySubmitted: event(['enquiry'], {
    addressHmac: z.string(),
    firstName: personal(z.string()),
    lastName: personal(z.string()),
    email: personal(z.string()),
    phoneNumber: personal(z.string()),
    message: personal(z.string()),
    /** Empty if the visitor stated no goals. */
    goals: personal(z.string()),
    /** No mail confirms the enquiry: strangers caused too many mails to the address. */
    confirmation: z.literal('withheld').optional(),
  }),
  /** The actor is the administrator. */
  EnquiryStatusChanged: event(['enquiry'], {
    from: status,
    to: mayGrow(status.exclude(['open'])),
  }),
  /** The owner of the address was erased. The key of this enquiry is destroyed. */
  EnquiryErased: event(['enquiry', 'erasure'], {}),
} as const

export type EnquiryEvent = EventsOf<typeof enquiryEvents>
