import type { OpenAccount } from '#services/accounts/accounts'
import { accountBlocked } from '#services/http/access'
import { HttpError } from '#services/http/http-error'

/** Whether the account has a company profile, which includes the accepted terms. */
export function hasProfile({
  profile,
  termsVersion,
}: Pick<OpenAccount, 'profile' | 'termsVersion'>): boolean {
  return profile !== null && termsVersion !== null
}

/**
 * For each call that starts a checkout or changes a plan: a customer accepts the terms before a
 * contract. A profile stays, so the check holds until the command. The portal as a whole stays open
 * without a profile, because every customer can cancel and pay.
 * @throws HttpError 403 for a blocked account; 409 with the field `profile` without a profile
 */
export function assertMaySubscribe(
  account: Pick<OpenAccount, 'isBlocked' | 'profile' | 'termsVersion'>,
): void {
  if (account.isBlocked) throw accountBlocked()
  if (hasProfile(account)) return
  throw new HttpError(409, {
    error: 'Please complete your profile.',
    field: 'profile',
    reason: 'is not complete',
  })
}
