import type { CompanyProfile } from '#contracts/events/account'
import type { EmailClaimEvent } from '#contracts/events/email-claim'
import type { SignInEvent } from '#contracts/events/sign-in'
import { parseUserId, type AddressHmac, type UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import type { Ids } from '#services/foundation/ids'
import { accountStream, emailStream, signInStream } from '#services/foundation/stream-names'
import { accountDecider, type AccountState } from './account-decider.ts'
import { addressHmac } from './address-hmac.ts'
import { emailClaimDecider } from './email-claim-decider.ts'

export interface OpenAccount {
  readonly userId: UserId
  readonly email: string
  readonly isVerified: boolean
  readonly isBlocked: boolean
  readonly profile: CompanyProfile | null
}

/** The account operations of the routes. The returned positions are for read-your-writes. */
export interface Accounts {
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
  hmacOf(email: string): AddressHmac
  completeProfile(
    userId: UserId,
    profile: CompanyProfile,
    isOwner: boolean,
    context: CommandContext,
  ): Promise<
    | { readonly kind: 'saved'; readonly position: string | null }
    | { readonly kind: 'profile-exists' }
  >
  /** Verifies the address with the first sign-in. */
  signIn(
    userId: UserId,
    email: string,
    context: CommandContext,
  ): Promise<{ readonly position: string | null }>
  /** Records a refused or requested code, or a sign-out. */
  noteSignIn(userId: UserId, event: NotedSignIn, context: CommandContext): Promise<void>
  /**
   * Blocks or unblocks an account. Changes nothing if the account is so already. Null if the
   * account is not open.
   */
  setBlocked(
    userId: UserId,
    isBlocked: boolean,
    context: CommandContext,
  ): Promise<{ readonly isBlocked: boolean; readonly position: string | null } | null>
}

type NotedSignIn = Exclude<SignInEvent, { type: 'SignedIn' }>

/**
 * The version of the terms that a customer accepts. Change it when the text of the terms changes.
 */
const termsVersion = '2025-05-16'

export function createAccounts(parts: {
  readonly commands: CommandHandler
  readonly clock: Clock
  readonly ids: Ids
  readonly emailHmacKey: Buffer
}): Accounts {
  const { commands, clock, ids } = parts
  const now = () => clock.now().toISOString()
  const hmacOf = (email: string) => addressHmac(email, parts.emailHmacKey)
  const claimStream = (email: string) => emailStream(hmacOf(email))

  return {
    hmacOf,

    async findOrOpen(email, context) {
      const entered = await claimAndOpen(email, context)
      if (entered.account !== null) return { account: entered.account, position: entered.position }
      // The owner was erased, and the erasure was interrupted before it released the address.
      // Release it here.
      await commands.handle({
        decider: emailClaimDecider,
        stream: claimStream(email),
        command: { type: 'release-email', userId: entered.userId, at: now() },
        context: { ...context, commandId: `${context.commandId} release` },
      })
      const reopened = await claimAndOpen(email, {
        ...context,
        commandId: `${context.commandId} reopen`,
      })
      if (reopened.account === null)
        throw new Error(
          `The address of the erased account ${reopened.userId} is still claimed after its release. This is a bug in the e-mail claim decider; report it.`,
        )
      return { account: reopened.account, position: reopened.position }
    },

    async find(userId) {
      const { state } = await commands.load({
        decider: accountDecider,
        stream: accountStream(userId),
      })
      return state.kind === 'open' ? state : null
    },

    async ownerOf(email) {
      const { state } = await commands.load({
        decider: emailClaimDecider,
        stream: claimStream(email),
      })
      return state.ownerId
    },

    async completeProfile(userId, profile, isOwner, context) {
      const result = await commands.handle({
        decider: accountDecider,
        stream: accountStream(userId),
        command: { type: 'complete-profile', profile, termsVersion, isOwner, at: now() },
        context,
      })
      if (result.kind === 'accepted') return { kind: 'saved', position: result.position }
      if (result.refusal === 'profile-exists') return { kind: 'profile-exists' }
      throw noAccount(userId)
    },

    async signIn(userId, email, context) {
      const verified = await commands.handle({
        decider: accountDecider,
        stream: accountStream(userId),
        command: { type: 'verify-email', email, at: now() },
        context,
      })
      if (verified.kind === 'refused') throw noAccount(userId)
      return record(userId, { type: 'SignedIn', data: { email } }, context)
    },

    async noteSignIn(userId, event, context) {
      await record(userId, event, context)
    },

    async setBlocked(userId, isBlocked, context) {
      const { state, position } = await commands.handle({
        decider: accountDecider,
        stream: accountStream(userId),
        command: { type: isBlocked ? 'block-account' : 'unblock-account', at: now() },
        context,
      })
      return state.kind === 'open' ? { isBlocked: state.isBlocked, position } : null
    },
  }

  /**
   * Claims the address and opens its account. If a crash came between the two appends, the next
   * call finds the claim and opens the account. `account` is null if the owner was erased.
   */
  async function claimAndOpen(email: string, context: CommandContext) {
    const claim = await commands.handle({
      decider: emailClaimDecider,
      stream: claimStream(email),
      command: { type: 'claim-email', userId: ids.userId(), at: now() },
      context: { ...context, commandId: `${context.commandId} claim` },
    })
    // If a command is repeated after its claim was released, the address has no owner. The repeat
    // uses the erased account of the first call.
    const userId = claim.state.ownerId ?? claimant(claim.events)
    if (userId === null)
      throw new Error(
        'An address was claimed and has no owner. This is a bug in the e-mail claim decider; report it.',
      )
    const { state, position } = await commands.handle({
      decider: accountDecider,
      stream: accountStream(userId),
      command: { type: 'open-account', userId, email, at: now() },
      context: { ...context, commandId: `${context.commandId} open` },
    })
    return { userId, account: state.kind === 'erased' ? null : openOf(state), position }
  }

  function record(userId: UserId, event: SignInEvent, context: CommandContext) {
    const stream = signInStream(userId)
    return commands.record({ stream, event: { ...event, occurredAt: now() }, context })
  }
}

function claimant([first]: readonly EmailClaimEvent[]): UserId | null {
  return first === undefined ? null : parseUserId(first.data.userId)
}

function openOf(state: AccountState): OpenAccount {
  if (state.kind === 'open') return state
  throw new Error(
    'An account was opened and is not open. This is a bug in the account decider; report it.',
  )
}

function noAccount(userId: UserId): Error {
  return new Error(`There is no open account ${userId}. Look at stream ${accountStream(userId)}.`)
}
