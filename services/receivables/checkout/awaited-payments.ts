import type { ClientState } from '../client-state.ts'
import { creditIdOf, portalPaymentIdOf } from '../receivable-id.ts'
import type { AddedReceivable } from '../receivable-state.ts'

/**
 * Tells whether a receivable lacks a payment that its client's stream has: the share of the
 * receivable is recorded a moment later, or after a crash. A share that the receivable could not
 * take any more is a credit of the client.
 */
export function awaitedPayments(
  client: ClientState,
): (receivable: Pick<AddedReceivable, 'receivableId' | 'payments'>) => boolean {
  const shares = new Map<string, readonly string[]>()
  if (client.kind === 'added')
    for (const { checkoutId, payment } of client.checkouts.values())
      for (const { receivableId } of payment?.items ?? []) {
        const paymentId = portalPaymentIdOf(checkoutId, receivableId)
        if (client.credits.has(creditIdOf(paymentId))) continue
        shares.set(receivableId, [...(shares.get(receivableId) ?? []), paymentId])
      }
  return ({ receivableId, payments }) =>
    (shares.get(receivableId) ?? []).some((paymentId) => !payments.has(paymentId))
}
