import { day } from '#services/mail/dates'
import type { NotificationOf, PlanEnd } from '../notification.ts'
import type { Template } from './template.ts'
import { capitalized, greeted, moneyText } from './words.ts'

export function paymentRecovered({
  name,
  planName,
  due,
  paidAt,
  end,
  purchasesUrl,
}: NotificationOf<'payment-recovered'>): Template {
  const amount = moneyText(due)
  const plan = courseOf(planName, end)
  return {
    subject: `We received your payment of ${amount}`,
    topic: 'Payment received',
    preheader: end === null ? `${plan}. You need not do anything.` : `${plan}.`,
    blocks: [
      { type: 'figure', label: `Paid on ${day(paidAt)}`, value: amount },
      {
        type: 'paragraph',
        text: greeted(
          name,
          end === null
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

function courseOf(planName: string, end: PlanEnd | null): string {
  if (end === null) return `Your ${planName} continues`
  if (end.isPast) return `Your ${planName} ended on ${day(end.at)}`
  return `Your cancellation stays scheduled: your ${planName} ends on ${day(end.at)}`
}
