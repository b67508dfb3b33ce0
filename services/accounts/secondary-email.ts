import type { AccountEvent } from '#contracts/events/account'
import type { UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { accountStream } from '#services/foundation/stream-names'
import { accountDecider, hasAddress, type AccountState } from './account-decider.ts'
import type { AddressClaims } from './address-claims.ts'
import type { EmailKeys } from './email-keys.ts'

export interface SecondaryEmails {
  /**
   * Gives the account a second address to sign in with. An earlier secondary address is removed and
   * released. Changes nothing if the account has the address already. 'taken': it belongs to
   * another account, `ownerId`, as the address of its sign-up or as one that an administrator set.
   * `removed` is the address that the account no longer has.
   */
  setSecondaryEmail(
    userId: UserId,
    email: string,
    context: CommandContext,
  ): Promise<
    | {
        readonly kind: 'set'
        readonly position: string | null
        readonly removed: string | null
      }
    | { readonly kind: 'no-account' | 'is-primary' }
    | { readonly kind: 'taken'; readonly ownerId: UserId; readonly as: AddressUse }
  >
  /**
   * Removes and releases the secondary address, if the account has one. Null without an open
   * account.
   */
  removeSecondaryEmail(
    userId: UserId,
    context: CommandContext,
  ): Promise<{ readonly position: string | null; readonly removed: string | null } | null>
}

type AddressUse = 'primary' | 'secondary'

/** Each further attempt means that another process has changed the claim meanwhile. */
const maxAttempts = 10

/**
 * The steps that a crash can separate: claim the address, set it, release the earlier one. Each
 * call first completes what an earlier call of the account left (`releaseUnused`).
 */
export function createSecondaryEmails({
  commands,
  clock,
  claims,
  hold,
}: {
  readonly commands: CommandHandler
  readonly clock: Clock
  readonly claims: AddressClaims
  readonly hold: EmailKeys['hold']
}): SecondaryEmails {
  const now = () => clock.now().toISOString()

  const setSecondaryEmail: SecondaryEmails['setSecondaryEmail'] = async (
    userId,
    email,
    context,
  ) => {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const inAttempt = { ...context, commandId: `${context.commandId} ${attempt}` }
      const { state, position } = await commands.load({
        decider: accountDecider,
        stream: accountStream(userId),
      })
      if (state.kind !== 'open') return { kind: 'no-account' }
      if (state.email === email) return { kind: 'is-primary' }
      if (state.secondaryEmail === email) {
        await releaseUnused(userId, state, context)
        return { kind: 'set', position, removed: null }
      }

      const above = state.usedClaims.get(email) ?? 0
      const { ownerId, claim } = await claims.claim(
        email,
        { type: 'renew-claim', userId, above, at: now() },
        inAttempt,
      )
      // The answer to a repeated command whose claim was released since.
      if (ownerId === null) continue
      if (ownerId !== userId) {
        const as = await addressUseOf(ownerId, email, inAttempt)
        if (as !== null) return { kind: 'taken', ownerId, as }
        await claims.settle(email, { ownerId, claim }, inAttempt)
        continue
      }

      const set = await commands.handle({
        decider: accountDecider,
        stream: accountStream(userId),
        command: { type: 'set-secondary-email', email, claim, at: now() },
        context: { ...context, commandId: `${context.commandId} set` },
      })
      if (set.kind === 'accepted') {
        await releaseUnused(userId, set.state, context)
        return { kind: 'set', position: set.position, removed: removedBy(set.events) }
      }
      // The account was erased meanwhile, and an erased account uses no address.
      if (set.refusal === 'no-account') await claims.release(email, { ownerId, claim }, inAttempt)
    }
    throw new Error(
      `The secondary address of ${userId} could not be set in ${maxAttempts} attempts, because other processes claimed and released it meanwhile. Try again.`,
    )
  }

  return {
    setSecondaryEmail: (...given) => hold(() => setSecondaryEmail(...given)),

    async removeSecondaryEmail(userId, context) {
      const { kind, state, position, events } = await commands.handle({
        decider: accountDecider,
        stream: accountStream(userId),
        command: { type: 'remove-secondary-email', at: now() },
        context,
      })
      if (kind === 'refused') return null
      await releaseUnused(userId, state, context)
      return { position, removed: removedBy(events) }
    },
  }

  /**
   * How another account uses the address. Null if it does not. A sign-up that a crash interrupted
   * before it opened the account is completed: the address then has its account.
   */
  async function addressUseOf(
    ownerId: UserId,
    email: string,
    context: CommandContext,
  ): Promise<AddressUse | null> {
    const { state } = await commands.handle({
      decider: accountDecider,
      stream: accountStream(ownerId),
      command: { type: 'open-account', userId: ownerId, email, at: now() },
      context: { ...context, commandId: `${context.commandId} open ${ownerId}` },
    })
    if (state.kind !== 'open' || !hasAddress(state, email)) return null
    return state.email === email ? 'primary' : 'secondary'
  }

  /** Releases every earlier secondary address of the account that is still claimed for it. */
  async function releaseUnused(
    userId: UserId,
    state: AccountState,
    context: CommandContext,
  ): Promise<void> {
    if (state.kind !== 'open') return
    for (const email of state.usedClaims.keys()) {
      if (hasAddress(state, email)) continue
      const { ownerId, claim } = await claims.load(email)
      if (ownerId === userId) await claims.drop(email, { ownerId, claim }, context)
    }
  }
}

function removedBy(events: readonly AccountEvent[]): string | null {
  const removed = events.find((event) => event.type === 'SecondaryEmailRemoved')
  return removed?.data.email ?? null
}
