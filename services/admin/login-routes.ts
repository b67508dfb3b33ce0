import { z } from 'zod'
import { adminLoginRequest, adminLoginResponse } from '#contracts/admin/sign-in'
import type { AdminAccessEvent } from '#contracts/events/admin-access'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import type { Ids } from '#services/foundation/ids'
import { GateIsFull } from '#services/foundation/work-gate'
import { adminAccessStream } from '#services/foundation/stream-names'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import { noteSignedOut } from '#services/http/note-signed-out'
import type { Routes } from '#services/http/routes'

export interface AdminLoginParts {
  readonly commands: CommandHandler
  readonly limits: Limits
  readonly clock: Clock
  readonly ids: Ids
  readonly isPassword: (password: string) => Promise<boolean>
}

/** Sign-in and sign-out of administrators with the shared password. Each is recorded in the log. */
export function adminLoginRoutes({
  commands,
  limits,
  clock,
  ids,
  isPassword,
}: AdminLoginParts): Routes {
  return (route) => {
    route({
      method: 'post',
      path: '/api/admin/login',
      work: 'sign-in',
      summary: 'Sign in as an administrator',
      access: 'public',
      ignoresIdempotencyKey: true,
      body: adminLoginRequest,
      answer: adminLoginResponse,
      alsoAnswers: [401, 429],
      async handle({ body }, context) {
        // Counted before the password is checked, so that guesses at the same time count too.
        await limits.adminLogin.spend(context.network)
        if (!(await isRight(body.password, context.network))) {
          context.log.warn('An administrator sign-in was refused.')
          await note(
            { type: 'AdminSignInRefused', data: { reason: 'wrong-password' } },
            'unknown',
            context,
          )
          throw new HttpError(401, 'Invalid password')
        }
        await limits.adminLogin.reset(context.network)
        const adminId = `adm_${ids.uuid()}`
        await note({ type: 'AdminSignedIn', data: { adminId } }, adminId, context)
        await context.admin.signIn(adminId)
        context.log.info({ adminId }, 'An administrator signed in.')
        return { isAdmin: true } as const
      },
    })

    route({
      method: 'post',
      path: '/api/admin/logout',
      summary: 'End the administrator session',
      access: 'public',
      ignoresIdempotencyKey: true,
      answer: z.object({}),
      async handle(_input, context) {
        const { adminId } = context.admin
        // The session ends first: nothing that fails later, such as the event store, keeps it.
        await context.admin.signOut()
        if (adminId !== null)
          await noteSignedOut(context, { adminId }, () =>
            note({ type: 'AdminSignedOut', data: { adminId } }, adminId, context),
          )
        return {}
      },
    })
  }

  async function isRight(password: string, network: string): Promise<boolean> {
    try {
      return await isPassword(password)
    } catch (error) {
      if (error instanceof GateIsFull) await limits.adminLogin.refund(network)
      throw error
    }
  }

  /** No decision reads this stream: refused sign-ins can make it long. */
  async function note(
    event: AdminAccessEvent,
    adminId: string,
    context: RequestContext,
  ): Promise<void> {
    const occurredAt = clock.now().toISOString()
    await commands.record({
      stream: adminAccessStream(occurredAt),
      event: { ...event, occurredAt },
      context: commandContext(context, { kind: 'admin', id: adminId }),
    })
  }
}
