import type { UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import type { Ids } from '#services/foundation/ids'
import { accountStream } from '#services/foundation/stream-names'
import { accountDecider, hasAddress, type OpenAccount } from './account-decider.ts'
import type { AddressClaims } from './address-claims.ts'

/** Each further attempt means that another process has changed the claim meanwhile. */
const maxAttempts = 10

/** See `Accounts.findOrOpen`. Call it within `hold`. */
export function createFindOrOpen({
  commands,
  clock,
  ids,
  claims,
}: {
  readonly commands: CommandHandler
  readonly clock: Clock
  readonly ids: Ids
  readonly claims: AddressClaims
}) {
  const now = () => clock.now().toISOString()

  return async (
    email: string,
    context: CommandContext,
  ): Promise<{ readonly account: OpenAccount; readonly position: string | null }> => {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const inAttempt = { ...context, commandId: `${context.commandId} ${attempt}` }
      const { ownerId, claim } = await claimFor(email, inAttempt)
      // The answer to a repeated command whose claim was released since.
      if (ownerId === null) continue
      const { state, position } = await open(ownerId, email, inAttempt)
      if (state.kind === 'open' && hasAddress(state, email)) return { account: state, position }
      // The owner was erased, and the erasure was interrupted before it released the address. Or
      // the address becomes the secondary address of the owner at this moment.
      if (state.kind === 'erased') await claims.release(email, { ownerId, claim: null }, inAttempt)
      else await claims.settle(email, { ownerId, claim }, inAttempt)
    }
    throw new Error(
      `An address still had no account after ${maxAttempts} attempts, because other processes claimed and released it meanwhile. Try again.`,
    )
  }

  /** Claims the address for a new account if it has no owner. */
  function claimFor(email: string, context: CommandContext) {
    const command = { type: 'claim-email', userId: ids.userId(), at: now() } as const
    return claims.claim(email, command, context)
  }

  /**
   * Opens the account of a claimed address. If a crash came between the two appends of an earlier
   * call, this call opens its account.
   */
  function open(userId: UserId, email: string, context: CommandContext) {
    return commands.handle({
      decider: accountDecider,
      stream: accountStream(userId),
      command: { type: 'open-account', userId, email, at: now() },
      context: { ...context, commandId: `${context.commandId} open` },
    })
  }
}
