import { z } from 'zod'
import { nameContracts } from './name-contracts.ts'
import { refundOverrides, refundStatuses, shownRefundStatuses } from './refund-status.ts'

/**
 * `PATCH /api/admin/refunds/{id}`. The status replaces the provider's status on screens until the
 * provider reports another status. No money moves.
 */
export const overrideRefundRequest = z.object({
  status: z.enum(refundOverrides),
  reason: z.string().trim().min(1).max(500).optional(),
})
export const overrideRefundResponse = z.object({
  refund_id: z.string(),
  status: z.enum(shownRefundStatuses),
  provider_status: z.enum(refundStatuses),
})

nameContracts({
  OverrideRefundRequest: overrideRefundRequest,
  OverrideRefundResponse: overrideRefundResponse,
})
