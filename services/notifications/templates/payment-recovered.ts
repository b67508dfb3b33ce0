import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted, moneyText } from './words.ts'

export function paymentRecovered({
  name,
  planName,
  due,
  paidAt,
  purchasesUrl,
}: NotificationOf<'payment-recovered'>): Template {
  const amount = moneyText(due)
  return {
    subject: `We received your payment of ${amount}`,
    topic: 'Payment received',
    preheader: `Your ${planName} continues. You need not do anything.`,
    blocks: [
      { type: 'figure', label: `Paid on ${day(paidAt)}`, value: amount },
      {
        type: 'paragraph',
        text: greeted(
          name,
          `The payment that had failed went through. Your ${planName} continues, and we send no further reminders. You need not do anything.`,
        ),
      },
      {
        type: 'facts',
        facts: [
          { term: 'Plan', value: planName },
          { term: 'Paid', value: amount },
          { term: 'Date paid', value: day(paidAt) },
        ],
      },
      { type: 'action', label: 'See your purchases', url: purchasesUrl },
    ],
  }
}
