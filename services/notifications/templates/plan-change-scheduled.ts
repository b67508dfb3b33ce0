import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted, priceText } from './words.ts'

export function planChangeScheduled({
  name,
  planName,
  formerPlanName,
  price,
  at,
  startsAt,
  portalUrl,
}: NotificationOf<'plan-change-scheduled'>): Template {
  // The same plan at another price, or for another number of accounts.
  const isSamePlan = planName === formerPlanName
  const change = isSamePlan
    ? `Your ${planName} changes on ${day(startsAt)}`
    : `Your plan changes from ${formerPlanName} to ${planName} on ${day(startsAt)}`
  return {
    subject: isSamePlan
      ? `Your ${planName} changes on ${day(startsAt)}`
      : `Your plan changes to the ${planName} on ${day(startsAt)}`,
    topic: 'Plan change',
    preheader: `From then on it costs ${priceText(price)}. Nothing is charged for the change today.`,
    blocks: [
      { type: 'figure', label: `From ${day(startsAt)}`, value: priceText(price) },
      {
        type: 'paragraph',
        text: greeted(
          name,
          `${change}. From then on it costs ${priceText(price)}, before tax and discounts. Until then you keep the ${formerPlanName}, and nothing is charged for the change.`,
        ),
      },
      {
        type: 'line',
        start: { mark: 'needle', label: 'Planned', date: day(at) },
        end: { mark: 'hollow', label: 'Plan changes', date: day(startsAt) },
      },
      {
        type: 'descriptions',
        descriptions: [
          { term: 'Present plan', value: formerPlanName },
          { term: 'Next plan', value: planName },
          { term: 'Price', value: priceText(price) },
        ],
      },
      {
        type: 'paragraph',
        text: `If you change your mind, drop the change before ${day(startsAt)}.`,
      },
      { type: 'action', label: 'Manage your plan', url: portalUrl },
    ],
    note: 'If you did not plan this change, write to our support.',
  }
}
