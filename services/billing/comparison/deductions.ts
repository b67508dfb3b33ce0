import type { Deductions } from '#contracts/events/billing-parts'
import { textOfRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { StartedProviderSubscription } from '#services/payments/provider-state'
import type { StartedSubscription } from '../subscription-state.ts'
import type { Fact, Observed } from './fact.ts'

/**
 * Other coupons without an end, or another included tax. `newSince` is the start of a subscription
 * that this comparison records; null for a known subscription.
 */
export function deductionFacts(
  known: StartedSubscription,
  seen: StartedProviderSubscription,
  { newSince, seenAt }: { readonly newSince: Instant | null; readonly seenAt: Instant },
): Fact[] {
  if (haveEqualDeductions(known.deductions, seen.deductions)) return []
  const { subscriptionId, subscriptionRef, deductionChanges } = known
  const observed = timeOf(known, seen, newSince) ?? { changedAt: seenAt, isInferred: true }
  return [
    {
      type: 'RecurringDeductionsChanged',
      data: { subscriptionId, ...seen.deductions, ...observed },
      occurredAt: observed.changedAt,
      fact: `${textOfRef(subscriptionRef)} deductions ${deductionChanges.count + 1}`,
    },
  ]
}

/** The provider dates a coupon. It dates no removal and no change of a tax rate. */
function timeOf(
  { deductionChanges: { lastAt } }: StartedSubscription,
  { discountedAt }: StartedProviderSubscription,
  newSince: Instant | null,
): Observed | null {
  const isNewCoupon = discountedAt !== null && (lastAt === null || discountedAt > lastAt)
  if (isNewCoupon) return { changedAt: discountedAt, isInferred: false }
  return newSince === null ? null : { changedAt: newSince, isInferred: false }
}

function haveEqualDeductions(a: Deductions, b: Deductions): boolean {
  return (
    a.includedTax === b.includedTax && JSON.stringify(a.discounts) === JSON.stringify(b.discounts)
  )
}
