import { noHistory } from '#services/payments/provider-change'
import type { ProviderState } from '#services/payments/provider-state'
import type { BillingState } from './billing-state.ts'

/** The state at the provider of a customer that was created a moment ago. */
export const stateOfNewCustomer: ProviderState = {
  customer: null,
  checkouts: [],
  subscriptions: [],
  invoices: [],
  refunds: [],
  creditNotes: [],
  disputes: [],
  history: noHistory,
}

/**
 * Whether no click has reserved a checkout. A session is created only after its reservation is
 * appended. So the provider has no session of this customer, and the append of a first reservation
 * conflicts if another click appends one meanwhile.
 */
export function isBeforeFirstCheckout(state: BillingState): boolean {
  const { openCheckout, closedCheckouts, subscriptions, formerCustomerRefs } = state
  return (
    openCheckout === null &&
    closedCheckouts.size === 0 &&
    subscriptions.size === 0 &&
    formerCustomerRefs.length === 0
  )
}
