import { z } from 'zod'
import { filled } from '../form-text.ts'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { dayRange, listQuery, pageOf } from '../paging.ts'
import { refundOverrides, refundStatuses, shownRefundStatuses } from '../refund-status.ts'

/** Amounts are in decimal major units of `currency`. */
const adminRefund = z.object({
  refund_id: z.string(),
  user_id: z.string(),
  user_name: z.string().nullable(),
  user_email: z.string(),
  plan_name: z.string().nullable(),
  currency: z.string(),
  amount: z.number(),
  /** An administrator's status, or else the provider's status in the terms of the screens. */
  status: openEnum(shownRefundStatuses),
  /** The provider's own status. */
  provider_status: openEnum(refundStatuses),
  /** Whether an administrator set `status`. */
  is_overridden: z.boolean(),
  /** Why the administrator set `status`. Null without an override or a reason. */
  override_reason: z.string().nullable(),
  reason: z.string().nullable(),
  /** What the refund's credit note says to the customer; null without one. */
  memo: z.string().nullable(),
  refund_type: openEnum(['full', 'partial', 'proration']),
  payment_id: z.string().nullable(),
  subscription_id: z.string().nullable(),
  original_payment_amount: z.number().nullable(),
  created_at: instant,
  user_blocked: z.boolean(),
})

/** The sortable columns of the refunds table. The first key is the default. */
export const refundSortKeys = ['created_at', 'amount', 'status'] as const
export type RefundSortKey = (typeof refundSortKeys)[number]

export const adminRefundsQuery = listQuery(refundSortKeys).extend({
  status: z.enum(['all', ...shownRefundStatuses]).default('all'),
  ...dayRange,
})
export const adminRefundsResponse = pageOf(adminRefund)

/**
 * `PATCH /api/admin/refunds/{id}`. The status replaces the provider's status on screens until the
 * provider reports another status. No money moves. The console asks for a reason. The specified
 * call has none: a control reports an override without a reason, a sign of fraud (PCAOB AS
 * 2401.61).
 */
export const overrideRefundRequest = z.object({
  status: z.enum(refundOverrides),
  reason: filled('Reason', 500).optional(),
})
export const overrideRefundResponse = z.object({
  refund_id: z.string(),
  status: openEnum(shownRefundStatuses),
  provider_status: openEnum(refundStatuses),
})

export type AdminRefund = z.infer<typeof adminRefund>
export type AdminRefundsQuery = z.infer<typeof adminRefundsQuery>

nameContracts({
  AdminRefund: adminRefund,
  AdminRefundsPage: adminRefundsResponse,
  OverrideRefundRequest: overrideRefundRequest,
  OverrideRefundResponse: overrideRefundResponse,
})
