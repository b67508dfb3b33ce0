import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { currency } from '../money.ts'
import { clientCheckoutEvents } from './client-checkout.ts'
import { event, mayGrow, personal, type EventsOf } from './define-event.ts'
import { channel } from './message-parts.ts'
import { amount, hold, moneyMethod, note, ofClient } from './receivable-parts.ts'

/**
 * Who a client is and how to reach it. `number` is the merchant's number of the client. `state` is
 * a state of the USA by its name, `timeZone` an IANA name; both decide when a message may go out.
 */
const details = z.object({
  name: personal(z.string()),
  number: personal(z.string()).nullable(),
  email: personal(z.string()).nullable(),
  phone: personal(z.string()).nullable(),
  state: z.string().nullable(),
  timeZone: z.string().nullable(),
  note: note.nullable(),
})
export type ClientDetails = Readonly<z.infer<typeof details>>

const credit = { ...ofClient, creditId: z.string(), currency, amount }

/**
 * Stream `client-{clientId}`: a company or person that owes a merchant money. The key of the
 * personal fields belongs to the client.
 */
export const clientEvents = {
  ClientAdded: event(['client'], { ...ofClient, details }),
  ClientChanged: event(['client'], { ...ofClient, before: details, after: details }),
  /** The client agreed to texts on `date`. `source` says where: a form, a call, a file. */
  TextConsentRecorded: event(['client'], { ...ofClient, source: note, date: calendarDay }),
  TextConsentWithdrawn: event(['client'], ofClient),
  ClientHeld: event(['client'], { ...ofClient, ...hold }),
  ClientReleased: event(['client'], ofClient),
  /** The surplus of a payment of a receivable. */
  CreditAdded: event(['client', 'movement'], {
    ...credit,
    date: calendarDay,
    receivableId: z.string(),
    paymentId: z.string(),
  }),
  /** The amount is reserved here before the receivable gets it. */
  CreditApplied: event(['client', 'movement'], {
    ...credit,
    applicationId: z.string(),
    receivableId: z.string(),
    date: calendarDay,
  }),
  /** The receivable did not need all of an application. */
  CreditRestored: event(['client', 'movement'], { ...credit, applicationId: z.string() }),
  /** The merchant gave the money back to the client. */
  CreditReturned: event(['client', 'movement'], {
    ...credit,
    returnId: z.string(),
    date: calendarDay,
    method: moneyMethod,
    note: note.nullable(),
  }),
  /**
   * The payment of the credit is reversed: the credit ends before the receivable records the
   * reversal, so that nothing of it can be used meanwhile.
   */
  CreditCanceled: event(['client', 'movement'], {
    ...credit,
    receivableId: z.string(),
    paymentId: z.string(),
    why: mayGrow(z.enum(['recorded-in-error', 'returned'])),
    date: calendarDay,
    note: note.nullable(),
  }),
  /**
   * A refund of the payment took `amount` of the credit. `short`: what the refund could not take,
   * because it was used or paid back before. The credit owes it: what comes back to it goes first.
   */
  CreditReversed: event(['client', 'movement'], {
    ...credit,
    receivableId: z.string(),
    paymentId: z.string(),
    reversalId: z.string(),
    amount: z.int().min(0),
    short: z.int().min(0),
  }),
  /**
   * The mail server, or Twilio, refused a message to this address or number for good, or a mail to
   * it came back. Nothing more is sent there until the merchant changes it. `reason`: codes of the
   * server, without the address.
   */
  ClientAddressBounced: event(['client'], {
    ...ofClient,
    channel,
    address: personal(z.string()),
    reason: z.string(),
  }),
  /** Earlier links to the client's portal lead nowhere. `generation` is that of the next ones. */
  PortalLinkRevoked: event(['client'], { ...ofClient, generation: z.int().min(1) }),
  /** A browser showed the portal. Recorded once an hour at most. */
  ClientPortalOpened: event(['client'], ofClient),
  /** The import that added it was undone: it is on no list. Its erasure follows. */
  ClientWithdrawn: event(['client'], { ...ofClient, importId: z.string() }),
  /** Its personal data was erased, and its key destroyed. Sums stay. */
  ClientErased: event(['client', 'erasure'], ofClient),
  ...clientCheckoutEvents,
} as const

export type ClientEvent = EventsOf<typeof clientEvents>
