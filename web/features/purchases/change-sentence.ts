import type { BillingChange } from '#contracts/billing-change'
import { formatDay } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'

/** What the customer sees about one change after a visit at the provider's portal. */
export function changeSentence(change: BillingChange): string {
  switch (change.kind) {
    case 'payment-method':
      return change.method === null
        ? 'Your payment method was removed.'
        : `Your payment method is now ${change.method}.`
    case 'billing-details':
      return 'Your billing details were updated. They apply to your next receipt.'
    case 'paid':
      return `Your payment of ${formatMoney(change.amount, change.currency)} was received.`
    case 'cancellation-scheduled':
      return `Your ${change.plan} ends on ${formatDay(change.ends_at)}. ${chargesUntilEnd(change.renews_at)}`
    case 'cancellation-withdrawn':
      return `Your ${change.plan} continues. It is no longer set to end.`
    case 'ended':
      return `Your ${change.plan} has ended.`
    case 'plan-changed':
      return change.from === change.to
        ? `Your ${change.to} was changed.`
        : `You changed from the ${change.from} to the ${change.to}.`
    case 'plan-change-scheduled':
      return `Your ${change.from} changes to the ${change.to} on ${formatDay(change.starts_at)}.`
    case 'plan-change-dropped':
      return `Your ${change.plan} continues. The planned change was dropped.`
  }
}

/** `renewsAt`: the next renewal before a scheduled end; null if there is none. */
export function chargesUntilEnd(renewsAt: string | null): string {
  return renewsAt === null
    ? 'It does not renew.'
    : `Until then it renews, next on ${formatDay(renewsAt)}.`
}
