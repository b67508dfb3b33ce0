import { parseUserId } from '#contracts/ids'
import { streamOwner } from '#services/foundation/stream-names'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import type { RefundApprovals } from './refund-approvals.ts'

const approvedRefunds = eventConsumer({
  name: 'approved refunds',
  concernedBy: ['approval'],
  ignores: [
    'RefundProposed',
    'RefundProposalDeclined',
    'RefundProposalWithdrawn',
    'RefundProposalFailed',
    'ExportProposed',
    'ExportProposalApproved',
    'ExportProposalDeclined',
    'ExportProposalWithdrawn',
    'ApprovedExportTaken',
  ],
})

const name = 'approved-refunds'

/**
 * RefundProposalApproved: requests the approved refund if the process died before it did, or if the
 * provider was away. The approval and the refund have the same administrator as their actor.
 */
export function approvedRefundReactor(approvals: Pick<RefundApprovals, 'finish'>): Reactor {
  return defineReactor({
    name,
    handles: [approvedRefunds],
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
