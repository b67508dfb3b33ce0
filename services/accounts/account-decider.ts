import type { AccountEvent, CompanyProfile } from '#contracts/events/account'
import { parseUserId, type UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { accepted, refused, unreachable, type Decider } from '#services/foundation/decider'

export type AccountState =
  | { readonly kind: 'unopened' }
  | {
      readonly kind: 'open'
      readonly userId: UserId
      readonly email: string
      readonly isVerified: boolean
      readonly isBlocked: boolean
      readonly profile: CompanyProfile | null
      /** The version of the terms that the customer accepted last. Null without a profile. */
      readonly termsVersion: string | null
    }
  /**
   * No customer can sign in to it. `email` is readable until the key is destroyed, so that an
   * interrupted erasure can continue.
   */
  | { readonly kind: 'erased'; readonly userId: UserId; readonly email: string }

export type AccountCommand =
  | {
      readonly type: 'open-account'
      readonly userId: UserId
      readonly email: string
      readonly at: Instant
    }
  | {
      readonly type: 'complete-profile'
      readonly profile: CompanyProfile
      readonly termsVersion: string
      /**
       * The caller is signed in to this account. After an address of the account is verified, only
       * the owner may change the profile.
       */
      readonly isOwner: boolean
      readonly at: Instant
    }
  /** The customer entered the code that was mailed to `email`: each sign-in sends this command. */
  | { readonly type: 'verify-email'; readonly email: string; readonly at: Instant }
  | { readonly type: 'block-account'; readonly at: Instant }
  | { readonly type: 'unblock-account'; readonly at: Instant }
  | { readonly type: 'erase-personal-data'; readonly at: Instant }

export type AccountRefusal = 'no-account' | 'profile-exists'

/**
 * The rules of one customer's account. Sign-ins are recorded in stream `signIn-{userId}`. Codes and
 * sessions are not part of the log.
 */
export const accountDecider: Decider<
  'account',
  AccountState,
  AccountCommand,
  AccountEvent,
  AccountRefusal
> = {
  category: 'account',
  initialState: { kind: 'unopened' },

  evolve(state, event) {
    if (event.type === 'AccountOpened') {
      return {
        kind: 'open',
        userId: parseUserId(event.data.userId),
        email: event.data.email,
        isVerified: false,
        isBlocked: false,
        profile: null,
        termsVersion: null,
      }
    }
    if (state.kind === 'unopened') {
      throw new Error(
        `An account stream starts with AccountOpened, not with ${event.type}. The log is damaged: run npm run billing -- events verify.`,
      )
    }
    if (state.kind === 'erased') return state
    switch (event.type) {
      case 'CompanyProfileCompleted': {
        const { termsVersion, ...profile } = event.data
        return { ...state, profile, termsVersion }
      }
      case 'ProfileUpdated':
        return { ...state, profile: event.data }
      case 'EmailVerified':
        return { ...state, isVerified: true }
      case 'AccountBlocked':
        return { ...state, isBlocked: true }
      case 'AccountUnblocked':
        return { ...state, isBlocked: false }
      case 'PersonalDataErased':
        return { kind: 'erased', userId: state.userId, email: state.email }
      default:
        return unreachable(event)
    }
  },

  decide(command, state) {
    if (command.type === 'open-account') {
      if (state.kind === 'open') return accepted()
      if (state.kind === 'erased') return refused('no-account')
      const { userId, email, at } = command
      return accepted({ type: 'AccountOpened', data: { userId, email }, occurredAt: at })
    }
    if (state.kind === 'unopened') return refused('no-account')
    if (state.kind === 'erased')
      return command.type === 'erase-personal-data' ? accepted() : refused('no-account')

    const occurredAt = command.at
    switch (command.type) {
      case 'complete-profile': {
        const { profile, termsVersion, isOwner } = command
        const isKnown = state.profile !== null && isSameProfile(state.profile, profile)
        if (state.profile === null || !state.isVerified) {
          if (isKnown && state.termsVersion === termsVersion) return accepted()
          return accepted({
            type: 'CompanyProfileCompleted',
            data: { ...profile, termsVersion },
            occurredAt,
          })
        }
        if (isKnown) return accepted()
        if (!isOwner) return refused('profile-exists')
        return accepted({ type: 'ProfileUpdated', data: profile, occurredAt })
      }
      case 'verify-email':
        if (state.isVerified) return accepted()
        return accepted({ type: 'EmailVerified', data: { email: command.email }, occurredAt })
      case 'block-account':
        if (state.isBlocked) return accepted()
        return accepted({ type: 'AccountBlocked', data: {}, occurredAt })
      case 'unblock-account':
        if (!state.isBlocked) return accepted()
        return accepted({ type: 'AccountUnblocked', data: {}, occurredAt })
      case 'erase-personal-data':
        return accepted({ type: 'PersonalDataErased', data: {}, occurredAt })
      default:
        return unreachable(command)
    }
  },
}

const profileFields = [
  'fullName',
  'companyName',
  'domain',
  'websiteUrl',
  'address',
  'city',
  'state',
  'zipcode',
  'supportEmail',
  'supportPhone',
] as const satisfies readonly (keyof CompanyProfile)[]

function isSameProfile(a: CompanyProfile, b: CompanyProfile): boolean {
  return profileFields.every((field) => a[field] === b[field])
}
