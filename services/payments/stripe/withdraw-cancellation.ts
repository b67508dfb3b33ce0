import type Stripe from 'stripe'
import { idOrNull } from './from-stripe/references.ts'

/**
 * Withdraws a scheduled cancellation where it was planned: in the subscription's schedule, by
 * `cancel_at_period_end`, or by `cancel_at`. Stripe refuses both fields together, and both for a
 * subscription with a schedule. Without a scheduled cancellation nothing is called.
 */
export async function withdrawCancellation(
  stripe: Stripe,
  subscriptionId: string,
  idempotencyKey: string,
): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId)
  const { schedule, cancel_at, cancel_at_period_end, ended_at } = subscription
  if (ended_at !== null || (cancel_at === null && !cancel_at_period_end)) return
  const scheduleId = idOrNull(schedule)
  if (scheduleId !== null) {
    await stripe.subscriptionSchedules.update(
      scheduleId,
      { end_behavior: 'release' },
      { idempotencyKey },
    )
    return
  }
  await stripe.subscriptions.update(
    subscriptionId,
    cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' },
    { idempotencyKey },
  )
}
