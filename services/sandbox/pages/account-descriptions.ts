import type { Account } from '../store/stripe-objects.ts'

/** The state of a connected account, as the platform reads it. */
export function accountDescriptions(account: Account): readonly (readonly [string, string])[] {
  const due = account.requirements?.currently_due ?? []
  return [
    ['Account', account.id],
    ['E-mail', account.email ?? 'Not given'],
    ['Country', account.country ?? 'Not given'],
    ['Accepts payments', account.charges_enabled ? 'Yes' : 'No'],
    ['Is paid out', account.payouts_enabled ? 'Yes' : 'No'],
    ['Details submitted', account.details_submitted ? 'Yes' : 'No'],
    ['Stripe still needs', due.length === 0 ? 'Nothing' : due.join(', ')],
  ]
}
