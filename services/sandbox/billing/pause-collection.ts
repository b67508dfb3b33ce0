import type { Customer, Invoice, Subscription } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { pendingItems } from '../stripe/resources/invoice-items.ts'
import { newInvoice, type BillingReason } from '../stripe/resources/new-invoice.ts'
import { writeOff } from './close-invoice.ts'
import { discountOf } from './redeem-coupon.ts'
import { finalizeInvoice } from './finalize-invoice.ts'

/** The collection of a paused subscription resumes at this time (seconds) or earlier. */
export function isResumeDue({ pause_collection: pause }: Subscription, now: number): boolean {
  return pause !== null && pause.resumes_at !== null && pause.resumes_at <= now
}

/**
 * The invoice of a period while the collection is paused: a draft, or an invoice that is closed at
 * once and leaves the customer's balance. The subscription's status does not change. Source:
 * Stripe's documentation, "Pause payment collection".
 */
export async function openPausedInvoice(
  tx: Transaction,
  customer: Customer,
  subscription: Subscription,
  why: {
    readonly reason: BillingReason
    /** Start of the previous period. */ readonly since: number
    readonly billsPeriod: boolean
  },
): Promise<Invoice> {
  const pending = await pendingItems(tx, subscription)
  const draft = asDraft(
    newInvoice({
      customer: { ...customer, balance: 0 },
      subscription,
      ...why,
      discount: await discountOf(tx, subscription),
      pending,
      now: tx.now,
    }),
  )
  await tx.add(draft)
  for (const item of pending)
    await tx.save({ ...item, invoice: draft.id ?? null, sandbox: { state: 'invoiced' } })
  await tx.emit('invoice.created', draft)
  const behavior = subscription.pause_collection?.behavior
  if (behavior !== 'void' && behavior !== 'mark_uncollectible') return draft
  const final = await finalizeInvoice(tx, draft, { usesBalance: false })
  return writeOff(tx, final, behavior === 'void' ? 'void' : 'uncollectible')
}

function asDraft(invoice: Invoice): Invoice {
  return {
    ...invoice,
    auto_advance: false,
    effective_at: null,
    ending_balance: null,
    number: null,
    status: 'draft',
    status_transitions: { ...invoice.status_transitions, finalized_at: null },
  }
}
