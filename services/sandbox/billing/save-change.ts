import type { Subscription } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'

/** Saves the new state and emits the event with the old values of the changed fields. */
export async function saveChange(
  tx: Transaction,
  before: Subscription,
  after: Subscription,
): Promise<void> {
  const previous = Object.fromEntries(
    Object.entries(before).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(after[key as keyof Subscription]),
    ),
  )
  await tx.save(after)
  if (Object.keys(previous).length > 0)
    await tx.emit('customer.subscription.updated', after, previous)
}
