import type { CompanyProfile } from '#contracts/events/account'
import type { AccountState } from './account-decider.ts'

/** How the business of an account appears to its clients. */
interface Business {
  readonly isBlocked: boolean
  readonly isErased: boolean
  /** Null without a profile. */
  readonly companyName: string | null
  /** Where clients reach the business. Empty once erased. */
  readonly email: string
  readonly phone: string | null
  /** The lines of the postal address. Empty without a profile. */
  readonly address: readonly string[]
}

export function businessOf(account: AccountState): Business {
  if (account.kind !== 'open')
    return {
      isBlocked: false,
      isErased: account.kind === 'erased',
      companyName: null,
      email: '',
      phone: null,
      address: [],
    }
  const { isBlocked, profile, email } = account
  return {
    isBlocked,
    isErased: false,
    companyName: profile?.companyName ?? null,
    email: profile?.supportEmail ?? email,
    phone: profile?.supportPhone ?? null,
    address: profile === null ? [] : addressLines(profile),
  }
}

function addressLines({ address, city, state, zipcode }: CompanyProfile): readonly string[] {
  return [address, `${city === undefined || city === null ? '' : `${city}, `}${state} ${zipcode}`]
}
