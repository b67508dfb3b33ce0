import type { Account } from '../store/stripe-objects.ts'
import type { ReadTransaction } from '../store/transaction.ts'
import { StripeRefusal } from './errors.ts'

/** The platform's own account. */
export const platformAccountId = 'acct_sandbox'

/** The platform's application, which connected accounts authorize. */
export const platformApplicationId = 'ca_sandbox'

/**
 * A connected account that the platform can reach.
 * @throws StripeRefusal if there is none, or if it was deauthorized. Stripe's answer is the same.
 */
export async function connectedAccount(tx: ReadTransaction, id: string): Promise<Account> {
  const account = await tx.on(null).find('account', id)
  if (account?.sandbox.isConnected === true) return account
  throw noAccess(id)
}

export function noAccess(id: string): StripeRefusal {
  return new StripeRefusal(403, {
    type: 'invalid_request_error',
    code: 'account_invalid',
    message: `The provided key 'sk_test_****dbox' does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`,
  })
}

/**
 * Whether a card can be charged in this transaction's account: always on the platform. A session
 * may be open when the account loses this ability.
 */
export async function acceptsCharges(tx: ReadTransaction): Promise<boolean> {
  if (tx.account === null) return true
  const account = await tx.on(null).find('account', tx.account)
  return account !== null && account.sandbox.isConnected && account.charges_enabled
}

/** The name of a merchant for payers. */
export function merchantName(account: Account): string {
  return (
    account.business_profile?.name ??
    account.settings?.dashboard.display_name ??
    account.email ??
    account.id
  )
}
