import type { ProviderRef } from '#contracts/events/provider-ref'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'

/** An account of a merchant as the provider describes it now. */
export interface ConnectedAccount {
  /** Clients can pay. Only this says so: not that the merchant returned from the provider. */
  readonly canCharge: boolean
  /** The provider pays out to the merchant's bank. */
  readonly canPayOut: boolean
  /** The merchant completed the provider's form. */
  readonly isSubmitted: boolean
  readonly needs: AccountNeeds
}

/** What the provider still needs of the merchant, who answers on the provider's pages. */
export interface AccountNeeds {
  /** Answers that the provider asks for. */
  readonly asked: number
  /** Of these: the time for them is over. */
  readonly overdue: number
  /** The provider checks the answers. The merchant waits. */
  readonly isInReview: boolean
  /** When the provider restricts the account without the answers. Null: it named no time. */
  readonly until: Instant | null
  /** The provider wants no business with the account. */
  readonly isRejected: boolean
}

/**
 * The port to accounts of merchants at the payment provider. Calls reject with
 * `PaymentProviderUnavailable` and `PaymentProviderRefused`, as those of `PaymentProvider` do.
 */
export interface ConnectedAccounts {
  /** The provider's name in refs. */
  readonly name: string
  /** The provider's name as people know it. */
  readonly title: string
  /**
   * A repeat with the same idempotency key returns the same account for as long as the provider
   * keeps the answer, which can be 24 h. Afterwards it makes another account. No person has a link
   * to the one before, so it stays empty.
   */
  createAccount(account: {
    readonly merchantId: UserId
    /** Fills a field of the provider's form. */
    readonly email: string
    /** The two-letter code. */
    readonly country: string
    readonly idempotencyKey: string
  }): Promise<ProviderRef>
  /**
   * The provider's form for the account. It works once and for minutes: make it at each click, and
   * never store it. Opened later, it leads to `refreshUrl`.
   */
  onboardingLink(
    accountRef: ProviderRef,
    urls: { readonly returnUrl: string; readonly refreshUrl: string },
  ): Promise<{ readonly url: string }>
  /** Null: the product has no access to the account, or the account is gone. */
  accountOf(accountRef: ProviderRef): Promise<ConnectedAccount | null>
  /** The provider's own pages of the account, where the merchant signs in. */
  dashboardUrlOf(accountRef: ProviderRef): Promise<{ readonly url: string }>
}
