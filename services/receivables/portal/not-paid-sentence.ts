import { unreachable } from '#services/foundation/decider'
import type { PayResult } from '../checkout/pay.ts'
import { money } from './portal-view.ts'

/** Why no page for the payment opened, and what to do. `merchant`: its name. */
export function notPaidSentence(
  result: Exclude<PayResult, { kind: 'open' }>,
  merchant: string,
): string {
  switch (result.kind) {
    case 'not-possible':
      return `${merchant} takes no payments on this page right now. Nothing was paid. Please ask ${merchant} how to pay.`
    case 'amount-refused':
      return amountSentence(result, merchant)
    case 'changed':
      return 'What is open has changed since the page was opened. Nothing was paid. Check the amounts, then pay again.'
    case 'paid-meanwhile':
      return 'This was paid a moment ago, so nothing was charged again.'
    case 'on-its-way':
      return 'A payment of this is on its way already, so nothing was charged again. A bank needs some days.'
    default:
      return unreachable(result)
  }
}

function amountSentence(
  { why, bound, currency }: Extract<PayResult, { kind: 'amount-refused' }>,
  merchant: string,
): string {
  switch (why) {
    case 'too-small':
      return bound === null
        ? `This amount is too small to be paid here. Nothing was paid. Pay more at once, or ask ${merchant} how to pay.`
        : `The least that can be paid here is ${money(bound, currency)}. Nothing was paid. Pay more at once, or ask ${merchant} how to pay.`
    case 'too-large':
      return bound === null
        ? `This amount is too large for one payment here. Nothing was paid. Pay it in parts, or ask ${merchant} how to pay.`
        : `The most that can be paid here at once is ${money(bound, currency)}. Nothing was paid. Pay it in parts, or ask ${merchant} how to pay.`
    default:
      return unreachable(why)
  }
}
