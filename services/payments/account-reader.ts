import type { ProviderRef } from '#contracts/events/provider-ref'
import type { AccountFee, AccountObjects } from './account-objects.ts'

/**
 * Reads the objects of the whole account at the provider. Every call rejects with
 * `PaymentProviderUnavailable` or `PaymentProviderRefused`.
 */
export interface AccountReader {
  /** The provider's name in refs. */
  readonly provider: string
  /** The account's id. Null if the key may not read it. */
  accountId(): Promise<string | null>
  /** The objects of one customer; with null, of the whole account. */
  objects(customerRef: ProviderRef | null): Promise<AccountObjects>
  /** The product's fees on payments to all merchants' accounts. */
  fees(): Promise<readonly AccountFee[]>
  /** Null if the provider does not have the fee. */
  fee(feeRef: ProviderRef): Promise<AccountFee | null>
}
