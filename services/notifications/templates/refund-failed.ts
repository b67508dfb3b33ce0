import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import { receiptUrl, type RenderContext, type Template } from './template.ts'
import { greeted, moneyText } from './words.ts'

export function refundFailed(
  { name, amount, at, isCanceled, refundId }: NotificationOf<'refund-failed'>,
  context: RenderContext,
): Template {
  const returned = moneyText(amount)
  const what = isCanceled ? 'was canceled' : 'failed'
  return {
    subject: `Your refund of ${returned} ${what}`,
    topic: 'Refund',
    preheader: 'The money does not reach you this way. Our support helps you.',
    blocks: [
      {
        type: 'figure',
        label: isCanceled ? `Refund canceled on ${day(at)}` : `Refund failed on ${day(at)}`,
        value: returned,
      },
      {
        type: 'paragraph',
        text: greeted(
          name,
          isCanceled
            ? `The refund of ${returned} was canceled before your bank received it. The money does not reach you this way.`
            : `The refund of ${returned} failed: your bank did not accept it. The money does not reach you this way.`,
        ),
      },
      {
        type: 'paragraph',
        text: 'Write to our support. We check what is still due to you, and agree with you on another way to return it.',
      },
      { type: 'action', label: 'See the refund', url: receiptUrl(refundId, context) },
    ],
  }
}
