import { paymentMethodText } from '#contracts/payment-method-text'
import type { CheckoutId } from '#contracts/ids'
import type { ClientCheckout } from '../checkout/checkout-state.ts'
import type { AddedClient } from '../client-state.ts'

/** What became of the checkout from which the client comes back. Amounts in minor units. */
export type PaidNow =
  | { readonly kind: 'submitted'; readonly amount: number; readonly currency: string }
  | {
      readonly kind: 'paid'
      readonly amount: number
      readonly currency: string
      /** In the merchant's time zone. */
      readonly at: string
      readonly means: string
      readonly items: readonly {
        readonly number: string
        readonly reference: string | null
        readonly amount: number
      }[]
    }

/** Null: nothing was paid on it, or it is not this client's. */
export function paidCheckout(
  { checkouts }: AddedClient,
  checkoutId: CheckoutId | null,
): ClientCheckout | null {
  const checkout = checkoutId === null ? undefined : checkouts.get(checkoutId)
  return checkout?.standing === 'paid' || checkout?.standing === 'submitted' ? checkout : null
}

export function paidNow(
  { standing, amount, currency, payment, items }: ClientCheckout,
  paidAt: string,
  nameOf: (receivableId: string) => { readonly number: string; readonly reference: string | null },
): PaidNow {
  if (standing !== 'paid' || payment === null) return { kind: 'submitted', amount, currency }
  return {
    kind: 'paid',
    amount: payment.amount,
    currency,
    at: paidAt,
    means: paymentMethodText(payment.method),
    items: (payment.items.length > 0 ? payment.items : items).map((item) => ({
      ...nameOf(item.receivableId),
      amount: item.amount,
    })),
  }
}
