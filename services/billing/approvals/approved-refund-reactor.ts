import { parseUserId } from '#contracts/ids'
import { streamOwner } from '#services/foundation/stream-names'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { reactorContext } from '#services/reactors/reactor-context'
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
    async effect(event, attempt) {
      const { stream, data } = event
      await approvals.finish(parseUserId(streamOwner(stream)), data.requestId, {
        ...reactorContext(name, event, attempt),
        actor: { kind: 'admin', id: data.by },
      })
    },
  })
}
