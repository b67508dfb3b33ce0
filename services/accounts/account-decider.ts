import type { AccountEvent, CompanyProfile } from '#contracts/events/account'
import { parseUserId, type UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { accepted, refused, unreachable, type Decider } from '#services/foundation/decider'
import { isSameProfile, profileDigest } from './profile-digest.ts'

export type AccountState =
  | { readonly kind: 'unopened' }
  | {
      readonly kind: 'open'
      readonly userId: UserId
      readonly email: string
      /** A second address to sign in with. */
      readonly secondaryEmail: string | null
      /** An address of the account was verified. Stays true if the address is removed later. */
      readonly isVerified: boolean
      /** The addresses of the account that were verified since they were set. */
      readonly verifiedEmails: ReadonlySet<string>
      /** Every address that was verified, removed ones too. */
      readonly everVerified: ReadonlySet<string>
      /**
       * For every address that is or was secondary: the highest number of a claim that the account
       * used or dropped. No claim up to this number can set the address again.
       */
      readonly usedClaims: ReadonlyMap<string, number>
      readonly isBlocked: boolean
      readonly profile: CompanyProfile | null
      /** The version of the terms that the customer accepted last. Null without a profile. */
      readonly termsVersion: string | null
    }
  /**
   * No customer can sign in to it. `emails` has every address that the account ever had, the
   * primary first. The addresses are readable until the key is destroyed, so that an interrupted
   * erasure can continue.
   */
  | {
      readonly kind: 'erased'
      readonly userId: UserId
      readonly emails: readonly string[]
      /**
       * The addresses among `emails` that are the person's own: the primary address, and secondary
       * addresses that were verified. Anyone can enter the address of another person.
       */
      readonly ownEmails: readonly string[]
    }

export type OpenAccount = Extract<AccountState, { kind: 'open' }>

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
      /**
       * The digest of the profile that the form showed before the change. Null if it showed none.
       * A profile that another window changed meanwhile is not overwritten. 'any': the caller
       * replaces whatever is saved.
       */
      readonly basedOn: string | null
      readonly at: Instant
    }
  /** The customer entered the code that was mailed to `email`: each sign-in sends this command. */
  | {
      readonly type: 'verify-email'
      readonly email: string
      /** The digest of the profile that the verifying browser saved. Null if it saved none. */
      readonly savedProfile: string | null
      readonly at: Instant
    }
  /** Sets the address under the claim with this number. Replaces another secondary address. */
  | {
      readonly type: 'set-secondary-email'
      readonly email: string
      readonly claim: number
      readonly at: Instant
    }
  | { readonly type: 'remove-secondary-email'; readonly at: Instant }
  /** Refused if the account uses the address. Otherwise this claim can no longer set it. */
  | {
      readonly type: 'drop-claim'
      readonly email: string
      readonly claim: number
      readonly at: Instant
    }
  | { readonly type: 'block-account'; readonly at: Instant }
  | { readonly type: 'unblock-account'; readonly at: Instant }
  | { readonly type: 'erase-personal-data'; readonly at: Instant }
  /** Refused if an address of the account was ever verified. */
  | { readonly type: 'erase-if-unverified'; readonly at: Instant }

