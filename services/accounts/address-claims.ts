import { setTimeout as pauseFor } from 'node:timers/promises'
import type { UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { accountStream } from '#services/foundation/stream-names'
import { accountDecider, hasAddress } from './account-decider.ts'
import { createClaimStreams } from './claim-streams.ts'
import type { EmailClaimCommand, EmailClaimState } from './email-claim-decider.ts'
import { hmacInUse, type EmailKeys } from './email-keys.ts'

/** From one look at a claim in progress to the next, in milliseconds. */
const pollMs = 50

export type AddressClaims = ReturnType<typeof createAddressClaims>

/**
 * The claims of addresses: each address belongs to one account. An account uses an address only
 * under a claim, and gives the claim up in its own stream before the address is released. So no
 * address is an address of two accounts at any time. docs/decisions/0017-secondary-email.md has the
 * protocol.
 */
export function createAddressClaims({
  commands,
  clock,
  emailKeys,
  graceMs = 2_000,
}: {
  readonly commands: CommandHandler
  readonly clock: Clock
  readonly emailKeys: EmailKeys
  /**
   * How long a claim of an address that its account does not use may last before another process
   * drops it, in milliseconds. Default 2,000.
   */
  readonly graceMs?: number
}) {
  const now = () => clock.now().toISOString()
  const accountOf = (userId: UserId) =>
    commands.load({ decider: accountDecider, stream: accountStream(userId) })
  const streams = createClaimStreams({ commands, clock, emailKeys })
  const load = (email: string): Promise<EmailClaimState> => streams.load(email)
  const claim = (
    email: string,
    command: Extract<EmailClaimCommand, { type: 'claim-email' | 'renew-claim' }>,
    { commandId, ...context }: CommandContext,
  ): Promise<EmailClaimState> =>
    streams.handle(email, command, {
      ...context,
      commandId: `${commandId} claim`,
    })

  return { load, claim, settle, drop, release }

  /**
   * For an address whose owner does not use it: another process is about to set the address, or a
   * crash came before. Waits until the account uses the address or the claim changes. After
   * `graceMs`, drops and releases the claim. The caller then looks again.
   */
  async function settle(
    email: string,
    { ownerId, claim }: { readonly ownerId: UserId; readonly claim: number },
    context: CommandContext,
  ): Promise<void> {
    const until = performance.now() + graceMs
    for (;;) {
      const { state } = await accountOf(ownerId)
      if (state.kind === 'open') {
        if (hasAddress(state, email)) return
        // The account has given this claim up, so no process can be about to use it.
        if (claim <= (state.usedClaims.get(email) ?? 0)) break
      } else if (state.kind === 'erased') break
      if (performance.now() >= until) break
      await pauseFor(pollMs)
      const present = await load(email)
      if (present.ownerId !== ownerId || present.claim !== claim) return
    }
    await drop(email, { ownerId, claim }, context)
  }

  /**
   * Drops the claim in the account's stream and releases it, unless the account uses the address.
   */
  async function drop(
    email: string,
    { ownerId, claim }: { readonly ownerId: UserId; readonly claim: number },
    context: CommandContext,
  ): Promise<void> {
    const dropped = await commands.handle({
      decider: accountDecider,
      stream: accountStream(ownerId),
      command: { type: 'drop-claim', email, claim, at: now() },
      context: {
        ...context,
        commandId: `${context.commandId} drop ${hmacInUse(emailKeys, email)} ${claim}`,
      },
    })
    // 'no-account': the account is erased, and an erased account uses no address.
    if (dropped.kind === 'refused' && dropped.refusal === 'in-use') return
    await release(email, { ownerId, claim }, context)
  }

  async function release(
    email: string,
    { ownerId, claim }: { readonly ownerId: UserId; readonly claim: number | null },
    context: CommandContext,
  ): Promise<void> {
    await streams.handle(
      email,
      { type: 'release-email', userId: ownerId, claim, at: now() },
      { ...context, commandId: `${context.commandId} release ${claim ?? 'any'}` },
    )
  }
}
