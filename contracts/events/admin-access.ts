import { z } from 'zod'
import { event, type EventsOf } from './define-event.ts'

/** Stream `adminAccess-{yyyy-mm}`: sign-ins to the administrator console, accepted and refused. */
export const adminAccessEvents = {
  /**
   * `adminId` is the actor id of every event that this session causes. `adminId` is not the
   * session's id.
   */
  AdminSignedIn: event({ adminId: z.string() }),
  AdminSignInRefused: event({ reason: z.enum(['wrong-password', 'too-many-tries']) }),
  AdminSignedOut: event({ adminId: z.string() }),
} as const

export type AdminAccessEvent = EventsOf<typeof adminAccessEvents>
