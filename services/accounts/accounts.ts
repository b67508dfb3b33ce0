import { terms } from '#contracts/brand/terms'
import type { CompanyProfile } from '#contracts/events/account'
import type { SignInEvent } from '#contracts/events/sign-in'
import type { AddressHmac, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import type { Ids } from '#services/foundation/ids'
import { accountStream, signInStream } from '#services/foundation/stream-names'
import { accountDecider } from './account-decider.ts'
import { createAddressClaims } from './address-claims.ts'
import { hmacInUse, hmacsOf, type EmailKeys } from './email-keys.ts'
import { createFindOrOpen } from './find-or-open.ts'
import { createSecondaryEmails, type SecondaryEmails } from './secondary-email.ts'

export interface OpenAccount {
  readonly userId: UserId
  readonly email: string
  readonly secondaryEmail: string | null
  readonly isVerified: boolean
  /** The addresses of the account that were verified since they were set. */
  readonly verifiedEmails: ReadonlySet<string>
  readonly isBlocked: boolean
  readonly profile: CompanyProfile | null
  /** The version of the terms that the customer accepted last. Null without a profile. */
  readonly termsVersion: string | null
}

/** The account operations of the routes. The returned positions are for read-your-writes. */
export interface Accounts extends SecondaryEmails {
  /**
   * Returns the account of an address. If the address has no account, claims the address and opens
   * one.
   */
  findOrOpen(
    email: string,
    context: CommandContext,
  ): Promise<{ readonly account: OpenAccount; readonly position: string | null }>
  find(userId: UserId): Promise<OpenAccount | null>
  /** The user who has claimed the address. Null if the address is not claimed. */
  ownerOf(email: string): Promise<UserId | null>
  /** The HMAC under the EMAIL_HMAC_KEY in use. Store it within `hold`: a rotation replaces it. */
  hmacOf(email: string): AddressHmac
  /** The HMACs under every EMAIL_HMAC_KEY that is set. */
  hmacsOf(email: string): readonly AddressHmac[]
  readonly hold: EmailKeys['hold']
  /** `basedOn`: see the command `complete-profile`. */
  completeProfile(
    userId: UserId,
    profile: CompanyProfile,
    caller: { readonly isOwner: boolean; readonly basedOn: string | null },
    context: CommandContext,
  ): Promise<
    | {
        readonly kind: 'saved'
        readonly position: string | null
        /** The present profile: a repeated command does not change a newer one. */
        readonly profile: CompanyProfile
      }
    | { readonly kind: 'not-owner' }
    | { readonly kind: 'changed-meanwhile' }
  >
  /**
   * Verifies the address with the first sign-in. `savedProfile` is the digest of the profile that
   * this browser saved: another profile is discarded then. Null if the account was erased or the
   * address was removed from it. A repeat with the same command id, also with other sign-in events
   * in between, records no second sign-in.
   */
  signIn(
    userId: UserId,
    email: string,
    savedProfile: string | null,
    context: CommandContext,
  ): Promise<{ readonly position: string | null; readonly hasProfile: boolean } | null>
  /** Records a refused or requested code, or a sign-out. A repeat as in `signIn`. */
  noteSignIn(userId: UserId, event: NotedSignIn, context: CommandContext): Promise<void>
  /**
   * Blocks or unblocks an account. Changes nothing if the account is so already: `isChanged` is
   * then false. Null if the account is not open.
   */
  setBlocked(
    userId: UserId,
    isBlocked: boolean,
    context: CommandContext,
  ): Promise<{
    readonly isBlocked: boolean
    readonly isChanged: boolean
    readonly position: string | null
  } | null>
}

type NotedSignIn = Exclude<SignInEvent, { type: 'SignedIn' }>

/** The version of the terms that a customer accepts. */
const termsVersion = terms.version

export function createAccounts(parts: {
  readonly commands: CommandHandler
  readonly clock: Clock
  readonly ids: Ids
  readonly emailKeys: EmailKeys
  /** See `createAddressClaims`. */
  readonly claimGraceMs?: number
}): Accounts {
  const { commands, clock, ids, emailKeys } = parts
  const now = () => clock.now().toISOString()
  const { hold } = emailKeys
  const claims = createAddressClaims({ commands, clock, emailKeys, graceMs: parts.claimGraceMs })
  const findOrOpen = createFindOrOpen({ commands, clock, ids, claims })

  return {
    hmacOf: (email) => hmacInUse(emailKeys, email),
    hmacsOf: (email) => hmacsOf(emailKeys, email),
    hold,
    ...createSecondaryEmails({ commands, clock, claims, hold }),
    findOrOpen: (...given) => hold(() => findOrOpen(...given)),

    async find(userId) {
      const { state } = await commands.load(accountOf(userId))
      return state.kind === 'open' ? state : null
    },

    async ownerOf(email) {
      return (await claims.load(email)).ownerId
    },

    async completeProfile(userId, profile, { isOwner, basedOn }, context) {
      const result = await commands.handle({
        ...accountOf(userId),
        command: { type: 'complete-profile', profile, termsVersion, isOwner, basedOn, at: now() },
        context,
      })
      const { state, position } = result
      if (result.kind === 'accepted' && state.kind === 'open' && state.profile !== null)
        return { kind: 'saved', position, profile: state.profile }
      const refusal = result.kind === 'refused' ? result.refusal : null
      if (refusal === 'not-owner' || refusal === 'changed-meanwhile') return { kind: refusal }
      throw noAccount(userId)
    },

    async signIn(userId, email, savedProfile, context) {
      const verified = await commands.handle({
        ...accountOf(userId),
        command: { type: 'verify-email', email, savedProfile, at: now() },
        context,
      })
      if (verified.kind === 'refused') return null
      const hasProfile = verified.state.kind === 'open' && verified.state.profile !== null
      const { position } = await record(userId, { type: 'SignedIn', data: { email } }, context)
      return { position, hasProfile }
    },

    async noteSignIn(userId, event, context) {
      await record(userId, event, context)
    },

    async setBlocked(userId, isBlocked, context) {
      const { state, position, events } = await commands.handle({
        ...accountOf(userId),
        command: { type: isBlocked ? 'block-account' : 'unblock-account', at: now() },
        context,
      })
      return state.kind === 'open'
        ? { isBlocked: state.isBlocked, isChanged: events.length > 0, position }
        : null
    },
  }

  function record(userId: UserId, event: SignInEvent, context: CommandContext) {
    const stream = signInStream(userId)
    return commands.record({
      stream,
      event: { ...event, occurredAt: now() },
      context,
      mayRepeat: true,
    })
  }
}

function accountOf(userId: UserId) {
  return { decider: accountDecider, stream: accountStream(userId) }
}

function noAccount(userId: UserId): Error {
  return new Error(`There is no open account ${userId}. Look at stream ${accountStream(userId)}.`)
}
