import { z } from 'zod'
import { rightsOf } from '#contracts/admin/roles'
import { sessionResponse } from '#contracts/auth'
import type { UserId } from '#contracts/ids'
import type { Clock } from '#services/foundation/clock'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { noteSignedOut } from '#services/http/note-signed-out'
import type { ReadContext } from '#services/http/read-your-writes'
import type { Routes } from '#services/http/routes'
import type { Accounts } from './accounts.ts'

/** What a session shows of its user. */
interface SessionUser {
  readonly email: string
  readonly companyName: string | null
  /** The user has paid at least once. */
  readonly isCustomer: boolean
}

/** The query of the users read model that the session uses. */
export interface SessionQueries {
  /** Waits for the session's own writes. Answers 503 while the read model does not exist yet. */
  ready(context: ReadContext): Promise<void>
  /** 'unknown': the read model does not have the account yet. */
  user(userId: UserId): Promise<SessionUser | 'erased' | 'unknown'>
}

export interface SessionParts {
  readonly accounts: Accounts
  readonly queries: SessionQueries
  /** Whether refunds above an amount need a second administrator. */
  readonly needsSecondPerson: boolean
  /** The business clock. Screens use the session's `now` as today. */
  readonly clock: Clock
  /** Null if no service outside is simulated. */
  readonly sandbox: ShownSandbox | null
}

/** What a page says of simulated services. */
interface ShownSandbox {
  /** The page with the mails. Null if a real mail server has them. */
  readonly inboxUrl: string | null
  /** Real time: the business clock follows the sandbox's, which can be years ahead. */
  readonly realClock: Clock
}

/** A difference that changes dates on the screens. Milliseconds. */
const noticeableMs = 86_400_000

/** The routes of a session that exists: who is signed in, and logout. */
export function sessionRoutes({
  accounts,
  queries,
  needsSecondPerson,
  clock,
  sandbox,
}: SessionParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/auth/session',
      summary: 'Read who is signed in',
      access: 'public',
      answer: sessionResponse,
      async handle(_input, context) {
        const { userId } = context.customer
        const user = userId === null ? null : await userOf(userId, context)
        const administrator = await context.administrator()
        const now = clock.now()
        return {
          userId: user === null ? null : userId,
          email: user?.email ?? null,
          isVerified: user !== null,
          isCustomer: user?.isCustomer ?? false,
          isAdmin: administrator !== null,
          administrator: administrator && {
            id: administrator.adminId,
            name: administrator.name,
            role: administrator.role,
            rights: [...rightsOf(administrator.role)],
            needsSecondPerson,
          },
          businessName: user?.companyName ?? null,
          now: now.toISOString(),
          ...(sandbox !== null && {
            sandbox: {
              inboxUrl: sandbox.inboxUrl,
              isClockAhead: now.getTime() - sandbox.realClock.now().getTime() > noticeableMs,
            },
          }),
        }
      },
    })

    route({
      method: 'post',
      path: '/api/auth/logout',
      appends: 'sign-out',
      summary: 'End the customer session',
      access: 'public',
      ignoresIdempotencyKey: true,
      answer: z.object({}),
      async handle(_input, context) {
        const { userId, handle } = context.customer
        // Before the session ends: a repeat without the session has nothing to record.
        if (userId !== null)
          await noteSignedOut(context, { userId }, () =>
            accounts.noteSignIn(
              userId,
              { type: 'SignedOut', data: {} },
              {
                ...commandContext(context, { kind: 'customer', id: userId }),
                commandId: `end of ${handle}`,
              },
            ),
          )
        await context.customer.signOut()
        return {}
      },
    })
  }

  /** Null after an erasure that has not ended the session yet. */
  async function userOf(userId: UserId, context: RequestContext): Promise<SessionUser | null> {
    await queries.ready(context)
    const user = await queries.user(userId)
    if (user === 'erased') return null
    if (user !== 'unknown') return user
    // The projector is behind AccountOpened, so the account is new and has not paid. Its stream is
    // short: only its owner makes it longer.
    const account = await accounts.find(userId)
    if (account === null) return null
    const { email, profile } = account
    return { email, companyName: profile?.companyName ?? null, isCustomer: false }
  }
}
