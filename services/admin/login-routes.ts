import { z } from 'zod'
import { adminLoginRequest, adminLoginResponse } from '#contracts/admin'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import type { Ids } from '#services/foundation/ids'
import { adminAccessStream } from '#services/foundation/stream-names'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { adminAccessDecider, type AdminAccessCommand } from './admin-access-decider.ts'

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
      access: 'public',
      ignoresIdempotencyKey: true,
      body: adminLoginRequest,
      answer: adminLoginResponse,
      async handle({ body }, context) {
        // Counted before the password is checked, so that guesses at the same time count too.
        await limits.adminLogin.spend(context.ip)
        if (!(await isPassword(body.password))) {
          context.log.warn('An administrator sign-in was refused.')
          await note(
            { type: 'note-refusal', reason: 'wrong-password', at: now() },
            'unknown',
            context,
          )
          throw new HttpError(401, 'Invalid password')
        }
        await limits.adminLogin.reset(context.ip)
        const adminId = `adm_${ids.uuid()}`
        await note({ type: 'note-sign-in', adminId, at: now() }, adminId, context)
        await context.admin.signIn(adminId)
        context.log.info({ adminId }, 'An administrator signed in.')
        return { isAdmin: true } as const
      },
    })

    route({
      method: 'post',
      path: '/api/admin/logout',
      access: 'public',
      ignoresIdempotencyKey: true,
      answer: z.object({}),
      async handle(_input, context) {
        const { adminId } = context.admin
        if (adminId !== null)
          await note({ type: 'note-sign-out', adminId, at: now() }, adminId, context)
        await context.admin.signOut()
        return {}
      },
    })
  }

  function now() {
    return clock.now().toISOString()
  }

  async function note(
    command: AdminAccessCommand,
    adminId: string,
    context: RequestContext,
  ): Promise<void> {
    await commands.handle({
      decider: adminAccessDecider,
      stream: adminAccessStream(command.at),
      command,
      context: commandContext(context, { kind: 'admin', id: adminId }),
    })
  }
}
