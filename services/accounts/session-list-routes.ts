import { z } from 'zod'
import { endSessionParams, sessionsResponse } from '#contracts/account'
import type { SignInEvent } from '#contracts/events/sign-in'
import type { UserId } from '#contracts/ids'
import type { Clock } from '#services/foundation/clock'
import type { Queryable } from '#services/foundation/queryable'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { noteSignedOut } from '#services/http/note-signed-out'
import type { Routes } from '#services/http/routes'
import {
  deleteCustomerSession,
  deleteCustomerSessions,
  hasCustomerSession,
} from '#services/http/sessions/session-tables'
import type { Accounts } from './accounts.ts'
import type { SignInCodeStore } from './sign-in-code-store.ts'
import { ownSessions } from './own-sessions.ts'

export interface SessionListParts {
  readonly accounts: Accounts
  readonly codes: Pick<SignInCodeStore, 'forget'>
  readonly pool: Queryable
  /** The security clock. */
  readonly securityClock: Clock
}

type SignedOut = Extract<SignInEvent, { type: 'SignedOut' }>

/** The customer's own sessions: the list, and ending one or all of them. */
export function sessionListRoutes({
  accounts,
  codes,
  pool,
  securityClock,
}: SessionListParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/auth/sessions',
      summary: "List the customer's sessions",
      access: 'customer',
      answer: sessionsResponse,
      async handle(_input, { customer, userId }) {
        return { sessions: await ownSessions(pool, securityClock, userId, customer) }
      },
    })

    route({
      method: 'post',
      path: '/api/auth/sessions/:id/end',
      appends: 'sign-out',
      summary: 'End a session of the customer',
      access: 'customer',
      ignoresIdempotencyKey: true,
      params: endSessionParams,
      answer: z.object({}),
      async handle({ params }, context) {
        const { customer, userId } = context
        const isCurrent = params.id === customer.handle
        // Before the session ends: a repeat without the session has nothing to record.
        if (await hasCustomerSession(pool, userId, params.id))
          await note(params.id, isCurrent ? {} : { otherSession: true }, context)
        await deleteCustomerSession(pool, userId, params.id)
        if (isCurrent) await customer.signOut()
        return {}
      },
    })

    route({
      method: 'post',
      path: '/api/auth/sign-out-everywhere',
      appends: 'sign-out',
      summary: 'End all sessions of the customer',
      access: 'customer',
      ignoresIdempotencyKey: true,
      answer: z.object({}),
      async handle(_input, context) {
        const { userId, customer } = context
        await note(`all of ${customer.handle}`, { everywhere: true }, context)
        // A code that somebody else requested signs in no more.
        await codes.forget(userId)
        // Last: without the session, a repeat gets 401.
        await deleteCustomerSessions(pool, userId)
        await customer.signOut()
        return {}
      },
    })
  }

  /** `ended` names the sessions: a repeat records nothing. */
  function note(
    ended: string,
    data: SignedOut['data'],
    context: RequestContext & { readonly userId: UserId },
  ): Promise<void> {
    const { userId } = context
    return noteSignedOut(context, { userId }, () =>
      accounts.noteSignIn(
        userId,
        { type: 'SignedOut', data },
        {
          ...commandContext(context, { kind: 'customer', id: userId }),
          commandId: `end of ${ended}`,
        },
      ),
    )
  }
}
