/*
 * The rules about refund statuses. Free of zod, so that a page can use the rules without loading a
 * validator.
 */

/** Stripe's statuses of a refund, as events contain them. */
export const refundStatuses = [
  'pending',
  'requires_action',
  'succeeded',
  'failed',
  'canceled',
] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** The statuses that screens show. Source: specification, section 3, "Refund". */
export const shownRefundStatuses = ['succeeded', 'pending', 'failed'] as const
export type ShownRefundStatus = (typeof shownRefundStatuses)[number]

/**
 * The statuses that an administrator can set instead of the provider's. Source: specification,
 * section 2, "Refunds".
 */
export const refundOverrides = ['pending', 'failed'] as const satisfies readonly ShownRefundStatus[]
export type RefundOverride = (typeof refundOverrides)[number]

const shown: Readonly<Record<RefundStatus, ShownRefundStatus>> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
}

/** The status that screens show: an override, or else the provider's status in their terms. */
export function shownRefundStatus(
  status: RefundStatus,
  override: RefundOverride | null,
): ShownRefundStatus {
  return override ?? shown[status]
}

/** Whether the provider gave the money back: only such a refund reduces what a customer spent. */
export function hasReturnedMoney(status: RefundStatus): boolean {
  return status === 'succeeded'
}
