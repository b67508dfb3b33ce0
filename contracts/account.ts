import { z } from 'zod'
import { userType } from './admin/users.ts'
import { emailAddress } from './email-address.ts'
import { instant } from './instant.ts'
import { nameContracts } from './name-contracts.ts'
import { profileForm } from './profile.ts'

/** `GET /api/profile` and `PATCH /api/profile`: the customer's own account. */
export const profileResponse = z.object({
  email: z.string(),
  secondary_email: z.string().nullable(),
  /** Null until the customer has finished the sign-up. */
  profile: z
    .object({
      full_name: z.string(),
      company_name: z.string(),
      domain: z.string(),
      website_url: z.string().nullable(),
      address: z.string(),
      city: z.string().nullable(),
      state: z.string(),
      zipcode: z.string(),
      support_email: z.string(),
      support_phone: z.string(),
    })
    .nullable(),
  /** Names the saved profile. `PATCH /api/profile` repeats it. Null without a profile. */
  profile_version: z.string().nullable(),
  created_at: instant,
  user_type: userType,
})
export type ProfileResponse = z.infer<typeof profileResponse>

/**
 * `PATCH /api/profile`: the whole form of the sign-up without the terms. An absent optional field
 * is removed. Before the sign-up is finished the answer is 409. `profile_version` is that of the
 * profile which the form showed: if the profile was changed since, the answer is 409 with this
 * field, and nothing is saved.
 */
export const updateProfileRequest = profileForm
  .omit({ has_accepted_terms: true })
  .extend({ profile_version: z.string().min(1).max(64).nullable() })

/** `GET /api/auth/sessions`: the customer's sessions, newest sign-in first. */
export const sessionsResponse = z.object({
  sessions: z.array(
    z.object({
      /** Names the session in `POST /api/auth/sessions/:id/end`. It signs in to nothing. */
      id: z.uuid(),
      /** The session of this request. */
      isCurrent: z.boolean(),
      signedInAt: instant,
      lastSeenAt: instant,
      /** Such as 'Firefox on Windows'. Null if the browser is unknown. */
      browser: z.string().nullable(),
    }),
  ),
})
export type SessionsResponse = z.infer<typeof sessionsResponse>

/** `POST /api/auth/sessions/:id/end`. A session that has ended before gives the same answer, {}. */
export const endSessionParams = z.object({ id: z.uuid().toLowerCase() })

/**
 * `POST /api/profile/delete`: the customer types the address of the account. Another address is 400
 * with the field `email`.
 */
export const deleteAccountRequest = z.object({ email: emailAddress })

/** At most so many downloads of `GET /api/profile/data` per account and hour. */
export const maxDataDownloads = 10

nameContracts({
  ProfileResponse: profileResponse,
  UpdateProfileRequest: updateProfileRequest,
  SessionsResponse: sessionsResponse,
  DeleteAccountRequest: deleteAccountRequest,
})
