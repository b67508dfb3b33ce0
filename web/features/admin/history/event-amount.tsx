import type { HistoryEvent } from '#contracts/admin/history'
import { formatMoney } from '../../../lib/money.ts'

/** Money received has a plus and money returned a minus. A failed payment has no sign. */
export function EventAmount({ event: { amount, currency, mark } }: { event: HistoryEvent }) {
  if (amount === null || currency === null) return null
  const received = mark === 'paid' && amount > 0
  return (
    <span className={`event-amount num ${received ? 'event-received' : ''}`}>
      {received && '+'}
      {formatMoney(amount, currency)}
    </span>
  )
}
