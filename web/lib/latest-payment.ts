import type { Payment } from '#contracts/purchases'

/**
 * The latest payment that moved money to the product. Refunds, credit notes and free invoices are
 * no such payment. `payments` is sorted newest first.
 */
export function latestPayment(payments: readonly Payment[]): Payment | null {
  return payments.find(({ amount_total }) => amount_total > 0) ?? null
}
