import { parseUserId } from '#contracts/ids'
import { streamOwner } from '#services/foundation/stream-names'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { reactorContext } from '#services/reactors/reactor-context'
import type { Refunds } from './refunds.ts'

const requestedRefunds = eventConsumer({
  name: 'requested refunds',
  concernedBy: ['refund'],
  ignores: ['RefundRefused', 'RefundRecorded', 'RefundStatusChanged', 'RefundStatusOverridden'],
})

const name = 'refunds'

/**
 * RefundRequested: completes a refund whose process died, or whose answer of the provider was lost.
 * Tries again until the provider answers: a reservation is released by the provider's answer only.
 */
export function refundReactor(refunds: Pick<Refunds, 'complete'>): Reactor {
  return defineReactor({
    name,
    handles: [requestedRefunds],
    effect: (event, attempt) =>
      refunds.complete(
        parseUserId(streamOwner(event.stream)),
        event.data.requestId,
        reactorContext(name, event, attempt),
      ),
  })
}
