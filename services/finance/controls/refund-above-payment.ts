import { z } from 'zod'
import { money } from '#contracts/money'
import { hasReturnedMoney } from '#contracts/refund-status'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineControl } from './control.ts'
import { moneyInWords } from './in-words.ts'

/** `isTaken`: the money has left, and did not come back. */
const returned = money.extend({ paymentId: z.string().nullable(), isTaken: z.boolean() })

const state = z.object({
  /** What was paid, by payment. */
  paid: z.record(z.string(), money),
  /** By refund or dispute. */
  returns: z.record(z.string(), returned),
})
type State = z.infer<typeof state>

/**
 * More money went back than was paid: a refund of a payment that the bank takes back too, a second
 * refund, or a refund of another amount. A refund counts when it succeeded, a chargeback until the
 * bank returns the money.
 *
 * Source: Stripe refuses to refund more than what is left of a charge
 * (https://docs.stripe.com/api/refunds/create). A bank does not look at refunds before it takes a
 * payment back.
 */
export const refundAbovePayment = defineControl({
  name: 'refund-above-payment',
  title: 'Refund above payment',
  sentence: 'Refunds and chargebacks of a payment never exceed what was paid.',
  consumer: eventConsumer({
    name: 'control refund-above-payment',
    concernedBy: ['payment', 'refund', 'dispute'],
    ignores: [
      'PaymentFailed',
      'UnpaidInvoiceChanged',
      'InvoiceWrittenOff',
      'RefundRequested',
      'RefundRefused',
      'RefundStatusOverridden',
      'DisputeFeeCharged',
    ],
  }),
  state,
  begin: () => ({ paid: {}, returns: {} }),
  step(state, event) {
    switch (event.type) {
      case 'PaymentSucceeded': {
        const { paymentId, amounts } = event.data
        state.paid[paymentId] = { amount: amounts.paid, currency: amounts.currency }
        return excessOf(state, paymentId)
      }
      case 'RefundRecorded': {
        const { refundId, paymentId, amount, status } = event.data
        return setReturn(state, refundId, {
          ...amount,
          paymentId,
          isTaken: hasReturnedMoney(status),
        })
      }
      case 'RefundStatusChanged': {
        const { refundId, to } = event.data
        return setTaken(state, refundId, hasReturnedMoney(to))
      }
      case 'DisputeOpened': {
        const { disputeId, paymentId, kind, amount } = event.data
        // An inquiry moves no money.
        if (kind === 'inquiry') return null
        return setReturn(state, disputeId, { ...amount, paymentId, isTaken: true })
      }
      case 'DisputeClosed':
        return setTaken(state, event.data.disputeId, event.data.outcome === 'lost')
      default:
        return unreachable(event)
    }
  },
})

function setTaken(state: State, id: string, isTaken: boolean): string | null {
  const known = state.returns[id]
  return known === undefined ? null : setReturn(state, id, { ...known, isTaken })
}

/** Only a return that takes money now can break the rule now. */
function setReturn(state: State, id: string, next: z.infer<typeof returned>): string | null {
  const wasTaken = state.returns[id]?.isTaken ?? false
  state.returns[id] = next
  if (!next.isTaken || wasTaken || next.paymentId === null) return null
  return excessOf(state, next.paymentId)
}

function excessOf({ paid: payments, returns }: State, paymentId: string): string | null {
  const paid = payments[paymentId]
  if (paid === undefined) return null
  const { currency } = paid
  const amount = Object.values(returns)
    .filter((each) => each.isTaken && each.paymentId === paymentId && each.currency === currency)
    .reduce((sum, each) => sum + each.amount, 0)
  if (amount <= paid.amount) return null
  return `Refunds and chargebacks of ${paymentId} add up to ${moneyInWords({ amount, currency })}, but ${moneyInWords(paid)} was paid.`
}
