import type { ProviderRef } from '#contracts/events/provider-ref'

/** A price as the provider has it. */
export interface ProviderPrice {
  /**
   * Minor units of `currency` for one interval. Null if the amount depends on the usage or the
   * quantity.
   */
  readonly amount: number | null
  readonly currency: string
  /** Null for a price that is paid once. */
  readonly every: { readonly interval: string; readonly intervalCount: number } | null
  /** False for an archived price. */
  readonly isActive: boolean
}

export type PriceAnswer =
  | { readonly kind: 'found'; readonly price: ProviderPrice }
  | { readonly kind: 'missing' }
  /**
   * The provider does not let this key read the price. `status` is the HTTP status, `keySetting`
   * the setting that has the key.
   */
  | { readonly kind: 'refused'; readonly status: number; readonly keySetting: string }

/**
 * @throws PaymentProviderUnavailable if the provider does not answer, or answers with an error that
 * a retry can end
 */
export type ReadPrice = (priceRef: ProviderRef) => Promise<PriceAnswer>
