import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import type { EventOf } from '#services/reactors/reactor'
import type { Known } from './known.ts'
import type { Links } from './links.ts'
import { toCustomer, type PlannedMail } from './planned-mail.ts'

export const accountMails = eventConsumer({
  name: 'mails: account',
  concernedBy: ['person', 'access'],
  ignores: [
    'AccountOpened',
    'CompanyProfileCompleted',
    'ProfileUpdated',
    'ProfileDiscarded',
    'EmailClaimDropped',
  ],
})
type AboutAccount = EventOf<FoldedBy<typeof accountMails>>

/** The mails about an account. Pure. */
export function planAccountMails(
  event: AboutAccount,
  { account, accountBefore, billing, farewell }: Known,
  links: Links,
): readonly PlannedMail[] {
  switch (event.type) {
    case 'EmailVerified': {
      // Only the first verified address of the account: a secondary address gets its own mail.
      if (accountBefore.kind !== 'open' || accountBefore.isVerified) return []
      return toCustomer('welcome', account, null, ({ name }) => ({
        kind: 'welcome',
        name,
        pricingUrl: links.pricing,
      }))
    }
    case 'SecondaryEmailSet':
      return aboutSecondary('secondary-email-added', event, account)
    case 'SecondaryEmailRemoved':
      return aboutSecondary('secondary-email-removed', event, account)
    case 'AccountBlocked': {
      const isBlocked = account.kind === 'open' && account.isBlocked
      const outdated = isBlocked ? null : 'the account was unblocked'
      return toCustomer('account-blocked', account, outdated, ({ name }) => ({
        kind: 'account-blocked',
        name,
      }))
    }
    case 'AccountUnblocked': {
      const isBlocked = account.kind === 'open' && account.isBlocked
      const outdated = isBlocked ? 'the account was blocked again' : null
      return toCustomer('account-unblocked', account, outdated, ({ name }) => ({
        kind: 'account-unblocked',
        name,
        hasEndedPlan: [...billing.subscriptions.values()].some(
          (each) => each.kind === 'ended' && each.why === 'blocked',
        ),
        pricingUrl: links.pricing,
      }))
    }
    case 'PersonalDataErased': {
      // Without an address the account was never verified, or the mail was sent.
      if (farewell === null) return []
      const notification = { kind: 'account-deleted', at: event.metadata.occurredAt } as const
      return [{ kind: 'account-deleted', recipient: 'primary', to: farewell, notification }]
    }
    default:
      return unreachable(event)
  }
}

/** Both addresses receive a mail, so that the owner of either address can object. */
function aboutSecondary(
  kind: 'secondary-email-added' | 'secondary-email-removed',
  { data: { email: secondary }, metadata }: EventOf<'SecondaryEmailSet' | 'SecondaryEmailRemoved'>,
  account: Known['account'],
): readonly PlannedMail[] {
  if (account.kind !== 'open' || secondary === erasedValue)
    return (['primary', 'secondary'] as const).map((recipient) => ({
      kind,
      recipient,
      to: null,
      unsent: 'no-address',
      reason: 'erased',
    }))
  const at = metadata.occurredAt
  return (['primary', 'secondary'] as const).map((recipient) => ({
    kind,
    recipient,
    to: recipient === 'primary' ? account.email : secondary,
    notification: { kind, recipient, secondary, at },
  }))
}
