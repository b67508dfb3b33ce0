import { z } from 'zod'
import { event, mayGrow, type EventsOf } from './define-event.ts'

/**
 * Stream `contactStop-{hmac}`: whether messages may go to one address or number. The HMAC is of a
 * mailbox and a merchant, of a number and a merchant, or of a number alone
 * (`services/receivables/stops/stop-ids.ts`). No event names a merchant or a client, so a stop
 * outlives the erasure of both.
 */
export const contactStopEvents = {
  /**
   * `text`: STOP from the number. `provider`: the provider of texts refuses the number, because
   * STOP was answered. `one-click`: the button of a mail program.
   */
  ContactStopped: event(['stop'], {
    via: mayGrow(z.enum(['portal', 'one-click', 'text', 'provider'])),
  }),
  ContactResumed: event(['stop'], { via: mayGrow(z.enum(['portal', 'text'])) }),
} as const

export type ContactStopEvent = EventsOf<typeof contactStopEvents>
