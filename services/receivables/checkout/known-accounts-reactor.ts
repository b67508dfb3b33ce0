import { parseUserId } from '#contracts/ids'
import { eventConsumer } from '#services/foundation/event-consumer'
import { streamOwner } from '#services/foundation/stream-names'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import type { KnownAccounts } from './connected-accounts-table.ts'

const accounts = eventConsumer({
  name: 'known accounts',
  concernedBy: ['ways-to-pay'],
  ignores: [
    'PaymentAccountReconnected',
    'PaymentAccountChanged',
    'PaymentAccountDisconnected',
    'GatewayLinkChanged',
    'PayInstructionsChanged',
  ],
})

/** Notes whose an account is, for webhooks and the comparison of accounts. */
export function knownAccountsReactor(known: Pick<KnownAccounts, 'add'>): Reactor {
  return defineReactor({
    name: 'known-accounts',
    handles: [accounts],
    effect: (event) => known.add(event.data.accountRef, parseUserId(streamOwner(event.stream))),
  })
}
