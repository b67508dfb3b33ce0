import type { Instant } from '#contracts/instant'
import { noChanges } from '#services/payments/provider-change'
import type { ProviderState } from '#services/payments/provider-state'
import type { BillingState } from './billing-state.ts'
import { evolveBilling } from './evolve-billing.ts'
import { creditNoteFacts, disputeFacts, refundFacts } from './comparison/after-payment.ts'
import { checkoutFacts } from './comparison/checkouts.ts'
import { customerFacts } from './comparison/customer.ts'
import type { Fact } from './comparison/fact.ts'
import { invoiceFacts } from './comparison/invoices.ts'
import { subscriptionChanges } from './comparison/subscriptions.ts'

/**
 * The differences between the provider's state and the billing stream, as facts. The same
 * difference gives the same facts on every path (webhook, the confirmation page's sync, a
 * reconciler). Without a difference the result is empty. `seenAt` dates the changes that the
 * provider does not date.
 */
export function reconcile(
  state: BillingState,
  seen: ProviderState,
  seenAt: Instant,
): readonly Fact[] {
  return inOrder(state, [
    (known) => checkoutFacts(known, seen, seenAt),
    ...seen.subscriptions.map(
      (each) => (known: BillingState) =>
        subscriptionChanges(
          known,
          each,
          {
            history: seen.history.subscriptions.get(each.subscriptionRef) ?? noChanges,
            invoices: seen.invoices,
          },
          seenAt,
        ),
    ),
    ...seen.invoices.map((each) => (known: BillingState) => invoiceFacts(known, each, seenAt)),
    ...seen.refunds.map((each) => (known: BillingState) => refundFacts(known, each, seen, seenAt)),
    ...seen.creditNotes.map(
      (each) => (known: BillingState) => creditNoteFacts(known, each, seen, seenAt),
    ),
    ...seen.disputes.map(
      (each) => (known: BillingState) => disputeFacts(known, each, seen, seenAt),
    ),
    (known) => customerFacts(known, seen.customer, seenAt),
  ])
}

/** Each comparison sees the facts of the earlier comparisons: a refund needs its payment. */
function inOrder(
  state: BillingState,
  comparisons: readonly ((known: BillingState) => readonly Fact[])[],
): readonly Fact[] {
  const facts: Fact[] = []
  let known = state
  for (const compare of comparisons) {
    const found = compare(known)
    facts.push(...found)
    known = found.reduce(evolveBilling, known)
  }
  return facts
}
