import { z } from 'zod'
import { event, type EventsOf } from './define-event.ts'

/** Stream `email-{hmac of the address}`: to which account an address belongs. */
export const emailClaimEvents = {
  EmailClaimed: event({ userId: z.string() }),
  EmailReleased: event({ userId: z.string() }),
} as const

export type EmailClaimEvent = EventsOf<typeof emailClaimEvents>
