import { parseCheckoutId, parseClientId } from '#contracts/ids'
import { eventConsumer } from '#services/foundation/event-consumer'
import { unreachable } from '#services/foundation/decider'
import type { ClientPayments } from '#services/payments/client-payments'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { reactorContext } from '#services/reactors/reactor-context'
import { feeReturnedOf, refundedOf } from './checkout-state.ts'
import { feeBackOf } from '#contracts/receivables/fee'
import type { CheckoutSync } from './sync-checkout.ts'

const name = 'returned-fees'

const reversals = eventConsumer({
  name: 'returned fees',
  concernedBy: ['client-payment'],
  ignores: [
    'ClientPaymentReceived',
    'ClientPaymentRestored',
    'ClientChargebackLost',
    'PlatformFeeReturned',
  ],
})

/**
 * Returns the share of the fee with a refund, if the refund at the provider did not: once, because
 * the fee is read before. A chargeback keeps the fee.
 */
export function returnedFeesReactor({
  payments,
  sync,
}: {
  readonly payments: Pick<ClientPayments, 'returnFee'>
  readonly sync: Pick<CheckoutSync, 'sync'>
}): Reactor {
  return defineReactor({
    name,
    handles: [reversals],
    async effect(event, attempt) {
      switch (event.type) {
        case 'ClientPaymentReversed':
          if (event.data.kind !== 'refund') return
          break
        // The fee can be known later than a refund.
        case 'PlatformFeeCharged':
          break
        default:
          unreachable(event)
      }
      const clientId = parseClientId(event.data.clientId)
      const checkoutId = parseCheckoutId(event.data.checkoutId)
      const context = reactorContext(name, event, attempt)
      const payment = (await sync.sync(clientId, checkoutId, context))?.payment ?? null
      if (payment === null || payment.fee === null) return
      const { feeRef, amount } = payment.fee
      const back = feeBackOf(amount, payment.amount, refundedOf(payment))
      const owed = back - feeReturnedOf(payment.fee)
      if (owed <= 0) return
      await payments.returnFee({
        feeRef,
        amount: owed,
        idempotencyKey: `fee of ${checkoutId} back to ${back}`,
      })
      await sync.sync(clientId, checkoutId, context)
    },
  })
}
