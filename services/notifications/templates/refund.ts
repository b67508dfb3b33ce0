import { codeInWords } from '#contracts/code-in-words'
import { paymentMethodText } from '#contracts/payment-method-text'
import { unreachable } from '#services/foundation/decider'
import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import { receiptUrl, type RenderContext, type Template } from './template.ts'
import { greeted, moneyText } from './words.ts'

type Refund = NotificationOf<'refund'>

/** Source of the bank's days: docs.stripe.com/refunds, "5-10 business days". */
export function refund(refunded: Refund, context: RenderContext): Template {
  const { name, planName, amount, captured, method, at, isPending, refundId } = refunded
  const { reason, memo } = refunded
  const returned = moneyText(amount)
  return {
    subject: isPending ? `Your refund of ${returned} is on its way` : `Refund of ${returned}`,
    topic: 'Refund',
    preheader: `${method === null ? '' : `To ${paymentMethodText(method)}. `}Your bank can need 5 to 10 business days to show it.`,
    blocks: [
      {
        type: 'figure',
        label: isPending ? `Refund started on ${day(at)}` : `Refunded on ${day(at)}`,
        value: returned,
      },
      { type: 'paragraph', text: greeted(name, sentenceOf(refunded)) },
      {
        type: 'descriptions',
        descriptions: [
          ...(planName === null ? [] : [{ term: 'Plan', value: planName }]),
          { term: 'Refund type', value: types[refunded.refundKind] },
          ...(reason === null ? [] : [{ term: 'Reason', value: codeInWords(reason) }]),
          ...(memo === null ? [] : [{ term: 'Note', value: memo }]),
          ...(method === null ? [] : [{ term: 'Refunded to', value: paymentMethodText(method) }]),
          ...(captured === null ? [] : [{ term: 'Original payment', value: moneyText(captured) }]),
          { term: 'Refund', value: returned, isSum: true },
        ],
      },
      { type: 'paragraph', text: 'Your bank can need 5 to 10 business days to show it.' },
      { type: 'action', label: 'See the refund', url: receiptUrl(refundId, context) },
    ],
  }
}

const types = { full: 'Full', partial: 'Partial', proration: 'Proration' } as const

function sentenceOf({ refundKind, planName, amount, captured, isPending }: Refund): string {
  const returned = moneyText(amount)
  const we = isPending ? 'We are refunding' : 'We refunded'
  const plan = planName === null ? '' : ` for the ${planName}`
  switch (refundKind) {
    case 'full':
      return `${we} your payment of ${returned}${plan} in full.`
    case 'partial':
    case 'proration':
      return captured === null
        ? `${we} ${returned} of your payment${plan}.`
        : `${we} ${returned} of your payment of ${moneyText(captured)}${plan}.`
    default:
      return unreachable(refundKind)
  }
}
