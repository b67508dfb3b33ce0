import { z } from 'zod'
import { event, personal, type EventsOf } from './define-event.ts'

const profile = {
  fullName: personal(z.string()),
  companyName: personal(z.string()),
  domain: z.string(),
  websiteUrl: personal(z.string()).optional(),
  address: personal(z.string()),
  city: personal(z.string()).optional(),
  state: z.string(),
  zipcode: personal(z.string()),
  supportEmail: personal(z.string()),
  supportPhone: personal(z.string()),
}

/** Stream `account-{userId}`: who a customer is, and how they came in. Never a code, never a session. */
export const accountEvents = {
  /** An e-mail was entered (user type 1). */
  AccountOpened: event({ userId: z.string(), email: personal(z.string()) }),
  /** User type 2, with the terms accepted in the same act. */
  CompanyProfileCompleted: event({ ...profile, termsVersion: z.string() }),
  ProfileUpdated: event(profile),
  /** A code was mailed to `email`. `resend` counts from 0 within the window of resends. */
  CodeRequested: event({ email: personal(z.string()), resend: z.int().min(0) }),
  CodeRefused: event({ reason: z.enum(['wrong', 'expired', 'too-many-tries']) }),
  /** User type 3: the owner of `email` entered the code that was sent there. */
  EmailVerified: event({ email: personal(z.string()) }),
  SignedIn: event({ email: personal(z.string()) }),
  SignedOut: event({}),
  /** The last event of the account: its person's key is destroyed, and what was encrypted with it reads as '[erased]'. */
  PersonalDataErased: event({}),
} as const

export type AccountEvent = EventsOf<typeof accountEvents>
export type CompanyProfile = Extract<AccountEvent, { type: 'ProfileUpdated' }>['data']
