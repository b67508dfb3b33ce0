import { z } from 'zod'
import { deleteAccountRequest } from '#contracts/account'
import type { UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { EventStoreUnavailable, OtherMasterKey } from '#services/event-store/errors'
import { NewerEvent } from '#services/event-store/newer-event'
import { accountStream } from '#services/foundation/stream-names'
import { accountBlocked, notLoggedIn } from '#services/http/access'
import { commandContext } from '#services/http/command-context'
import { HttpError } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'
import {
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from '#services/payments/payment-provider'
import { isDatabaseUnavailable } from '#services/postgres/unavailable'
import { accountDecider } from './account-decider.ts'
import { NotErasable } from './assert-erasable.ts'
import { deletePerson, type DeleteParts } from './delete-person.ts'

/** The customer deletes the own account: the plans end, then the person is erased from the log. */
export function deleteAccountRoutes(parts: DeleteParts): Routes {
  return (route) => {
    route({
      method: 'post',
      path: '/api/profile/delete',
      appends: 'deletion',
      summary: "Delete the customer's account",
      access: 'customer',
      body: deleteAccountRequest,
      answer: z.object({}),
      alsoAnswers: [403, 502],
      async handle({ body }, context) {
        const { customer, userId, log } = context
        await confirmAddress(userId, body.email)
        await deleteNow(userId, commandContext(context, { kind: 'customer', id: userId }))
        await customer.signOut()
        log.info({ userId }, 'A customer deleted the own account.')
        return {}
      },
    })
  }

  /**
   * After an interrupted deletion the address can be erased already: nothing is left to confirm.
   */
  async function confirmAddress(userId: UserId, typed: string): Promise<void> {
    const { state } = await parts.commands.load({
      decider: accountDecider,
      stream: accountStream(userId),
    })
    if (state.kind === 'unopened') throw notLoggedIn()
    // Otherwise a deletion and a new sign-up would remove the block.
    if (state.kind === 'open' && state.isBlocked) throw accountBlocked()
    const addresses = state.kind === 'erased' ? state.emails : [state.email, state.secondaryEmail]
    if (addresses.includes(typed) || addresses.includes(erasedValue)) return
    throw new HttpError(400, {
      error:
        'This is not the e-mail address of your account. Type the address that you log in with.',
      field: 'email',
      reason: 'is not the address of your account.',
    })
  }

  async function deleteNow(userId: UserId, context: CommandContext): Promise<void> {
    try {
      const deleted = await deletePerson(userId, true, parts, context)
      if (deleted.kind === 'still-charged') throw planStaysLive()
    } catch (error) {
      throw notDeleted(error)
    }
  }
}

function planStaysLive(): HttpError {
  return new HttpError(
    502,
    'Your account was not deleted: a plan could not be ended at the payment provider. Please try again in a moment.',
  )
}

function notDeleted(error: unknown): unknown {
  if (error instanceof NotErasable && error.cause instanceof NewerEvent)
    return new HttpError(
      503,
      'Your account was not deleted: a newer version of the service is being installed, and your data needs it. Please try again in a moment.',
      { retryAfterSeconds: 5, cause: error.cause },
    )
  if (error instanceof PaymentProviderUnavailable)
    return new HttpError(
      502,
      'Your account was not deleted: the payment provider does not answer right now, so your plan could not be ended. Please try again in a moment.',
      { retryAfterSeconds: 5, cause: error },
    )
  if (error instanceof PaymentProviderRefused)
    return new HttpError(
      502,
      'Your account was not deleted: the payment provider refused to end your plan. Please write to support.',
      { cause: error },
    )
  // The usual answer to these errors is that no change was saved in part. The plan can have ended,
  // or the erasure can have begun.
  if (isInterruption(error))
    return new HttpError(
      503,
      'The deletion of your account was interrupted and may be incomplete. Please try again in a moment. If you are logged out by then, the service completes the deletion.',
      { retryAfterSeconds: 5, cause: error },
    )
  return error
}

function isInterruption(error: unknown): boolean {
  return (
    error instanceof NewerEvent ||
    error instanceof EventStoreUnavailable ||
    error instanceof OtherMasterKey ||
    isDatabaseUnavailable(error)
  )
}
