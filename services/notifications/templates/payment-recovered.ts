import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { capitalized, greeted, moneyText } from './words.ts'

export function paymentRecovered({
  name,
  planName,
  due,
  paidAt,
  endsAt,
  purchasesUrl,
}: NotificationOf<'payment-recovered'>): Template {
  const amount = moneyText(due)
  const plan =
    endsAt === null
      ? `Your ${planName} continues`
      : `Your cancellation stays scheduled: your ${planName} ends on ${day(endsAt)}`
  return {
    subject: `We received your payment of ${amount}`,
    topic: 'Payment received',
    preheader: endsAt === null ? `${plan}. You need not do anything.` : `${plan}.`,
    blocks: [
      { type: 'figure', label: `Paid on ${day(paidAt)}`, value: amount },
      {
        type: 'paragraph',
        text: greeted(
          name,
          endsAt === null
            ? `The payment that had failed went through. ${plan}, and we send no further reminders. You need not do anything.`
            : `The payment that had failed went through. We send no further reminders. ${plan}.`,
        ),
      },
      {
        type: 'facts',
        facts: [
          { term: 'Plan', value: capitalized(planName) },
          { term: 'Amount paid', value: amount },
        ],
      },
      { type: 'action', label: 'See your purchases', url: purchasesUrl },
    ],
  }
}
