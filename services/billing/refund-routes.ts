import { z } from 'zod'
import type { UserId } from '#contracts/ids'
import { shownRefundStatus } from '#contracts/refund-status'
import { overrideRefundRequest, overrideRefundResponse } from '#contracts/admin/refunds'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { billingStream } from '#services/foundation/stream-names'
import { commandContext } from '#services/http/command-context'
import { HttpError } from '#services/http/http-error'
import type { ReadContext } from '#services/http/read-your-writes'
import type { Routes } from '#services/http/routes'
import { refundOverrideDecider } from './override-refund.ts'

/** The queries that the routes use. */
export interface RefundQueries {
  /** Waits for the session's own writes. Answers 503 while the read model does not exist yet. */
  ready(context: ReadContext): Promise<void>
  /** The user whose payment was refunded; null for an unknown refund. */
  ownerOf(refundId: string): Promise<UserId | null>
}

export interface RefundParts {
  readonly commands: CommandHandler
  readonly refunds: RefundQueries
  readonly clock: Clock
}

const byId = z.object({ id: z.string().min(1).max(64) })

/** Routes for refunds, for administrators. Only the payment provider creates refunds. */
export function refundRoutes({ commands, refunds, clock }: RefundParts): Routes {
  return (route) => {
    route({
      method: 'patch',
      path: '/api/admin/refunds/:id',
      appends: 'administrator',
      summary: 'Override the shown status of a refund',
      access: 'admin',
      right: 'refund-status',
      params: byId,
      body: overrideRefundRequest,
      answer: overrideRefundResponse,
      alsoAnswers: [404, 409],
      async handle({ params: { id }, body: { status, reason = null } }, context) {
        await refunds.ready(context)
        const owner = await refunds.ownerOf(id)
        if (owner === null) throw unknownRefund(id)
        const { state, position } = await commands.handle({
          decider: refundOverrideDecider,
          stream: billingStream(owner),
          command: { refundId: id, to: status, reason, at: clock.now().toISOString() },
          context: commandContext(context, { kind: 'admin', id: context.adminId }),
        })
        const refund = state.refunds.get(id)
        if (refund === undefined) throw unknownRefund(id)
        context.admin.remember(position)
        return {
          refund_id: id,
          status: shownRefundStatus(refund.status, refund.override),
          provider_status: refund.status,
        }
      },
    })
  }
}

function unknownRefund(id: string): HttpError {
  return new HttpError(404, `There is no refund ${id}. Refresh the list.`)
}
