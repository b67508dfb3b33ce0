import { noHistory } from '#services/payments/provider-change'
import type { ProviderState } from '#services/payments/provider-state'

/** The state of a customer at the payment provider before any checkout. */
export const nothingAtProvider: ProviderState = {
  customer: null,
  checkouts: [],
  subscriptions: [],
  invoices: [],
  refunds: [],
  creditNotes: [],
  disputes: [],
  history: noHistory,
}
