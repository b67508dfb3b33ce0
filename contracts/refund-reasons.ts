/*
 * Why an administrator refunds a payment. Free of zod, so that a page can offer the reasons without
 * loading a validator.
 */

/** The provider's reasons for a refund. */
export const refundReasons = ['requested_by_customer', 'duplicate', 'fraudulent'] as const
export type RefundReason = (typeof refundReasons)[number]
