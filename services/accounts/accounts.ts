import type { CompanyProfile } from '#contracts/events/account'
import type { Clock } from '../clock.ts'
import type { CommandContext, CommandHandler } from '../handle-command.ts'
import type { Ids } from '../ids.ts'
import { accountDecider, type AccountState } from './account.ts'
import { addressHmac } from './address-hmac.ts'
import { emailClaimDecider } from './email-claim.ts'

export interface OpenAccount {
  readonly userId: string
  readonly email: string
  readonly isVerified: boolean
  readonly profile: CompanyProfile | null
}

/** What the routes do with accounts. Positions are for the session's read-your-writes. */
export interface Accounts {
  /** The account of an address, opened if there is none: the address is claimed first. */
  enter(email: string, context: CommandContext): Promise<{ readonly account: OpenAccount; readonly position: string | null }>
  find(userId: string): Promise<OpenAccount | null>
  /** Whose address it is, null when nobody claimed it. */
  ownerOf(email: string): Promise<string | null>
  hmacOf(email: string): string
  completeProfile(
    userId: string,
    profile: CompanyProfile,
    isOwner: boolean,
    context: CommandContext,
  ): Promise<{ readonly kind: 'saved'; readonly position: string | null } | { readonly kind: 'profile-exists' }>
  noteCodeRequested(userId: string, email: string, resend: number, context: CommandContext): Promise<void>
  noteCodeRefused(userId: string, reason: 'wrong' | 'expired' | 'too-many-tries', context: CommandContext): Promise<void>
  signIn(userId: string, email: string, context: CommandContext): Promise<{ readonly position: string | null }>
  signOut(userId: string, context: CommandContext): Promise<void>
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
  const emailStream = (email: string) => `email-${hmacOf(email)}`
  const accountStream = (userId: string) => `account-${userId}`

  return {
    hmacOf,

    // A crash between claim and opening heals here: the next try finds the claim and opens its account.
    async enter(email, context) {
      const claim = await commands.handle({
        decider: emailClaimDecider,
        stream: emailStream(email),
        command: { type: 'claim-email', userId: ids.userId(), at: now() },
        context: { ...context, commandId: `${context.commandId} claim` },
      })
      const userId = claim.state.ownerId
      if (userId === null) throw new Error('An address was claimed and has no owner. The e-mail claim decider is broken.')
      const opened = await commands.handle({
        decider: accountDecider,
        stream: accountStream(userId),
        command: { type: 'open-account', userId, email, at: now() },
        context: { ...context, commandId: `${context.commandId} open` },
      })
      return { account: openOf(opened.state), position: opened.position }
    },

    async find(userId) {
      const { state } = await commands.load({ decider: accountDecider, stream: accountStream(userId) })
      return state.kind === 'open' ? state : null
    },

    async ownerOf(email) {
      const { state } = await commands.load({ decider: emailClaimDecider, stream: emailStream(email) })
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
      await handleOpen(userId, { type: 'sign-out', at: now() }, context)
    },
  }

  async function handleOpen(
    userId: string,
    command: Parameters<typeof accountDecider.decide>[0],
    context: CommandContext,
  ): Promise<{ position: string | null }> {
    const result = await commands.handle({ decider: accountDecider, stream: accountStream(userId), command, context })
    if (result.kind === 'refused') throw noAccount(userId)
    return { position: result.position }
  }
}

function openOf(state: AccountState): OpenAccount {
  if (state.kind === 'open') return state
  throw new Error('An account was opened and is not open. The account decider is broken.')
}

function noAccount(userId: string): Error {
  return new Error(`There is no account ${userId}, although it was named. Look at stream account-${userId}.`)
}
