import type { AccountState } from '#services/accounts/account-decider'
import type { CompanyProfile } from '#contracts/events/account'
import type { BilledTo } from '#contracts/events/billing-parts'
import type { CustomerDetails } from '#services/payments/payment-provider'

const nobody: CustomerDetails = { email: null, name: null, phone: null, address: null }

/** Who the next invoice names, by the account. Nobody after an erasure. */
export function customerDetailsOf(account: AccountState): CustomerDetails {
  return account.kind === 'open' ? detailsOf(account) : nobody
}

/** Who the invoices of an open account name. */
export function detailsOf({
  email,
  profile,
}: {
  readonly email: string
  readonly profile: CompanyProfile | null
}): CustomerDetails & { readonly email: string } {
  if (profile === null) return { ...nobody, email }
  return {
    email,
    name: profile.companyName,
    phone: profile.supportPhone,
    address: {
      line1: profile.address,
      city: profile.city ?? null,
      state: profile.state,
      postalCode: profile.zipcode,
      // The form of the profile lists the states of this country.
      country: 'US',
    },
  }
}

/** The buyer as the provider names it. What the provider lacks is as in the account. */
export function completedBy(billed: BilledTo, account: AccountState): BilledTo {
  const { email, name, address } = customerDetailsOf(account)
  const { customerName, customerEmail, ...place } = billed
  const isKnown = Object.values(place).some((part) => part !== null)
  return {
    customerName: customerName ?? name,
    customerEmail: customerEmail ?? email,
    ...(isKnown || address === null
      ? place
      : {
          addressLine1: address.line1,
          addressLine2: null,
          postalCode: address.postalCode,
          city: address.city,
          state: address.state,
          country: address.country,
        }),
  }
}
