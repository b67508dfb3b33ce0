import type { CheckoutItem } from '#contracts/events/client-checkout'
import { parseReceivableId, type ClientId, type UserId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import { clientStream, receivableStream } from '#services/foundation/stream-names'
import { clientDecider } from '../client-decider.ts'
import { receivableDecider } from '../receivable-decider.ts'
import { openOf } from '../receivable-state.ts'
import { awaitedPayments } from './awaited-payments.ts'

/** What the streams say a client owes now. */
export function createOwed(commands: Pick<CommandHandler, 'load'>) {
  return { clientState, receivableState, isStillOpen }

  async function clientState(clientId: ClientId) {
    const { state } = await commands.load({
      decider: clientDecider,
      stream: clientStream(clientId),
    })
    return state
  }

  async function receivableState(receivableId: string) {
    const { state } = await commands.load({
      decider: receivableDecider,
      stream: receivableStream(parseReceivableId(receivableId)),
    })
    return state
  }

  /**
   * Each amount is still open, of an invoice of this client that is neither ended nor disputed, and
   * that has every payment of it in the client's stream: a crash can delay its own record.
   */
  async function isStillOpen(
    merchantId: UserId,
    clientId: ClientId,
    { items, currency }: { readonly items: readonly CheckoutItem[]; readonly currency: string },
  ): Promise<boolean> {
    const isAwaited = awaitedPayments(await clientState(clientId))
    const found = await Promise.all(
      items.map(async ({ receivableId, amount }) => {
        const state = await receivableState(receivableId)
        return (
          state.kind === 'added' &&
          state.merchantId === merchantId &&
          state.clientId === clientId &&
          state.currency === currency &&
          state.ended === null &&
          state.disputedBy === null &&
          !isAwaited(state) &&
          amount > 0 &&
          amount <= openOf(state)
        )
      }),
    )
    return found.length > 0 && found.every(Boolean)
  }
}
