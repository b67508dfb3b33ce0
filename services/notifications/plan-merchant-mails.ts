import { hostOfGatewayLink } from '#contracts/receivables/gateway-link'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import type { EventOf } from '#services/reactors/reactor'
import type { Known } from './known.ts'
import type { Links } from './links.ts'
import type { NotificationOf } from './notification.ts'
import { toCustomer, type PlannedMail } from './planned-mail.ts'

/** A merchant learns of each change of how its clients pay. */
export const merchantMails = eventConsumer({
  name: 'mails: merchant',
  concernedBy: ['ways-to-pay'],
  ignores: ['PaymentAccountChanged'],
})
type AboutMerchant = EventOf<FoldedBy<typeof merchantMails>>

/** The mails about how a merchant's clients pay. A repeated change has a mail of its own. Pure. */
export function planMerchantMails(
  event: AboutMerchant,
  { account }: Pick<Known, 'account'>,
  { waysToPay: paymentsUrl }: Pick<Links, 'waysToPay'>,
): readonly PlannedMail[] {
  const kind = 'ways-to-pay-changed'
  if (isAtTheProvider(event)) return []
  const at = event.metadata.occurredAt
  return toCustomer(kind, account, null, ({ name }) => ({
    kind,
    name,
    // Of an erased merchant nothing is read: its link has no value any more.
    change: changeOf(event),
    at,
    paymentsUrl,
  }))
}

/** The merchant removed the product's access at the provider, or the account was erased. */
function isAtTheProvider(event: AboutMerchant): boolean {
  return event.type === 'PaymentAccountDisconnected' && event.data.why !== 'merchant'
}

function changeOf(event: AboutMerchant): NotificationOf<'ways-to-pay-changed'>['change'] {
  switch (event.type) {
    case 'PaymentAccountCreated':
    case 'PaymentAccountReconnected':
      return { kind: 'account-connected' }
    case 'PaymentAccountDisconnected':
      return { kind: 'account-disconnected' }
    case 'GatewayLinkChanged': {
      const { link } = event.data
      return { kind: 'link', host: link === null ? null : hostOfGatewayLink(link) }
    }
    case 'PayInstructionsChanged':
      return { kind: 'instructions', isRemoved: event.data.text === null }
    default:
      return unreachable(event)
  }
}
