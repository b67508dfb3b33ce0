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

/** Stream `account-{userId}`: the customer's identity. Sign-ins are in stream `signIn-{userId}`. */
export const accountEvents = {
  /** The customer entered an e-mail address (user type 1). */
  AccountOpened: event(['person'], { userId: z.string(), email: personal(z.string()) }),
  /**
   * User type 2. The customer accepted the terms in the same form. It replaces an earlier profile
   * while no address of the account is verified.
   */
  CompanyProfileCompleted: event(['person'], { ...profile, termsVersion: z.string() }),
  /**
   * A browser saved the profile, and another browser verified the address. Anyone can save a
   * profile for an address, so the owner completes the profile again and accepts the terms.
   */
  ProfileDiscarded: event(['person'], {}),
  /** The owner changed the profile of a verified account. */
  ProfileUpdated: event(['person'], profile),
  /**
   * User type 3: the customer entered the code that the product mailed to `email`, the primary or
   * the secondary address.
   */
  EmailVerified: event(['person'], { email: personal(z.string()) }),
  /**
   * The account has a second address to sign in with. `claim` is the number of the claim in the
   * address's stream. An earlier secondary address was removed before.
   */
  SecondaryEmailSet: event(['person'], { email: personal(z.string()), claim: z.int().min(1) }),
  SecondaryEmailRemoved: event(['person'], { email: personal(z.string()) }),
  /**
   * The account does not use this claim of an address, nor an earlier one: another process releases
   * the address. docs/decisions/0017-secondary-email.md.
   */
  EmailClaimDropped: event(['person'], { email: personal(z.string()), claim: z.int().min(1) }),
  /** The account's subscriptions end, and it cannot subscribe. The actor is the administrator. */
  AccountBlocked: event(['access'], {}),
  /** The account can subscribe again. Ended subscriptions stay ended. */
  AccountUnblocked: event(['access'], {}),
  /**
   * The last event of the account: the personal key is destroyed. Fields encrypted with the key
   * read as '[erased]'.
   */
  PersonalDataErased: event(['person', 'erasure'], {}),
} as const

export type AccountEvent = EventsOf<typeof accountEvents>
export type CompanyProfile = Extract<AccountEvent, { type: 'ProfileUpdated' }>['data']
