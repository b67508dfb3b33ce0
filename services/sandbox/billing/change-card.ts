import type { Customer, Subscription } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { changeCustomer } from '../stripe/resources/customers.ts'
import { cardMethod, type TypedCard } from '../stripe/resources/payment-methods.ts'
import { saveChange } from './save-change.ts'
import { outcomeOf, type Decline } from './cards.ts'

/**
 * Makes a card the default for future charges. If the issuer declines the card, nothing changes.
 * The next attempt for an open invoice charges the new card.
 */
export async function changeCard(
  tx: Transaction,
  customer: Customer,
  subscription: Subscription | null,
  card: TypedCard,
): Promise<Decline | null> {
  const method = cardMethod(card, customer.id, tx.now)
  const decline = outcomeOf(method, 'atCheckout')
  if (decline !== null) return decline
  await tx.add(method)
  await tx.emit('payment_method.attached', method)
  await changeCustomer(tx, customer, {
    invoice_settings: { ...customer.invoice_settings, default_payment_method: method.id },
  })
  if (subscription !== null)
    await saveChange(tx, subscription, { ...subscription, default_payment_method: method.id })
  return null
}
