import type { Logger } from 'pino'
import { providerOf, textOfRef } from '#contracts/events/provider-ref'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import { unreachable } from '#services/foundation/decider'
import { clientStream } from '#services/foundation/stream-names'
import type {
  ConnectedAccountEvent,
  CheckoutClaim,
  ClientPayments,
} from '#services/payments/client-payments'
import { clientDecider } from '../client-decider.ts'
import type { WaysToPayOfMerchants } from '../ways-to-pay/ways-to-pay.ts'
import type { KnownAccounts } from './connected-accounts-table.ts'
import type { CheckoutSync } from './sync-checkout.ts'

export interface ConnectedAccountEventParts {
  readonly commands: Pick<CommandHandler, 'load'>
  readonly payments: Pick<ClientPayments, 'claimOf'>
  readonly known: Pick<KnownAccounts, 'merchantOf'>
  readonly ways: Pick<WaysToPayOfMerchants, 'refreshAccount'>
  readonly sync: Pick<CheckoutSync, 'sync'>
  readonly log: Pick<Logger, 'warn'>
}

/** What became of an event. `ignored`: it is about nothing that the product has. */
export type ConnectedAccountEventOutcome = 'handled' | 'ignored'

/**
 * An event at an account of a merchant says which checkout or account to read again, and nothing
 * more: repeated, reordered and forged claims change nothing. A checkout that an event claims is
 * read only if the log has it at this very account.
 */
export function createConnectedAccountEventHandler(parts: ConnectedAccountEventParts) {
  const { commands, payments, known, ways, sync, log } = parts

  return async (accountEvent: ConnectedAccountEvent): Promise<ConnectedAccountEventOutcome> => {
    const { accountRef, about } = accountEvent
    if (accountRef === null) return ignored(accountEvent, 'it names no account')
    const merchantId = await known.merchantOf(accountRef)
    switch (about.kind) {
      case 'account': {
        const owner = merchantId ?? about.merchantId
        if (owner === null) return ignored(accountEvent, 'the account is not known')
        await ways.refreshAccount(owner, accountRef, contextOf(accountEvent))
        return 'handled'
      }
      case 'checkout':
        return handle(about.claim, accountEvent)
      case 'payment': {
        if (merchantId === null) return ignored(accountEvent, 'the account is not known')
        const claim = await payments.claimOf(accountRef, about.paymentRef)
        return claim === null
          ? ignored(accountEvent, 'the payment is not one of the portal')
          : handle(claim, accountEvent)
      }
      case 'other':
        return 'ignored'
      default:
        return unreachable(about)
    }
  }

  async function handle(
    { clientId, checkoutId }: CheckoutClaim,
    accountEvent: ConnectedAccountEvent,
  ): Promise<ConnectedAccountEventOutcome> {
    const { state } = await commands.load({
      decider: clientDecider,
      stream: clientStream(clientId),
    })
    const checkout = state.kind === 'added' ? state.checkouts.get(checkoutId) : undefined
    if (checkout === undefined) return ignored(accountEvent, 'the log has no such checkout')
    if (checkout.accountRef !== accountEvent.accountRef)
      return ignored(accountEvent, 'the checkout is of another account')
    await sync.sync(clientId, checkoutId, contextOf(accountEvent))
    return 'handled'
  }

  function ignored({ eventRef, type, accountRef }: ConnectedAccountEvent, why: string): 'ignored' {
    log.warn(
      { eventRef, type, accountRef },
      `An event of a merchant's account was ignored: ${why}.`,
    )
    return 'ignored'
  }
}

function contextOf({ eventRef, created, apiVersion }: ConnectedAccountEvent): CommandContext {
  return {
    commandId: `webhook ${textOfRef(eventRef)}`,
    correlationId: textOfRef(eventRef),
    causationId: textOfRef(eventRef),
    actor: { kind: 'payment-provider', id: providerOf(eventRef) },
    source: 'webhook',
    provider: { eventRef, created, apiVersion },
  }
}
