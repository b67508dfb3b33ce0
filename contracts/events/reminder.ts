import { z } from 'zod'
import { instant } from '../instant.ts'
import { paymentMethod, terms } from './billing-parts.ts'
import { event, type EventsOf } from './define-event.ts'

/** Stream `reminder-{userId}`: mails that a date causes, and no other event. */
export const reminderEvents = {
  /** A period of several months ends soon, and the subscription will be charged again. */
  RenewalReminderDue: event(['reminder'], {
    subscriptionId: z.string(),
    renewsAt: instant,
    ...terms,
  }),
  /** The card of the next payments expires at the end of its month. */
  CardReminderDue: event(['reminder'], { subscriptionId: z.string(), method: paymentMethod }),
} as const

export type ReminderEvent = EventsOf<typeof reminderEvents>
