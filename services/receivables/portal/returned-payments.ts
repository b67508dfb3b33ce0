import { parseReceivableId, type UserId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { TimeZone } from '#services/finance/time-zone'
import { receivableStream } from '#services/foundation/stream-names'
import type { ClientCheckout } from '../checkout/checkout-state.ts'
import { receivableDecider } from '../receivable-decider.ts'
import type { Receivables } from '../receivables-service.ts'
import { paidNow, type PaidNow } from './paid-of.ts'
import { withdrawnInvoice } from '../withdrawn-invoice.ts'
import { momentText } from './portal-words.ts'

/** What the portal shows of the payment from which a client comes back. */
export function createReturnedPayments({
  commands,
  receivables,
}: {
  readonly commands: Pick<CommandHandler, 'load'>
  readonly receivables: Pick<Receivables, 'listedReceivables'>
}) {
  return { positionsOf, paidOf }

  /** Of the invoices that the payment is for: its shares are in their streams. */
  async function positionsOf({ items }: ClientCheckout): Promise<readonly Position[]> {
    const read = await Promise.all(
      items.map(({ receivableId }) =>
        commands.load({
          decider: receivableDecider,
          stream: receivableStream(parseReceivableId(receivableId)),
        }),
      ),
    )
    return read.flatMap(({ position }) => (position === null ? [] : [position]))
  }

  async function paidOf(
    merchantId: UserId,
    checkout: ClientCheckout,
    timeZone: TimeZone,
  ): Promise<PaidNow> {
    const ids = checkout.items.map(({ receivableId }) => parseReceivableId(receivableId))
    const named = new Map(
      (await receivables.listedReceivables(merchantId, ids)).map(({ state }) => [
        state.receivableId as string,
        { number: state.number, reference: state.details.reference },
      ]),
    )
    const at = checkout.payment === null ? '' : momentText(checkout.payment.paidAt, timeZone)
    return paidNow(checkout, at, (id) => named.get(id) ?? withdrawnInvoice)
  }
}
