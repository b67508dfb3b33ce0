import type { Stripe } from 'stripe'
import { idOf, type Subscription, type Wire } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { saveChange } from './save-change.ts'
import { cancelScheduleOf } from './end-schedule.ts'

interface CancellationAnswers {
  readonly comment?: string
  readonly feedback?: string
}

/** The end of the paid period, in seconds. */
export function paidUntil(subscription: Subscription): number {
  return Math.max(...subscription.items.data.map((item) => item.current_period_end))
}

/**
 * Schedules the cancellation for `at` (seconds), or for the end of the paid period. Flexible
 * billing sets only `cancel_at`.
 */
export function scheduleCancellation(
  subscription: Subscription,
  at: number | null,
  now: number,
  answers: CancellationAnswers = {},
): Subscription {
  return {
    ...subscription,
    cancel_at: at ?? paidUntil(subscription),
    cancel_at_period_end: false,
    canceled_at: subscription.canceled_at ?? now,
    cancellation_details: detailsOf(subscription, 'cancellation_requested', answers),
  }
}

export function withdrawCancellation(subscription: Subscription): Subscription {
  return {
    ...subscription,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  }
}

/** Ends the subscription now: saves it, stops all charges and emits the event. */
export async function endSubscription(
  tx: Transaction,
  subscription: Subscription,
  why: { readonly reason: 'cancellation_requested' | 'payment_failed' } & CancellationAnswers,
): Promise<Subscription> {
  const ended: Subscription = {
    ...subscription,
    canceled_at: subscription.canceled_at ?? tx.now,
    cancellation_details: detailsOf(subscription, why.reason, why),
    ended_at: tx.now,
    status: 'canceled',
  }
  await tx.save(ended)
  await stopCollecting(tx, subscription)
  await cancelScheduleOf(tx, subscription)
  await tx.emit('customer.subscription.deleted', ended)
  return ended
}

/** Open invoices stay open, as at Stripe, without further attempts. */
async function stopCollecting(tx: Transaction, subscription: Subscription): Promise<void> {
  const open = await tx.list('invoice', {
    where: [
      { path: ['customer'], isOneOf: [idOf(subscription.customer)] },
      { path: ['parent', 'subscription_details', 'subscription'], isOneOf: [subscription.id] },
      { path: ['status'], isOneOf: ['open'] },
    ],
  })
  for (const invoice of open) {
    if (invoice.next_payment_attempt === null) continue
    const stopped = { ...invoice, auto_advance: false, next_payment_attempt: null }
    await saveChange(tx, invoice, stopped)
  }
}

function detailsOf(
  subscription: Subscription,
  reason: Stripe.Subscription.CancellationDetails.Reason,
  answers: CancellationAnswers,
): Wire<Stripe.Subscription.CancellationDetails> {
  const before = subscription.cancellation_details
  return {
    comment: answers.comment ?? before?.comment ?? null,
    feedback: answers.feedback ?? before?.feedback ?? null,
    feedback_option: null,
    reason,
  }
}
