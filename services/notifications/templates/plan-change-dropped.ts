import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted, nextOf, priceText } from './words.ts'

export function planChangeDropped(dropped: NotificationOf<'plan-change-dropped'>): Template {
  const { name, planName, plannedPlanName, price, portalUrl } = dropped
  const next = nextOf(dropped)
  const course = next.isEnd ? next.sentence : `Your ${planName} continues.`
  const change =
    plannedPlanName === null || plannedPlanName === planName
      ? 'The planned change of your plan was dropped.'
      : `The planned change to the ${plannedPlanName} was dropped.`
  return {
    subject: `You keep your ${planName}`,
    topic: 'Plan change',
    preheader: `${change} ${next.sentence}`,
    blocks: [
      { type: 'figure', label: next.label, value: day(next.at) },
      { type: 'paragraph', text: greeted(name, `${change} ${course}`) },
      {
        type: 'descriptions',
        descriptions: [
          { term: 'Plan', value: planName },
          { term: 'Price', value: priceText(price) },
        ],
      },
      { type: 'action', label: 'Manage your plan', url: portalUrl },
    ],
    note: 'If you did not drop this change, write to our support.',
  }
}
