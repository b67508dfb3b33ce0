import { idOrNull, type Subscription, type SubscriptionSchedule } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { saveChange } from './save-change.ts'

/** The schedule that manages the subscription; null if there is none. */
export async function scheduleOf(
  tx: Pick<Transaction, 'find'>,
  subscription: Subscription,
): Promise<SubscriptionSchedule | null> {
  const id = idOrNull(subscription.schedule)
  return id === null ? null : tx.find('subscription_schedule', id)
}

/** Ends the schedule and keeps the subscription as it is. Later phases do not happen. */
export async function releaseSchedule(
  tx: Transaction,
  schedule: SubscriptionSchedule,
  subscription: Subscription,
): Promise<{ readonly schedule: SubscriptionSchedule; readonly subscription: Subscription }> {
  const released: SubscriptionSchedule = {
    ...schedule,
    ...detached(subscription),
    released_at: tx.now,
    status: 'released',
  }
  await tx.save(released)
  await tx.emit('subscription_schedule.released', released)
  const free: Subscription = { ...subscription, schedule: null }
  await saveChange(tx, subscription, free)
  return { schedule: released, subscription: free }
}

/** The last phase ended: the schedule is complete, and the subscription continues without it. */
export async function completeSchedule(
  tx: Transaction,
  schedule: SubscriptionSchedule,
  subscription: Subscription,
): Promise<void> {
  const completed: SubscriptionSchedule = {
    ...schedule,
    ...detached(subscription),
    completed_at: tx.now,
    status: 'completed',
  }
  await tx.save(completed)
  await tx.emit('subscription_schedule.completed', completed)
  await saveChange(tx, subscription, { ...subscription, schedule: null })
}

/** The subscription ended: its schedule is canceled with it. */
export async function cancelScheduleOf(tx: Transaction, subscription: Subscription): Promise<void> {
  const schedule = await scheduleOf(tx, subscription)
  if (schedule?.status !== 'active') return
  const canceled: SubscriptionSchedule = {
    ...schedule,
    canceled_at: tx.now,
    current_phase: null,
    status: 'canceled',
  }
  await tx.save(canceled)
  await tx.emit('subscription_schedule.canceled', canceled)
}

function detached({ id }: Subscription) {
  return { current_phase: null, released_subscription: id, subscription: null }
}
