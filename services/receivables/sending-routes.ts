import { z } from 'zod'
import {
  sendingAct,
  sendingActResponse,
  sendingResponse,
  type SendingAct,
} from '#contracts/admin/sending'
import { isUserId, type UserId } from '#contracts/ids'
import { unreachable } from '#services/foundation/decider'
import { noSuchUser } from '#services/http/access'
import { commandContext } from '#services/http/command-context'
import type { Routes } from '#services/http/routes'
import { refusedMerchantAct } from './merchant-refusals.ts'
import type { Schedules } from './schedule/schedules.ts'

const params = z.object({ userId: z.string().min(1).max(255) })

/** What an administrator sees and decides of a merchant's messages. */
export function sendingRoutes({
  schedules,
  isUser,
}: {
  readonly schedules: Schedules
  /** Whether there is such an account, which is not erased. */
  readonly isUser: (userId: UserId) => Promise<boolean>
}): Routes {
  const merchantOf = async (userId: string): Promise<UserId> => {
    if (!isUserId(userId) || !(await isUser(userId))) throw noSuchUser()
    return userId
  }

  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/users/:userId/sending',
      summary: "Read whether a merchant's clients get messages",
      access: 'admin',
      right: 'read',
      params,
      answer: sendingResponse,
      alsoAnswers: [404],
      async handle({ params: { userId } }) {
        const { isOn, stoppedBecause, stoppedAt, limits } = await schedules.read(
          await merchantOf(userId),
        )
        return {
          remindersAreOn: isOn,
          stopped:
            stoppedBecause === null || stoppedAt === null
              ? null
              : { reason: stoppedBecause, at: stoppedAt },
          limits,
        }
      },
    })

    route({
      method: 'post',
      path: '/api/admin/users/:userId/sending',
      appends: 'administrator',
      summary: "Stop or allow a merchant's messages, or limit them",
      access: 'admin',
      right: 'sending',
      params,
      body: sendingAct,
      answer: sendingActResponse,
      alsoAnswers: [404, 409],
      async handle({ params: { userId }, body }, context) {
        const merchantId = await merchantOf(userId)
        const command = commandContext(context, { kind: 'admin', id: context.adminId })
        const done = await schedules.act(merchantId, actOf(body), command)
        if (done.kind === 'refused') throw refusedMerchantAct(done.refusal)
        context.admin.remember(done.position)
        context.log.info({ userId, act: body.type }, "A merchant's messages were decided about.")
        return { message: messageOf(body) }
      },
    })
  }
}

function actOf(act: SendingAct): Parameters<Schedules['act']>[1] {
  switch (act.type) {
    case 'stop':
      return { type: 'stop-sending', reason: act.reason }
    case 'allow':
      return { type: 'allow-sending' }
    case 'set-limits':
      return { type: 'set-sending-limits', limits: act.limits }
    default:
      return unreachable(act)
  }
}

function messageOf({ type }: SendingAct): string {
  switch (type) {
    case 'stop':
      return 'All messages of the merchant are stopped.'
    case 'allow':
      return 'The merchant may send messages again.'
    case 'set-limits':
      return 'The limits of the merchant are set.'
    default:
      return unreachable(type)
  }
}
