import { z } from 'zod'
import { event, type EventsOf } from './define-event.ts'

/**
 * Stream `control-{userId}`: the controls that fired for a customer (services/finance/controls). No
 * decision of the product depends on them.
 */
export const controlEvents = {
  /**
   * The event `eventId` broke the rule of the control. `control` is its name, which can be one of
   * an earlier release. `sentence` has amounts and ids, and names no person.
   */
  ControlFired: event(['control'], {
    control: z.string(),
    title: z.string(),
    eventId: z.string(),
    sentence: z.string(),
  }),
} as const

export type ControlEvent = EventsOf<typeof controlEvents>
