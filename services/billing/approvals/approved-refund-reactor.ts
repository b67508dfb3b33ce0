import { parseUserId } from '#contracts/ids'
import { streamOwner } from '#services/foundation/stream-names'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import type { RefundApprovals } from './refund-approvals.ts'

const name = 'approved-refunds'

/**
 * RefundProposalApproved: requests the approved refund if the process died before it did, or if the
 * provider was away. The approval and the refund have the same administrator as their actor.
 */
export function approvedRefundReactor(approvals: Pick<RefundApprovals, 'finish'>): Reactor {
  return defineReactor({
    name,
    handles: ['RefundProposalApproved'],
    async effect({ id, stream, data, metadata: { correlationId } }, attempt) {
      await approvals.finish(parseUserId(streamOwner(stream)), data.requestId, {
        commandId: `reactor ${name} ${id} ${attempt}`,
        correlationId,
        causationId: id,
        actor: { kind: 'admin', id: data.by },
        source: 'system',
      })
    },
  })
}
