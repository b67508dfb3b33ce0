import type { HistoryEvent } from '#contracts/admin/history'
import { formatMoney } from '../../../lib/money.ts'

/**
 * Money that the product receives has a plus, also if a refund is reversed. Money that it returns
 * has a minus. A failed payment has no sign.
 */
export function EventAmount({ event: { amount, currency, mark } }: { event: HistoryEvent }) {
  if (amount === null || currency === null) return null
  const received = mark !== 'failed' && amount > 0
  return (
    <span className={`event-amount num ${received ? 'event-received' : ''}`}>
      {received && '+'}
      {formatMoney(amount, currency)}
    </span>
  )
}
