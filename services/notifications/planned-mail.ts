import type { MailFailure, MailKind, MailRecipient } from '#contracts/events/notification'
import type { AccountState } from '#services/accounts/account-decider'
import { unreachable } from '#services/foundation/decider'
import type { Notification, NotificationOf } from './notification.ts'

/**
 * A mail that an event causes. `unsent`: the mail is not sent, and `reason` says why not, in words
 * that continue a sentence.
 */
export type PlannedMail = { readonly recipient: MailRecipient; readonly kind: MailKind } & (
  | { readonly to: string; readonly notification: Notification }
  | {
      readonly to: string | null
      readonly unsent: Extract<MailFailure, 'outdated' | 'no-address' | 'limited'>
      readonly reason: string
    }
)

interface Address {
  readonly recipient: Extract<MailRecipient, 'primary' | 'secondary'>
  readonly to: string
}

/**
 * The mail to the customer's verified address: the primary address if it is verified. Anyone can
 * enter an address of another person, so an unverified address gets no mail. `outdated` is what is
 * no longer true; null if the mail is still true.
 */
export function toCustomer<Kind extends MailKind>(
  kind: Kind,
  account: AccountState,
  outdated: string | null,
  write: (customer: { readonly name: string | null }) => NotificationOf<Kind>,
): readonly PlannedMail[] {
  switch (account.kind) {
    case 'unopened':
      return []
    case 'erased':
      return [{ kind, recipient: 'primary', to: null, unsent: 'no-address', reason: 'erased' }]
    case 'open': {
      const address = verifiedAddress(account)
      if (address === null) return []
      if (outdated !== null) return [{ kind, ...address, unsent: 'outdated', reason: outdated }]
      const name = account.profile?.fullName ?? null
      return [{ kind, ...address, notification: write({ name }) }]
    }
    default:
      return unreachable(account)
  }
}

function verifiedAddress({
  email,
  secondaryEmail,
  verifiedEmails,
}: Extract<AccountState, { kind: 'open' }>): Address | null {
  if (verifiedEmails.has(email)) return { recipient: 'primary', to: email }
  if (secondaryEmail !== null && verifiedEmails.has(secondaryEmail))
    return { recipient: 'secondary', to: secondaryEmail }
  return null
}