export type AccountRefusal =
  | 'no-account'
  | 'not-owner'
  /** The profile is no longer the one that the form showed. */
  | 'changed-meanwhile'
  /** The address is not, or no longer, an address of the account. */
  | 'other-address'
  | 'is-primary'
  | 'claim-dropped'
  | 'in-use'
  | 'is-verified'

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
        secondaryEmail: null,
        isVerified: false,
        verifiedEmails: new Set(),
        everVerified: new Set(),
        usedClaims: new Map(),
        isBlocked: false,
        profile: null,
        termsVersion: null,
      }
    }
    if (state.kind === 'unopened') {
      throw new DamagedHistory(
        `An account stream starts with AccountOpened, not with ${event.type}. The log is damaged: run npm run billing -- events verify.`,
      )
    }
    if (state.kind === 'erased') return state
    switch (event.type) {
      case 'CompanyProfileCompleted': {
        const { termsVersion, ...profile } = event.data
        return { ...state, profile, termsVersion }
      }
      case 'ProfileDiscarded':
        return { ...state, profile: null, termsVersion: null }
      case 'ProfileUpdated':
        return { ...state, profile: event.data }
      case 'EmailVerified':
        return {
          ...state,
          isVerified: true,
          verifiedEmails: new Set(state.verifiedEmails).add(event.data.email),
          everVerified: new Set(state.everVerified).add(event.data.email),
        }
      case 'SecondaryEmailSet':
        return {
          ...state,
          secondaryEmail: event.data.email,
          usedClaims: withClaim(state.usedClaims, event.data),
        }
      case 'SecondaryEmailRemoved':
        return {
          ...state,
          secondaryEmail: null,
          verifiedEmails: new Set([state.email].filter((each) => state.verifiedEmails.has(each))),
        }
      case 'EmailClaimDropped':
        return { ...state, usedClaims: withClaim(state.usedClaims, event.data) }
      case 'AccountBlocked':
        return { ...state, isBlocked: true }
      case 'AccountUnblocked':
        return { ...state, isBlocked: false }
      case 'PersonalDataErased':
        return {
          kind: 'erased',
          userId: state.userId,
          emails: everyAddressOf(state),
          ownEmails: ownAddressesOf(state),
        }
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
      return command.type === 'erase-personal-data' || command.type === 'erase-if-unverified'
        ? accepted()
        : refused('no-account')

    const occurredAt = command.at
    switch (command.type) {
      case 'complete-profile': {
        const { profile, termsVersion, isOwner, basedOn } = command
        const isKnown = state.profile !== null && isSameProfile(state.profile, profile)
        if (state.isVerified && !isOwner && !isKnown) return refused('not-owner')
        if (state.profile === null || !state.isVerified) {
          if (isKnown && state.termsVersion === termsVersion) return accepted()
          return accepted({
            type: 'CompanyProfileCompleted',
            data: { ...profile, termsVersion },
            occurredAt,
          })
        }
        if (isKnown) return accepted()
        if (basedOn !== 'any' && basedOn !== profileDigest(state.profile))
          return refused('changed-meanwhile')
        return accepted({ type: 'ProfileUpdated', data: profile, occurredAt })
      }
      case 'verify-email':
        if (!hasAddress(state, command.email)) return refused('other-address')
        if (state.verifiedEmails.has(command.email)) return accepted()
        return accepted<AccountEvent>(
          ...(isOfOtherBrowser(state, command.savedProfile)
            ? [{ type: 'ProfileDiscarded' as const, data: {}, occurredAt }]
            : []),
          { type: 'EmailVerified', data: { email: command.email }, occurredAt },
        )
      case 'set-secondary-email': {
        const { email, claim } = command
        const former = state.secondaryEmail
        if (email === state.email) return refused('is-primary')
        if (email === former) return accepted()
        if (isUsed(state.usedClaims, email, claim)) return refused('claim-dropped')
        const removed =
          former === null
            ? []
            : [{ type: 'SecondaryEmailRemoved' as const, data: { email: former }, occurredAt }]
        return accepted<AccountEvent>(...removed, {
          type: 'SecondaryEmailSet',
          data: { email, claim },
          occurredAt,
        })
      }
      case 'remove-secondary-email':
        if (state.secondaryEmail === null) return accepted()
        return accepted({
          type: 'SecondaryEmailRemoved',
          data: { email: state.secondaryEmail },
          occurredAt,
        })
      case 'drop-claim': {
        const { email, claim } = command
        if (hasAddress(state, email)) return refused('in-use')
        if (isUsed(state.usedClaims, email, claim)) return accepted()
        return accepted({ type: 'EmailClaimDropped', data: { email, claim }, occurredAt })
      }
      case 'block-account':
        if (state.isBlocked) return accepted()
        return accepted({ type: 'AccountBlocked', data: {}, occurredAt })
      case 'unblock-account':
        if (!state.isBlocked) return accepted()
        return accepted({ type: 'AccountUnblocked', data: {}, occurredAt })
      case 'erase-if-unverified':
        if (state.isVerified) return refused('is-verified')
        return accepted({ type: 'PersonalDataErased', data: {}, occurredAt })
      case 'erase-personal-data':
        return accepted({ type: 'PersonalDataErased', data: {}, occurredAt })
      default:
        return unreachable(command)
    }
  },
}

/** Every address that the account ever had, the primary first. */
export function everyAddressOf({ email, usedClaims }: OpenAccount): readonly string[] {
  return [...new Set([email, ...usedClaims.keys()])]
}

/** The addresses that are the person's own: the primary address, and those that were verified. */
export function ownAddressesOf({ email, everVerified }: OpenAccount): readonly string[] {
  return [...new Set([email, ...everVerified])]
}

interface Addresses {
  readonly email: string
  readonly secondaryEmail: string | null
}

/** The addresses that the customer can sign in with, the primary first. */
export function addressesOf({ email, secondaryEmail }: Addresses): readonly string[] {
  return secondaryEmail === null ? [email] : [email, secondaryEmail]
}

/** Whether the customer can sign in with the address. */
export function hasAddress(account: Addresses, email: string): boolean {
  return addressesOf(account).includes(email)
}

/** Whether another browser saved the profile of an account that was never verified. */
function isOfOtherBrowser(
  { isVerified, profile }: OpenAccount,
  savedProfile: string | null,
): boolean {
  return !isVerified && profile !== null && profileDigest(profile) !== savedProfile
}

type UsedClaims = ReadonlyMap<string, number>

function isUsed(claims: UsedClaims, email: string, claim: number): boolean {
  return claim <= (claims.get(email) ?? 0)
}

function withClaim(
  claims: UsedClaims,
  { email, claim }: { readonly email: string; readonly claim: number },
): UsedClaims {
  return new Map(claims).set(email, Math.max(claim, claims.get(email) ?? 0))
}
