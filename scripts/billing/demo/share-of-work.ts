import type { PlannedCustomer } from './plan-customer.ts'

/**
 * Measured on two cores with `billing demo`: what a day, an action on it and a customer who has
 * subscribed cost, in about 25 ms.
 */
const weights = { day: 12, action: 30, liveCustomer: 1.1 }

/**
 * The share of the whole work that is done after so many days. Customers join from month to month,
 * so a late day takes many times as long as an early one: a time left that counts days alone would
 * be far too short.
 */
export function shareOfWork(
  days: number,
  customers: readonly PlannedCustomer[],
): (daysDone: number) => number {
  const actions = Array<number>(days).fill(0)
  const joining = Array<number>(days).fill(0)
  for (const { actions: planned } of customers)
    for (const { day, kind } of planned) {
      actions[day] = (actions[day] ?? 0) + 1
      // A live customer has renewals, with webhooks and mails.
      if (kind === 'pay') joining[day] = (joining[day] ?? 0) + 1
      if (kind === 'cancel') joining[day] = (joining[day] ?? 0) - 1
      if (kind === 'withdraw-cancellation') joining[day] = (joining[day] ?? 0) + 1
    }
  const workUntil = [0]
  let live = 0
  for (let day = 0; day < days; day += 1) {
    live += joining[day] ?? 0
    workUntil.push(
      (workUntil[day] ?? 0) +
        weights.day +
        (actions[day] ?? 0) * weights.action +
        live * weights.liveCustomer,
    )
  }
  const whole = workUntil[days] ?? 0
  return (daysDone) => (workUntil[Math.min(days, daysDone)] ?? 0) / whole
}
