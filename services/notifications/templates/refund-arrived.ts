import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import { receiptUrl, type RenderContext, type Template } from './template.ts'
import { greeted, moneyText } from './words.ts'

/** Source of the bank's days: docs.stripe.com/refunds, "5-10 business days". */
export function refundArrived(
  { name, amount, at, refundId }: NotificationOf<'refund-arrived'>,
  context: RenderContext,
): Template {
  const returned = moneyText(amount)
  return {
    subject: `Your refund of ${returned} went through`,
    topic: 'Refund',
    preheader: 'Your bank can need 5 to 10 business days to show it.',
    blocks: [
      { type: 'figure', label: `Refunded on ${day(at)}`, value: returned },
      { type: 'paragraph', text: greeted(name, `Your refund of ${returned} went through.`) },
      {
        type: 'paragraph',
        text: 'Your bank can need 5 to 10 business days to show it. You need not do anything.',
      },
      { type: 'action', label: 'See the refund', url: receiptUrl(refundId, context) },
    ],
  }
}
