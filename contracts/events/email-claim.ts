import { z } from 'zod'
import { event, type EventsOf } from './define-event.ts'

/**
 * Stream `email-{HMAC of the address}`: the account that owns the address. The claims of an address
 * are numbered from 1. The owner can claim a secondary address again, which gives the claim a new
 * number.
 */
export const emailClaimEvents = {
  EmailClaimed: event({ userId: z.string() }),
  EmailReleased: event({ userId: z.string() }),
} as const

export type EmailClaimEvent = EventsOf<typeof emailClaimEvents>
