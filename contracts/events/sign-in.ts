import { z } from 'zod'
import { event, mayGrow, personal, type EventsOf } from './define-event.ts'

/**
 * Stream `signIn-{userId}`: requests for codes, tries and sessions. Strangers can cause these
 * events, so no decision reads them: the account stream stays short. An event never contains a code
 * or a session.
 */
export const signInEvents = {
  /** The product mailed a code to `email`. `resend` counts from 0 within the window of resends. */
  CodeRequested: event(['sign-in'], { email: personal(z.string()), resend: z.int().min(0) }),
  CodeRefused: event(['sign-in'], {
    reason: mayGrow(z.enum(['wrong', 'expired', 'too-many-tries'])),
  }),
  SignedIn: event(['sign-in'], { email: personal(z.string()) }),
  /**
   * The customer ended a session. `everywhere`: every session of the account. `otherSession`: a
   * session that the customer chose in the list. Otherwise the session of the request.
   */
  SignedOut: event(['sign-in'], {
    everywhere: z.literal(true).optional(),
    otherSession: z.literal(true).optional(),
  }),
} as const

export type SignInEvent = EventsOf<typeof signInEvents>
