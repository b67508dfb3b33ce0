import { z } from 'zod'
import { toggleBlockRequest, toggleBlockResponse } from '#contracts/admin/accounts'
import { isUserId, type UserId } from '#contracts/ids'
import type { Accounts } from '#services/accounts/accounts'
import type { Billing } from '#services/billing/billing-service'
import type { CommandContext } from '#services/commands/command-context'
import { withTimeout } from '#services/foundation/timeout'
import { noSuchUser } from '#services/http/access'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import type { Routes } from '#services/http/routes'

export interface BlockParts {
  readonly accounts: Pick<Accounts, 'find' | 'setBlocked'>
  readonly billing: Pick<Billing, 'endBlocked' | 'hasOpenSession' | 'closeCheckouts'>
  /** Ends every session of the customer, in every process. */
  readonly endSessions: (userId: UserId) => Promise<void>
  /** How long the answer waits for the provider, in milliseconds. Default 5,000. */
  readonly providerLimitMs?: number
}

/**
 * Blocks or unblocks an account. A call with a body sets the wanted state: a repetition changes
 * nothing, and two administrators do not undo each other's change. A call without a body toggles,
 * as specified. A block is complete in the log without the provider: the reactor
 * `blocked-billing` closes and cancels at the provider until it succeeds.
 */
export function blockRoutes({
  accounts,
  billing,
  endSessions,
  providerLimitMs = 5_000,
}: BlockParts): Routes {
  return (route) => {
    route({
      method: 'post',
      path: '/api/admin/users/:userId/toggle-block',
      appends: 'administrator',
      summary: 'Block or unblock a user',
      access: 'admin',
      right: 'block',
      params: z.object({ userId: z.string().min(1).max(255) }),
      body: toggleBlockRequest,
      answer: toggleBlockResponse,
      alsoAnswers: [404, 409],
      async handle({ params, body }, context) {
        const userId = isUserId(params.userId) ? params.userId : null
        const account = userId === null ? null : await accounts.find(userId)
        if (userId === null || account === null) throw noSuchUser()
        const command = commandContext(context, { kind: 'admin', id: context.adminId })
        const before = { ...command, commandId: `${command.commandId} before` }
        // An interrupted block is completed first: its subscriptions stay ended.
        if (account.isBlocked) await billing.endBlocked(userId, before)
        // Calls that read the same state send the same command, so two toggles are one change.
        const wanted = body?.blocked ?? !account.isBlocked
        const set = await accounts.setBlocked(userId, wanted, command)
        if (set === null) throw noSuchUser()
        context.admin.remember(set.position)
        if (set.isChanged)
          context.log.info(
            { userId, isBlocked: set.isBlocked },
            'An account was blocked or unblocked.',
          )
        if (!set.isBlocked)
          return {
            blocked: false,
            message: set.isChanged
              ? 'User unblocked successfully. The user can purchase plans again.'
              : 'This user is already unblocked.',
          }
        const ended = await billing.endBlocked(userId, command)
        context.admin.remember(ended.position)
        await endSessions(userId)
        await closeCheckouts(userId, command, context)
        return {
          blocked: true,
          message: set.isChanged
            ? 'User blocked successfully. All active plans of the user have ended.'
            : 'This user is already blocked.',
        }
      },
    })
  }

  /** If the provider does not answer, the reactor closes the checkouts later. */
  async function closeCheckouts(
    userId: UserId,
    command: CommandContext,
    { log }: RequestContext,
  ): Promise<void> {
    if (!(await billing.hasOpenSession(userId))) return
    const closing = billing.closeCheckouts(userId, command).catch((error: unknown) => {
      log.warn(
        { err: error, userId },
        'The open checkout of a blocked account could not be closed; the reactor retries.',
      )
    })
    await withTimeout(providerLimitMs, closing, () => undefined)
  }
}
