import { z } from 'zod'
import { providerRef } from './provider-ref.ts'
import { instant } from '../instant.ts'
import { money } from '../money.ts'
import { event, mayGrow, type EventsOf } from './define-event.ts'

/** The unpaid invoice. `startedAt` is the time of its first failed payment. */
const ofInvoice = {
  invoiceRef: providerRef,
  paymentId: z.string(),
  subscriptionId: z.string(),
  planName: z.string().nullable(),
  due: money,
  startedAt: instant,
}

/**
 * Stream `dunning-{userId}`: the reminders of unpaid invoices. The process manager in
 * services/notifications/dunning decides them from the billing stream and the business clock.
 */
export const dunningEvents = {
  DunningStarted: event(['reminder'], ofInvoice),
  /** `day` counts from `startedAt`. The mail and the text follow from this event. */
  DunningReminderDue: event(['reminder'], { ...ofInvoice, day: z.literal([0, 3, 5, 7]) }),
  /**
   * `canceled`: the subscription ended, for any reason. `written-off`: the provider no longer
   * collects the invoice.
   */
  DunningEnded: event(['reminder'], {
    ...ofInvoice,
    why: mayGrow(z.enum(['recovered', 'canceled', 'written-off'])),
  }),
} as const

export type DunningEvent = EventsOf<typeof dunningEvents>
