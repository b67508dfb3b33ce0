import type { RefundStatus } from '#contracts/refund-status'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import type { EventOf } from '#services/reactors/reactor'
import type { Known } from './known.ts'
import { toCustomer, type PlannedMail } from './planned-mail.ts'

/** The customer learns of a refund that exists, as the provider reports it. */
export const refundMails = eventConsumer({
  name: 'mails: refund',
  concernedBy: ['refund'],
  ignores: ['RefundRequested', 'RefundRefused', 'RefundStatusOverridden'],
})
type AboutRefund = EventOf<FoldedBy<typeof refundMails>>

/**
 * The mails about refunds. A refund that was recorded as pending and succeeds later has the mail of
 * the success, and the first mail only if it is sent before. So no mail about the success follows a
 * first mail that already reports it. Pure.
 */
export function planRefundMails(
  event: AboutRefund,
  { account, billing }: Pick<Known, 'account' | 'billing'>,
): readonly PlannedMail[] {
  const { refundId, amount } = event.data
  const now = billing.refunds.get(refundId)?.status
  switch (event.type) {
    case 'RefundRecorded': {
      const { planName, method, status, captured, kind, reason, memo } = event.data
      if (hasFailed(status)) return []
      const outdated = now === undefined ? null : whyOutdated(status, now)
      return toCustomer('refund', account, outdated, ({ name }) => ({
        kind: 'refund',
        name,
        refundId,
        refundKind: kind,
        planName,
        amount,
        captured,
        method,
        reason,
        memo,
        at: event.metadata.occurredAt,
        isPending: status !== 'succeeded',
      }))
    }
    case 'RefundStatusChanged': {
      const { to } = event.data
      const outdated = now === to ? null : 'the status of the refund changed again'
      const at = event.metadata.occurredAt
      switch (to) {
        case 'succeeded':
          return toCustomer('refund-arrived', account, outdated, ({ name }) => ({
            kind: 'refund-arrived',
            name,
            refundId,
            amount,
            at,
          }))
        case 'failed':
        case 'canceled':
          return toCustomer('refund-failed', account, outdated, ({ name }) => ({
            kind: 'refund-failed',
            name,
            refundId,
            amount,
            at,
            isCanceled: to === 'canceled',
          }))
        case 'pending':
        case 'requires_action':
          return []
        default:
          return unreachable(to)
      }
    }
    default:
      return unreachable(event)
  }
}

/** Why the first mail of a refund is no longer true; null if it is. */
function whyOutdated(recorded: RefundStatus, now: RefundStatus): string | null {
  if (now === recorded) return null
  if (hasFailed(now)) return 'the refund failed'
  return now === 'succeeded' ? 'the refund arrived' : null
}

function hasFailed(status: RefundStatus): boolean {
  return status === 'failed' || status === 'canceled'
}
