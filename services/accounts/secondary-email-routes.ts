import { z } from 'zod'
import { updateUserEmailRequest, updateUserEmailResponse } from '#contracts/admin'
import { isUserId } from '#contracts/ids'
import { unreachable } from '#services/foundation/decider'
import { commandContext } from '#services/http/command-context'
import { badRequest, HttpError } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'
import type { Accounts } from './accounts.ts'

/** The second address of an account: an administrator sets it, its owner can remove it. */
export function secondaryEmailRoutes({ accounts }: { readonly accounts: Accounts }): Routes {
  return (route) => {
    route({
      method: 'post',
      path: '/api/admin/update-user-email',
      summary: 'Set the secondary e-mail of a user',
      access: 'admin',
      body: updateUserEmailRequest,
      answer: updateUserEmailResponse,
      alsoAnswers: [404, 409],
      async handle({ body: { userId, email } }, context) {
        const command = commandContext(context, { kind: 'admin', id: context.adminId })
        const set = isUserId(userId)
          ? await accounts.setSecondaryEmail(userId, email, command)
          : ({ kind: 'no-account' } as const)
        switch (set.kind) {
          case 'set':
            context.admin.remember(set.position)
            context.log.info({ userId }, 'The secondary e-mail of an account was set.')
            return { message: 'Secondary email updated successfully' }
          case 'no-account':
            throw new HttpError(
              404,
              'There is no open account with this id. Refresh the list of users.',
            )
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
        return {}
      },
    })
  }
}
