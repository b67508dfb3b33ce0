import type { BillingEvent } from '#contracts/events/billing'
import type { Instant } from '#contracts/instant'
import { shownRefundStatus, type RefundOverride } from '#contracts/refund-status'
import { accepted, refused, type Decider } from '#services/foundation/decider'
import { initialBillingState, type BillingState } from './billing-state.ts'
import { evolveBilling } from './evolve-billing.ts'

export interface OverrideRefund {
  readonly refundId: string
  readonly to: RefundOverride
  readonly reason: string | null
  readonly at: Instant
}

/** An administrator sets the shown status of a refund. The same status again records nothing. */
export const refundOverrideDecider: Decider<
  'billing',
  BillingState,
  OverrideRefund,
  BillingEvent,
  'unknown-refund'
> = {
  category: 'billing',
  initialState: initialBillingState,
  evolve: evolveBilling,

  decide({ refundId, to, reason, at }, { refunds }) {
    const known = refunds.get(refundId)
    if (known === undefined) return refused('unknown-refund')
    const from = shownRefundStatus(known.status, known.override)
    if (from === to) return accepted()
    return accepted({
      type: 'RefundStatusOverridden',
      data: { refundId, from, to, reason },
      occurredAt: at,
    })
  },
}
