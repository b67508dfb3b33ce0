import { textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import type { CheckoutId, ClientId, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import { clientStream, merchantStream } from '#services/foundation/stream-names'
import type { ClientPayments } from '#services/payments/client-payments'
import {
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from '#services/payments/payment-provider'
import { clientDecider } from '../client-decider.ts'
import { merchantDecider } from '../merchant-decider.ts'
import type { Receivables } from '../receivables-service.ts'
import { isUnderWay, type ClientCheckout } from './checkout-state.ts'
import type { OpenCheckouts } from './open-checkouts-table.ts'

export interface SyncParts {
  readonly commands: Pick<CommandHandler, 'load'>
  readonly receivables: Pick<Receivables, 'actOnClient' | 'calendarOf'>
  readonly payments: ClientPayments
  readonly open: OpenCheckouts
  readonly newId: () => string
}

/** Brings checkouts to what the provider says of them. */
export interface CheckoutSync {
  /**
   * Records what the provider says of a checkout. Null if the client has no such checkout.
   * @throws PaymentProviderUnavailable, EventStoreUnavailable
   */
  sync(
    clientId: ClientId,
    checkoutId: CheckoutId,
    context: CommandContext,
  ): Promise<ClientCheckout | null>
  /**
   * Closes a checkout that is under way at the provider, then in the log. It can be paid or
   * submitted meanwhile, so look at what it returns.
   * @throws PaymentProviderUnavailable, EventStoreUnavailable
   */
  close(
    clientId: ClientId,
    checkoutId: CheckoutId,
    context: CommandContext,
  ): Promise<ClientCheckout | null>
  /**
   * As `sync`, of a checkout that was listed a day ago. It ends what a crash left: a row without a
   * reservation, and a reservation whose page no browser ever got. If a click opens that page now,
   * it finds the reservation closed, and expires the page.
   * @throws PaymentProviderUnavailable, EventStoreUnavailable
   */
  endLeftOver(clientId: ClientId, checkoutId: CheckoutId, context: CommandContext): Promise<void>
}

export function createCheckoutSync(parts: SyncParts): CheckoutSync {
  const { commands, receivables, payments, open } = parts

  async function load(clientId: ClientId, checkoutId: CheckoutId) {
    const { state } = await commands.load({
      decider: clientDecider,
      stream: clientStream(clientId),
    })
    if (state.kind !== 'added') return null
    const checkout = state.checkouts.get(checkoutId)
    return checkout === undefined ? null : { client: state, checkout }
  }

  async function isInUse(merchantId: UserId, accountRef: ProviderRef): Promise<boolean> {
    const { state } = await commands.load({
      decider: merchantDecider,
      stream: merchantStream(merchantId),
    })
    return state.payments.account?.accountRef === accountRef
  }

  const sync: CheckoutSync['sync'] = async (clientId, checkoutId, context) => {
    const known = await load(clientId, checkoutId)
    // It stays in the list: the reservation can follow in a moment, or it is of another client.
    if (known === null) return null
    const { client, checkout } = known
    const { merchantId } = client
    const { accountRef, session } = checkout
    if (session === null) {
      // A process that ended between the end in the log and this line.
      if (!isUnderWay(checkout)) await open.remove(checkoutId)
      return checkout
    }
    // Each look is an act of its own: a repeat under the same command would record no news.
    const own = { ...context, commandId: `${context.commandId} ${parts.newId()}` }
    const found = await payments.checkoutOf(accountRef, session.sessionRef).catch(async (error) => {
      if (!(error instanceof PaymentProviderRefused)) throw error
      // The merchant took the product's access to its account away. Nothing can be learned there.
      if (!(await isInUse(merchantId, accountRef))) return error
      // The provider refuses the product: a wrong key, say. The page can still be paid.
      throw new PaymentProviderUnavailable('reading the payment', error)
    })
    if (found === null || found instanceof PaymentProviderRefused) {
      const reason = found?.reason ?? `The provider does not have ${textOfRef(session.sessionRef)}.`
      await receivables.actOnClient(
        merchantId,
        clientId,
        {
          type: 'close-checkout',
          checkoutId,
          sessionRef: session.sessionRef,
          why: 'refused',
          reason,
        },
        own,
      )
    } else {
      const { timeZone } = await receivables.calendarOf(merchantId)
      await receivables.actOnClient(
        merchantId,
        clientId,
        { type: 'record-checkout', checkoutId, found, timeZone },
        own,
      )
    }
    const after = (await load(clientId, checkoutId))?.checkout ?? null
    if (after !== null && !isUnderWay(after)) await open.remove(checkoutId)
    return after
  }

  return {
    sync,

    async close(clientId, checkoutId, context) {
      const known = await load(clientId, checkoutId)
      if (known === null) return null
      if (!isUnderWay(known.checkout)) {
        await open.remove(checkoutId)
        return known.checkout
      }
      const { accountRef, session, standing } = known.checkout
      if (session !== null && standing === 'open')
        await payments.expireCheckout(accountRef, session.sessionRef).catch((error) => {
          if (!(error instanceof PaymentProviderRefused)) throw error
        })
      return sync(clientId, checkoutId, context)
    },

    async endLeftOver(clientId, checkoutId, context) {
      const known = await load(clientId, checkoutId)
      if (known === null) return open.remove(checkoutId)
      const { client, checkout } = known
      if (checkout.standing === 'reserved')
        await receivables.actOnClient(
          client.merchantId,
          clientId,
          { type: 'close-checkout', checkoutId, sessionRef: null, why: 'expired', reason: null },
          { ...context, commandId: `${context.commandId} left over` },
        )
      await sync(clientId, checkoutId, context)
    },
  }
}
