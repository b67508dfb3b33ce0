import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import { unreachable } from '#services/foundation/decider'
import type { RefundRefusal } from './refund-payment.ts'

/** Why a refund is not made, and what to do. */
export function refundSentence(refusal: RefundRefusal) {
  switch (refusal.kind) {
    case 'unknown-payment':
      return 'There is no such payment to refund. Refresh the list.'
    case 'needs-second-person':
      return 'A refund of this amount needs a second person. Propose it in the list of payments.'
    case 'not-collected':
      return 'The payment provider collected no money for this payment, so it cannot refund any. Return the money in the way in which it was paid.'
    case 'disputed':
      return refusal.isLost
        ? 'The bank has returned this payment to the customer after a dispute. A refund would return it twice.'
        : 'The bank has taken this payment back because of a dispute. It can be refunded if the bank returns it.'
    case 'nothing-left': {
      const { currency, waiting } = refusal.left
      return waiting === 0
        ? 'This payment is refunded in full. Nothing is left.'
        : `Nothing is left of this payment: a refund of ${inWords(waiting, currency)} waits for the payment provider.`
    }
    case 'above-left': {
      const { currency, collected, refunded, waiting, left } = refusal.left
      const parts = [
        ...(refunded === 0 ? [] : [`${inWords(refunded, currency)} is refunded`]),
        ...(waiting === 0 ? [] : [`${inWords(waiting, currency)} waits for the payment provider`]),
      ]
      const why = parts.length === 0 ? '' : `: ${parts.join(', and ')}`
      return `Of the ${inWords(collected, currency)} that were paid, ${inWords(left, currency)} is left${why}. A refund can be up to that amount.`
    }
    case 'no-amount':
      return 'Enter an amount above 0.'
    case 'other-currency':
      return `This payment was made in ${refusal.currency.toUpperCase()} and is refunded in ${refusal.currency.toUpperCase()} only.`
    case 'other-request': {
      const { amount, currency } = refusal.amount
      return `This dialog has sent a refund of ${inWords(amount, currency)} before. Close it, look at the list of refunds, and open it again for another refund.`
    }
    default:
      return unreachable(refusal)
  }
}

function inWords(minor: number, currency: string): string {
  return formatMoney(toMajorUnits(minor, currency), currency)
}
