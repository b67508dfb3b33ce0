import { unreachable } from '#services/foundation/decider'
import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted } from './words.ts'

type Ended = NotificationOf<'subscription-ended'>

export function subscriptionEnded(ended: Ended): Template {
  const { name, planName, endedAt, pricingUrl } = ended
  return {
    subject: `Your ${planName} has ended`,
    topic: 'Subscription ended',
    preheader: 'Nothing more is charged. Your receipts stay in your account.',
    blocks: [
      { type: 'figure', label: `${planName} ended on`, value: day(endedAt) },
      { type: 'paragraph', text: greeted(name, reasonOf(ended)) },
      {
        type: 'paragraph',
        text: 'We charge nothing more for it. Your receipts stay in your account, and you can subscribe again at any time.',
      },
      { type: 'action', label: 'See the plans', url: pricingUrl },
    ],
  }
}

function reasonOf({ why, wasScheduled, planName, endedAt }: Ended): string {
  const ended = `Your ${planName} ended on ${day(endedAt)}`
  switch (why) {
    case 'canceled':
      return wasScheduled ? `${ended}, as you requested.` : `${ended}.`
    case 'unpaid':
      return `${ended}, because its last payment failed.`
    default:
      return unreachable(why)
  }
}
