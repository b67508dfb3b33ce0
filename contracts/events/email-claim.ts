import { z } from 'zod'
import { event, type EventsOf } from './define-event.ts'

/** Stream `email-{HMAC of the address}`: the account that owns the address. */
export const emailClaimEvents = {
  EmailClaimed: event({ userId: z.string() }),
  EmailReleased: event({ userId: z.string() }),
} as const

export type EmailClaimEvent = EventsOf<typeof emailClaimEvents>
