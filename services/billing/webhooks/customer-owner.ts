import type { ProviderRef } from '#contracts/events/provider-ref'
import { isUserId, type UserId } from '#contracts/ids'
import type { EventFeed } from '#services/payments/event-feed'
import type { ProviderEvent } from '#services/payments/provider-event'
import type { PaymentProvider } from '#services/payments/payment-provider'
import type { Billing } from '../billing-service.ts'

/** The read model of the links between customers at the provider and accounts. */
export interface CustomerLinks {
  /** False until the read model is built. Every other call rejects until then. */
  isReady(): Promise<boolean>
  /** Null if the customer is linked to no account. */
  userOf(customerRef: ProviderRef): Promise<UserId | null>
  /** Those of the customers that are linked. */
  linkedAmong(customerRefs: readonly ProviderRef[]): Promise<ReadonlySet<ProviderRef>>
  /** The next `limit` accounts with a linked customer, in the order of their ids. */
  users(after: UserId | null, limit: number): Promise<readonly UserId[]>
  /**
   * The accounts whose link the log has and the read model lacks: the event is parked, skipped or
   * not reached yet. With `users`, if it is called later, every link that was in the log at the
   * time of this call.
   */
  unfoldedUsers(): Promise<readonly UserId[]>
}

export interface CustomerOwnerParts {
  readonly billing: Pick<Billing, 'isLinked'>
  readonly provider: Pick<PaymentProvider, 'userIdOfCustomer'>
  readonly feed: Pick<EventFeed, 'customerOf'>
  readonly links: Pick<CustomerLinks, 'userOf'>
}

export interface CustomerOwner {
  /** The customer that the provider event is about. Null if it names none. */
  customerOf(providerEvent: ProviderEvent): Promise<ProviderRef | null>
  /** The account that the customer's metadata at the provider names. No stream confirms it. */
  namedUserOf(customerRef: ProviderRef): Promise<UserId | null>
  /**
   * The account that the customer belongs to. A user id from metadata is believed only if the
   * user's billing stream links this customer, so that no metadata opens a new stream.
   */
  userOf(customerRef: ProviderRef, claimedUserId: string | null): Promise<UserId | null>
}

/** The number of customers whose owner is kept in memory. A link never changes. */
const maxKept = 10_000

/**
 * Looks the owner up in three places: the customer's metadata at the provider, which a deleted
 * customer no longer has, the product's own links, and the metadata of the event.
 */
export function createCustomerOwner({
  billing,
  provider,
  feed,
  links,
}: CustomerOwnerParts): CustomerOwner {
  const kept = new Map<ProviderRef, UserId>()

  async function lookUp(customer: ProviderRef, claimed: string | null): Promise<UserId | null> {
    const named = await provider.userIdOfCustomer(customer)
    if (named !== null && (await billing.isLinked(named, customer))) return named
    const linked = await links.userOf(customer)
    if (linked !== null) return linked
    return claimed !== null && isUserId(claimed) && (await billing.isLinked(claimed, customer))
      ? claimed
      : null
  }

  return {
    customerOf: async ({ customerRef, reference }) =>
      customerRef ?? (reference === null ? null : feed.customerOf(reference)),

    namedUserOf: (customer) => provider.userIdOfCustomer(customer),

    async userOf(customer, claimed) {
      const known = kept.get(customer)
      if (known !== undefined) return known
      const found = await lookUp(customer, claimed)
      if (found !== null) {
        if (kept.size >= maxKept) kept.clear()
        kept.set(customer, found)
      }
      return found
    },
  }
}
