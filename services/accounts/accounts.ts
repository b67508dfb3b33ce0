import type { CompanyProfile } from '#contracts/events/account'
import type { EmailClaimEvent } from '#contracts/events/email-claim'
import { parseUserId, type AddressHmac, type UserId } from '#contracts/ids'
import type { CommandContext, CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import type { Ids } from '#services/foundation/ids'
import { accountStream, emailStream } from '#services/foundation/stream-names'
import { accountDecider, type AccountState } from './account-decider.ts'
import { addressHmac } from './address-hmac.ts'
import { emailClaimDecider } from './email-claim-decider.ts'

export interface OpenAccount {
  readonly userId: UserId
  readonly email: string
  readonly isVerified: boolean
  readonly profile: CompanyProfile | null
}

/** What the routes do with accounts. Positions are for the session's read-your-writes. */
export interface Accounts {
  /** The account of an address, opened if there is none: the address is claimed first. */
  enter(
    email: string,
    context: CommandContext,
  ): Promise<{ readonly account: OpenAccount; readonly position: string | null }>
  find(userId: UserId): Promise<OpenAccount | null>
  /** Whose address it is, null when nobody claimed it. */
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
  noteCodeRequested(
    userId: UserId,
    email: string,
    resend: number,
    context: CommandContext,
  ): Promise<void>
  noteCodeRefused(
    userId: UserId,
    reason: 'wrong' | 'expired' | 'too-many-tries',
    context: CommandContext,
  ): Promise<void>
  signIn(
    userId: UserId,
    email: string,
    context: CommandContext,
  ): Promise<{ readonly position: string | null }>
  signOut(userId: UserId, context: CommandContext): Promise<void>
}

/** Which text of the terms was agreed to; raised when the text changes. */
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

    async enter(email, context) {
      const entered = await claimAndOpen(email, context)
      if (entered.account !== null) return { account: entered.account, position: entered.position }
      // Its owner was erased. An erasure that broke off before it released the address is helped along.
      await commands.handle({
        decider: emailClaimDecider,
        stream: claimStream(email),
        command: { type: 'release-email', userId: entered.userId, at: now() },
        context: { ...context, commandId: `${context.commandId} release` },
      })
      const anew = await claimAndOpen(email, { ...context, commandId: `${context.commandId} anew` })
      if (anew.account === null)
        throw new Error(
          `The address of the erased account ${anew.userId} was entered and stays claimed. The e-mail claim decider is broken.`,
        )
      return { account: anew.account, position: anew.position }
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

    async noteCodeRequested(userId, email, resend, context) {
      await handleOpen(userId, { type: 'note-code-requested', email, resend, at: now() }, context)
    },

    async noteCodeRefused(userId, reason, context) {
      await handleOpen(userId, { type: 'note-code-refused', reason, at: now() }, context)
    },

    async signIn(userId, email, context) {
      return handleOpen(userId, { type: 'sign-in', email, at: now() }, context)
    },

    async signOut(userId, context) {
      // Whoever signs out of an account that was erased meanwhile is signed out all the same.
      await commands.handle({
        decider: accountDecider,
        stream: accountStream(userId),
        command: { type: 'sign-out', at: now() },
        context,
      })
    },
  }

  /** A crash between claim and opening heals here: the next try finds the claim and opens its account. Null is an account that was erased. */
  async function claimAndOpen(email: string, context: CommandContext) {
    const claim = await commands.handle({
      decider: emailClaimDecider,
      stream: claimStream(email),
      command: { type: 'claim-email', userId: ids.userId(), at: now() },
      context: { ...context, commandId: `${context.commandId} claim` },
    })
    // A repeat of a command whose claim was released since finds no owner: the account that it opened is erased.
    const userId = claim.state.ownerId ?? claimant(claim.events)
    if (userId === null)
      throw new Error(
        'An address was claimed and has no owner. The e-mail claim decider is broken.',
      )
    const { state, position } = await commands.handle({
      decider: accountDecider,
      stream: accountStream(userId),
      command: { type: 'open-account', userId, email, at: now() },
      context: { ...context, commandId: `${context.commandId} open` },
    })
    return { userId, account: state.kind === 'erased' ? null : openOf(state), position }
  }

  async function handleOpen(
    userId: UserId,
    command: Parameters<typeof accountDecider.decide>[0],
    context: CommandContext,
  ): Promise<{ position: string | null }> {
    const result = await commands.handle({
      decider: accountDecider,
      stream: accountStream(userId),
      command,
      context,
    })
    if (result.kind === 'refused') throw noAccount(userId)
    return { position: result.position }
  }
}

function claimant([first]: readonly EmailClaimEvent[]): UserId | null {
  return first === undefined ? null : parseUserId(first.data.userId)
}

function openOf(state: AccountState): OpenAccount {
  if (state.kind === 'open') return state
  throw new Error('An account was opened and is not open. The account decider is broken.')
}

function noAccount(userId: UserId): Error {
  return new Error(
    `There is no account ${userId}, although it was named. Look at stream ${accountStream(userId)}.`,
  )
}
