import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted } from './words.ts'

export function cancellationScheduled({
  name,
  planName,
  at,
  endsAt,
  isUnpaid,
  portalUrl,
}: NotificationOf<'cancellation-scheduled'>): Template {
  const charges = isUnpaid
    ? 'Apart from the payment that failed, we charge nothing more for'
    : 'We charge nothing more for'
  return {
    subject: `Your ${planName} ends on ${day(endsAt)}`,
    topic: 'Cancellation',
    preheader: `Your cancellation is scheduled. ${charges} this plan.`,
    blocks: [
      { type: 'figure', label: 'Cancels on', value: day(endsAt) },
      {
        type: 'paragraph',
        text: greeted(
          name,
          `Your cancellation is scheduled. You can use the ${planName} until ${day(endsAt)}. ${charges} it.`,
        ),
      },
      {
        type: 'line',
        start: { mark: 'needle', label: 'Canceled', date: day(at) },
        end: { mark: 'hollow', label: 'Plan ends', date: day(endsAt) },
      },
      {
        type: 'paragraph',
        text: 'If you change your mind, withdraw the cancellation before the plan ends.',
      },
      { type: 'action', label: 'Keep the plan', url: portalUrl },
    ],
    note: 'If you did not cancel, write to our support.',
  }
}
