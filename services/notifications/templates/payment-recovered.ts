import { unreachable } from '#services/foundation/decider'
import { day } from '#services/mail/dates'
import type { NotificationOf, PlanEnd } from '../notification.ts'
import { settledBy } from './settled-by.ts'
import type { Template } from './template.ts'
import { capitalized, greeted, moneyText } from './words.ts'

export function paymentRecovered(recovered: NotificationOf<'payment-recovered'>): Template {
  const { name, planName, paid, paidAt, end, purchasesUrl } = recovered
  const plan = courseOf(planName, end)
  const { subject, topic, label, figure, sentence } = wordsOf(recovered)
  return {
    subject,
    topic,
    preheader: end === null ? `${plan}. You need not do anything.` : `${plan}.`,
    blocks: [
      { type: 'figure', label: `${label} ${day(paidAt)}`, value: figure },
      {
        type: 'paragraph',
        text: greeted(
          name,
          end === null
            ? `${sentence} ${plan}, and we send no further reminders. You need not do anything.`
            : `${sentence} We send no further reminders. ${plan}.`,
        ),
      },
      {
        type: 'descriptions',
        descriptions: [
          { term: 'Plan', value: capitalized(planName) },
          { term: 'Amount paid', value: moneyText(paid) },
        ],
      },
      { type: 'action', label: 'See your purchases', url: purchasesUrl },
    ],
  }
}

function wordsOf({ due, paid, paidBy }: NotificationOf<'payment-recovered'>) {
  const by = settledBy(paidBy)
  switch (by) {
    case 'method':
      return { ...received(paid), sentence: 'The payment that had failed went through.' }
    case 'outside':
      return { ...received(paid), sentence: 'We received your payment of the unpaid invoice.' }
    case 'credit':
      return {
        ...settled(due),
        sentence: 'Your credit balance paid the invoice whose payment had failed.',
      }
    case 'nothing':
      return {
        ...settled(due),
        sentence: 'The invoice whose payment had failed is settled, and nothing is left to pay.',
      }
    default:
      return unreachable(by)
  }
}

type Money = NotificationOf<'payment-recovered'>['paid']

function received(paid: Money) {
  const figure = moneyText(paid)
  return {
    subject: `We received your payment of ${figure}`,
    topic: 'Payment received',
    label: 'Paid on',
    figure,
  }
}

function settled(due: Money) {
  const figure = moneyText(due)
  return {
    subject: `Your invoice of ${figure} is settled`,
    topic: 'Invoice settled',
    label: 'Settled on',
    figure,
  }
}

function courseOf(planName: string, end: PlanEnd | null): string {
  if (end === null) return `Your ${planName} continues`
  if (end.isPast) return `Your ${planName} ended on ${day(end.at)}`
  return `Your cancellation stays scheduled: your ${planName} ends on ${day(end.at)}`
}
