import type { ProviderHistory } from '#services/payments/provider-change'
import type {
  ProviderCheckout,
  ProviderCreditNote,
  ProviderDispute,
  ProviderInvoice,
  ProviderRefund,
  StartedProviderSubscription,
} from '#services/payments/provider-state'

export interface ModelSubscription extends Omit<StartedProviderSubscription, 'kind'> {
  readonly end: { readonly endedAt: string; readonly why: 'canceled' | 'unpaid' } | null
}

export interface ProviderModel {
  /** Minutes since the start: every action takes a minute or more. */
  readonly now: number
  readonly checkouts: readonly ProviderCheckout[]
  /** The provider itself allows a customer any number of subscriptions. */
  readonly running: readonly ModelSubscription[]
  readonly ended: readonly ModelSubscription[]
  readonly invoices: readonly ProviderInvoice[]
  readonly refunds: readonly ProviderRefund[]
  readonly creditNotes: readonly ProviderCreditNote[]
  readonly disputes: readonly ProviderDispute[]
  /** What the provider's events report. */
  readonly history: ProviderHistory
}
