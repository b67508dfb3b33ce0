import type { ProfileResponse } from '#contracts/account'
import type { UserId } from '#contracts/ids'
import { notLoggedIn } from '#services/http/access'
import type { ReadContext } from '#services/http/read-your-writes'
import type { Accounts } from './accounts.ts'
import { accountOpenedAt, type UserEventParts } from './events-of-user.ts'
import { profileDigest } from './profile-digest.ts'
import { profileFromForm, profileInForm } from './profile-from-form.ts'

/** The profile's version follows from the profile. */
type AccountInForm = Omit<ProfileResponse, 'profile_version'>

/** The query of the users read model that the profile uses. */
export interface ProfileQueries {
  /** Waits for the session's own writes. Answers 503 while the read model does not exist yet. */
  ready(context: ReadContext): Promise<void>
  /** 'unknown': the read model does not have the account yet. */
  profile(userId: UserId): Promise<AccountInForm | 'erased' | 'unknown'>
}

/**
 * The customer's profile.
 * @throws HttpError 401 after an erasure that has not ended the session yet
 */
export type OwnProfile = (userId: UserId, context: ReadContext) => Promise<ProfileResponse>

export function createOwnProfile({
  accounts,
  queries,
  log,
}: {
  readonly accounts: Pick<Accounts, 'find'>
  readonly queries: ProfileQueries
  readonly log: UserEventParts
}): OwnProfile {
  return async (userId, context) => {
    await queries.ready(context)
    const found = await queries.profile(userId)
    if (found === 'erased') throw notLoggedIn()
    const account = found === 'unknown' ? await fromStream(userId) : found
    const profile_version =
      account.profile === null ? null : profileDigest(profileFromForm(account.profile))
    return { ...account, profile_version }
  }

  /**
   * The projector is behind AccountOpened, so the account is new and has not paid. Its stream is
   * short: only its owner makes it longer.
   */
  async function fromStream(userId: UserId): Promise<AccountInForm> {
    const account = await accounts.find(userId)
    const openedAt = await accountOpenedAt(log, userId)
    if (account === null || openedAt === null) throw notLoggedIn()
    const { email, secondaryEmail, isVerified, profile } = account
    return {
      email,
      secondary_email: secondaryEmail,
      profile: profile && profileInForm(profile),
      created_at: openedAt,
      user_type: isVerified ? 3 : profile === null ? 1 : 2,
    }
  }
}
