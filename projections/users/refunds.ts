import { z } from 'zod'
import {
  hasReturnedMoney,
  refundOverrides,
  refundStatuses,
  type RefundOverride,
  type RefundStatus,
} from '#contracts/refund-status'

const refund = z.object({
  id: z.string(),
  /** Minor units of `currency`. */
  amount: z.int(),
  currency: z.string(),
  kind: z.enum(['full', 'partial', 'proration']),
  status: z.enum(refundStatuses),
  override: z.enum(refundOverrides).nullable(),
})
export type Refund = Readonly<z.infer<typeof refund>>

/** A user's refunds, for sums over all users. */
export const refunds = z.array(refund).readonly()

/** Adds a refund, or replaces the refund with the same id. */
export function withRefund(all: readonly Refund[], added: Refund): readonly Refund[] {
  return [...all.filter(({ id }) => id !== added.id), added]
}

/** The provider's new status replaces an override. */
export function withRefundStatus(
  all: readonly Refund[],
  id: string,
  status: RefundStatus,
): readonly Refund[] {
  return all.map((each) => (each.id === id ? { ...each, status, override: null } : each))
}

export function withRefundOverride(
  all: readonly Refund[],
  id: string,
  override: RefundOverride,
): readonly Refund[] {
  return all.map((each) => (each.id === id ? { ...each, override } : each))
}

/** The money that the provider gave back, by currency. An override moves no money. Minor units. */
export function returnedMoney(all: readonly Refund[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const { amount, currency, status } of all)
    if (hasReturnedMoney(status)) sums[currency] = (sums[currency] ?? 0) + amount
  return sums
}
