import type { CheckoutItem } from '#contracts/events/client-checkout'

/**
 * What each receivable gets of a payment: its amount in the order of the checkout. The last one
 * gets what the provider took beyond the sum; its surplus becomes a credit of the client.
 */
export function sharesOfPayment(
  items: readonly CheckoutItem[],
  paid: number,
): readonly CheckoutItem[] {
  let left = paid
  const shares = items.map(({ receivableId, amount }, index) => {
    const isLast = index === items.length - 1
    const share = isLast ? left : Math.min(amount, left)
    left -= share
    return { receivableId, amount: share }
  })
  return shares.filter(({ amount }) => amount > 0)
}

/**
 * What each receivable loses by a reversal: the last one first, so that the oldest debts stay paid.
 * `kept`: what each one has of the payment now. A reversal of more than all of it takes all.
 */
export function sharesOfReversal(
  kept: readonly CheckoutItem[],
  reversed: number,
): readonly CheckoutItem[] {
  let left = reversed
  return kept
    .toReversed()
    .map(({ receivableId, amount }) => {
      const share = Math.min(amount, left)
      left -= share
      return { receivableId, amount: share }
    })
    .filter(({ amount }) => amount > 0)
}
