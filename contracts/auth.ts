import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { instant } from './instant.ts'
import { adminRight, adminRole } from './admin/roles.ts'
import { nameContracts } from './name-contracts.ts'
import { profileForm } from './profile.ts'
import { enteredCode } from './entered-code.ts'

const userId = z.string().min(1).max(64)

export const checkUserRequest = z.object({ email: emailAddress })
/** `isNewUser` is true until the account has a company profile or a verified address. */
export const checkUserResponse = z.object({ isNewUser: z.boolean() })

/**
 * How often an account may request a code again within the window of resends. The server enforces
 * the limit. docs/security.md states it.
 */
export const maxResends = 3

/** The wait between two codes. Source: docs/security.md. */
export const resendAfterSeconds = 60

export const requestOtpRequest = z.object({ email: emailAddress })
/**
 * The server enforces `resendsLeft` and `resendAfterSeconds`. The dialog shows them, and the inbox
 * that a simulated mail server has.
 */
export const requestOtpResponse = z.object({
  userId: z.string(),
  resendsLeft: z.int().min(0),
  resendAfterSeconds: z.int().min(0),
  inboxUrl: z.url().optional(),
})

/**
 * `profile_version`: as in `PATCH /api/profile`, null if the form showed no profile. If a profile
 * was saved since, the answer is 409. Without it, the form replaces the saved profile.
 */
export const completeSignupRequest = profileForm.extend({
  email: emailAddress,
  profile_version: z.string().min(1).max(64).nullable().optional(),
})
/** `isVerified` is true if the session is already signed in. The dialog then requests no code. */
export const completeSignupResponse = z.object({ userId: z.string(), isVerified: z.boolean() })

export const verifyOtpRequest = z.object({ userId, otp: enteredCode })
export const verifyOtpResponse = z.object({
  isVerified: z.boolean(),
  isCustomer: z.boolean(),
  needsProfileUpdate: z.boolean(),
})

/**
 * The session's caller, and the business clock's time. A visitor also gets 200, with `userId` null.
 */
export const sessionResponse = z.object({
  userId: z.string().nullable(),
  email: z.string().nullable(),
  isVerified: z.boolean(),
  isCustomer: z.boolean(),
  isAdmin: z.boolean(),
  /**
   * Of the administrator's session. `name`: null for the shared password. `rights`: what the role
   * allows. The console offers nothing else. `needsSecondPerson`: refunds above an amount, or
   * exports above a number of records, need a second administrator.
   */
  administrator: z
    .object({
      id: z.string(),
      name: z.string().nullable(),
      role: adminRole,
      rights: z.array(adminRight),
      needsSecondPerson: z.boolean(),
    })
    .nullable(),
  businessName: z.string().nullable(),
  now: instant,
  /** Only with simulated services: their inbox, and whether `now` is ahead of real time. */
  sandbox: z.object({ inboxUrl: z.url().nullable(), isClockAhead: z.boolean() }).optional(),
})

export type SessionResponse = z.infer<typeof sessionResponse>

nameContracts({
  CheckUserRequest: checkUserRequest,
  CheckUserResponse: checkUserResponse,
  RequestOtpRequest: requestOtpRequest,
  RequestOtpResponse: requestOtpResponse,
  CompleteSignupRequest: completeSignupRequest,
  CompleteSignupResponse: completeSignupResponse,
  VerifyOtpRequest: verifyOtpRequest,
  VerifyOtpResponse: verifyOtpResponse,
  SessionResponse: sessionResponse,
})
