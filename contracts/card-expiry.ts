import type { PaymentMethod } from './events/billing-parts.ts'

/** The card's own expiry, as on the card: `08/28`. Null for other means. */
export function cardExpiry(method: PaymentMethod | null): string | null {
  const { expiryMonth = null, expiryYear = null } = method ?? {}
  if (expiryMonth === null || expiryYear === null) return null
  return `${String(expiryMonth).padStart(2, '0')}/${String(expiryYear).slice(-2)}`
}
