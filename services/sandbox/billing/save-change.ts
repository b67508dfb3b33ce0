import { previousAttributes } from '../store/previous-attributes.ts'
import { shown, type StripeObjects } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'

/** The event of a change that has no event of its own. */
const updated = {
  customer: 'customer.updated',
  dispute: 'charge.dispute.updated',
  invoice: 'invoice.updated',
  payment_method: 'payment_method.updated',
  refund: 'refund.updated',
  subscription: 'customer.subscription.updated',
  subscription_schedule: 'subscription_schedule.updated',
  tax_rate: 'tax_rate.updated',
} as const
type Updatable = StripeObjects[keyof typeof updated]

/**
 * Saves the new state. If a field changed that the API returns, the event reports its old value.
 */
export async function saveChange<T extends Updatable>(
  tx: Transaction,
  before: T,
  after: T,
): Promise<void> {
  await tx.save(after)
  if (previousAttributes(shown(before), shown(after)) !== null)
    await tx.emit(updated[after.object], after, before)
}
