import { z } from 'zod'
import { event, type EventsOf } from './define-event.ts'

/** Stream `adminAccess-{yyyy-mm}`: who came to the console, and who was turned away. */
export const adminAccessEvents = {
  /** `adminId` names the session's actor in every event it causes; it is not the session's id. */
  AdminSignedIn: event({ adminId: z.string() }),
  AdminSignInRefused: event({ reason: z.enum(['wrong-password', 'too-many-tries']) }),
  AdminSignedOut: event({ adminId: z.string() }),
} as const

export type AdminAccessEvent = EventsOf<typeof adminAccessEvents>
