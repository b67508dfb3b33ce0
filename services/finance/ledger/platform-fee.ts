import type { FinanceEventOf } from '../finance-event.ts'
import type { Booking } from './books.ts'
import { entriesOf, type BookingSource } from './entry.ts'

/**
 * The provider takes the fee from the payment of a client and adds it to the product's balance. It
 * is earned at once: there is nothing to deliver later. It belongs to no plan.
 */
export function bookPlatformFee(
  {
    type,
    data: { currency, amount },
  }: FinanceEventOf<'PlatformFeeCharged' | 'PlatformFeeReturned'>,
  source: BookingSource,
): Booking {
  const isCharged = type === 'PlatformFeeCharged'
  const earned = isCharged ? amount : -amount
  const entries = entriesOf(
    source,
    isCharged ? 'platform-fee' : 'platform-fee-return',
    { currency, planName: null },
    [
      { account: 'cash', amount: earned },
      { account: 'platform_fees', amount: -earned },
    ],
  )
  return { entries, schedule: null }
}
