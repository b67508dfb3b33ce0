import { z } from 'zod'
import { event, type EventsOf } from './define-event.ts'

/**
 * Stream `email-{HMAC of the address}`: the account that owns the address. The claims of an address
 * are numbered from 1. The owner can claim a secondary address again, which gives the claim a new
 * number.
 *
 * EmailClaimed has its number only if the number is not the next one of the stream. EmailClaimMoved
 * ends the stream: from then on the stream under the next EMAIL_HMAC_KEY has the claims. Its
 * `userId` is the owner at that moment, or null (docs/decisions/0035-rotation-of-keys.md).
 */
export const emailClaimEvents = {
  EmailClaimed: event(['address'], { userId: z.string(), claim: z.int().positive().optional() }),
  EmailReleased: event(['address'], { userId: z.string() }),
  EmailClaimMoved: event(['address'], { userId: z.string().nullable() }),
} as const

export type EmailClaimEvent = EventsOf<typeof emailClaimEvents>
