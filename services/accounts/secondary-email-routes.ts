import { z } from 'zod'
import { updateUserEmailRequest, updateUserEmailResponse } from '#contracts/admin/accounts'
import { isUserId, type UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import { unreachable } from '#services/foundation/decider'
import type { Queryable } from '#services/foundation/queryable'
import { noSuchUser } from '#services/http/access'
import { commandContext } from '#services/http/command-context'
import { badRequest, HttpError } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'
import { deleteSessionsOfOtherAddresses } from '#services/http/sessions/session-tables'
import { addressesOf } from './account-decider.ts'
import type { Accounts } from './accounts.ts'
import type { RecipientBudget } from './recipient-budget.ts'
import type { SignInCodeStore } from './sign-in-code-store.ts'
import type { TakeOver } from './take-over.ts'

export interface SecondaryEmailParts {
  readonly accounts: Accounts
  readonly codes: Pick<SignInCodeStore, 'forgetOtherAddresses'>
  readonly pool: Queryable
  readonly recipients: Pick<RecipientBudget, 'countMail'>
  readonly takeOver: TakeOver
}

/**
 * The second address of an account: an administrator sets it, its owner can remove it. The sessions
 * that signed in with a removed address end. The owner's present session stays.
 */
export function secondaryEmailRoutes({
  accounts,
  codes,
  pool,
  recipients,
  takeOver,
}: SecondaryEmailParts): Routes {
  /**
   * An outstanding code of another address no longer signs in, so it is deleted, too. Each call
   * ends what an interrupted call left, also if it changes no address.
   */
  async function endAccess(userId: UserId, kept: string | null): Promise<void> {
    const account = await accounts.find(userId)
    const remaining = account === null ? [] : addressesOf(account).flatMap(accounts.hmacsOf)
    await deleteSessionsOfOtherAddresses(pool, userId, remaining, kept)
    await codes.forgetOtherAddresses(userId, remaining)
  }

  /** Each address of the account gets a mail about the change, and so does a removed one. */
  async function countMails(userId: UserId, ...changed: (string | null)[]): Promise<void> {
    const account = await accounts.find(userId)
    const told = new Set([account?.email ?? null, ...changed])
    for (const email of told) if (email !== null) await recipients.countMail(email)
  }

  /**
   * The administrator knows the owner of the address, so the account of a sign-up that was never
   * verified gives way.
   */
  async function setAddress(userId: UserId, email: string, command: CommandContext) {
    const set = await accounts.setSecondaryEmail(userId, email, command)
    if (set.kind !== 'taken' || set.as !== 'primary') return set
    if (!(await takeOver(set.ownerId, command))) return set
    const commandId = `${command.commandId} after take-over`
    return accounts.setSecondaryEmail(userId, email, { ...command, commandId })
  }

  return (route) => {
    route({
      method: 'post',
      path: '/api/admin/update-user-email',
      appends: 'administrator',
      summary: 'Set the secondary e-mail of a user',
      access: 'admin',
      right: 'secondary-email',
      body: updateUserEmailRequest,
      answer: updateUserEmailResponse,
      alsoAnswers: [404, 409],
      async handle({ body: { userId, email } }, context) {
        const command = commandContext(context, { kind: 'admin', id: context.adminId })
        if (!isUserId(userId)) throw noSuchUser()
        const set = await setAddress(userId, email, command)
        switch (set.kind) {
          case 'set':
            context.admin.remember(set.position)
            await endAccess(userId, null)
            await countMails(userId, email, set.removed)
            context.log.info({ userId }, 'The secondary e-mail of an account was set.')
            return { message: 'Secondary email updated successfully' }
          case 'no-account':
            throw noSuchUser()
          case 'is-primary':
            throw badRequest(
              'email',
              "This is the user's primary e-mail address. Enter another address.",
            )
          case 'taken':
            throw new HttpError(409, {
              error: 'This e-mail address belongs to another account. Enter another address.',
              field: 'email',
              reason: 'belongs to another account',
            })
          default:
            return unreachable(set)
        }
      },
    })

    route({
      method: 'post',
      path: '/api/profile/remove-secondary-email',
      appends: 'removed address',
      summary: "Remove the customer's secondary e-mail",
      access: 'customer',
      answer: z.object({}),
      alsoAnswers: [404],
      async handle(_input, context) {
        const { userId } = context
        const removed = await accounts.removeSecondaryEmail(
          userId,
          commandContext(context, { kind: 'customer', id: userId }),
        )
        if (removed === null)
          throw new HttpError(404, 'Your account no longer exists. Reload the page.')
        context.customer.remember(removed.position)
        await endAccess(userId, context.customer.handle)
        if (removed.removed !== null) await countMails(userId, removed.removed)
        return {}
      },
    })
  }
}
