import { DamagedStore } from '../store/damaged-store.ts'
import { idOrNull, type Invoice } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { appliedBalance } from '../stripe/resources/new-invoice.ts'
import { countInvoice, hostedUrl } from './collect-invoice.ts'

/** Makes a draft final: gives it a number, applies the customer's balance and emits the event. */
export async function finalizeInvoice(
  tx: Transaction,
  draft: Invoice,
  { usesBalance }: { readonly usesBalance: boolean },
): Promise<Invoice> {
  const customer = await tx.find('customer', idOrNull(draft.customer) ?? '')
  if (!customer)
    throw new DamagedStore(`The customer of the invoice ${draft.id ?? ''} does not exist.`)
  const sequence = customer.next_invoice_sequence ?? 1
  const balance = usesBalance
    ? appliedBalance(customer, 'subscription_cycle', draft)
    : { due: Math.max(0, draft.total), ending: 0 }
  const final: Invoice = {
    ...draft,
    // Until then a draft follows the customer; a final invoice does not.
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    amount_due: balance.due,
    amount_remaining: balance.due,
    effective_at: tx.now,
    ending_balance: balance.ending,
    hosted_invoice_url: hostedUrl(tx, draft),
    number: `${customer.invoice_prefix ?? 'SANDBOX'}-${String(sequence).padStart(4, '0')}`,
    starting_balance: usesBalance ? customer.balance : 0,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: tx.now },
  }
  await tx.save(final)
  await tx.emit('invoice.finalized', final)
  await countInvoice(tx, customer, usesBalance ? balance.ending : customer.balance)
  return final
}
