import type { Subscription, SubscriptionSchedule } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'

/** Saves the new state and emits the event with the old values of the changed fields. */
export async function saveChange(
  tx: Transaction,
  before: Subscription,
  after: Subscription,
): Promise<void> {
  await tx.save(after)
  const previous = changedFields(before, after)
  if (previous !== null) await tx.emit('customer.subscription.updated', after, previous)
}

/** The same for a schedule. */
export async function saveScheduleChange(
  tx: Transaction,
  before: SubscriptionSchedule,
  after: SubscriptionSchedule,
): Promise<void> {
  await tx.save(after)
  const previous = changedFields(before, after)
  if (previous !== null) await tx.emit('subscription_schedule.updated', after, previous)
}

/** The old values of the changed fields; null if no field changed. */
function changedFields<T extends object>(before: T, after: T): object | null {
  const changed = Object.entries(before).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(after[key as keyof T]),
  )
  return changed.length === 0 ? null : Object.fromEntries(changed)
}
