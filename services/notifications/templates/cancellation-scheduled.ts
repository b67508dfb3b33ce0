import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted } from './words.ts'

type Scheduled = NotificationOf<'cancellation-scheduled'>

export function cancellationScheduled(scheduled: Scheduled): Template {
  const { name, planName, at, endsAt, renewsAt, keepUrl } = scheduled
  const charges = chargesOf(scheduled)
  return {
    subject: `Your ${planName} ends on ${day(endsAt)}`,
    topic: 'Cancellation',
    preheader: `Your cancellation is scheduled. ${charges}`,
    blocks: [
      { type: 'figure', label: 'Cancels on', value: day(endsAt) },
      {
        type: 'paragraph',
        text: greeted(
          name,
          `Your cancellation is scheduled. You can use the ${planName} until ${day(endsAt)}. ${charges}`,
        ),
      },
      {
        type: 'line',
        start: { mark: 'needle', label: 'Canceled', date: day(at) },
        end: { mark: 'hollow', label: 'Plan ends', date: day(endsAt) },
      },
      ...(renewsAt === null
        ? []
        : [
            {
              type: 'descriptions' as const,
              descriptions: [{ term: 'Next billing', value: day(renewsAt) }],
            },
          ]),
      {
        type: 'paragraph',
        text: 'If you change your mind, withdraw the cancellation before the plan ends.',
      },
      { type: 'action', label: 'Keep the plan', url: keepUrl },
    ],
    note: 'If you did not cancel, write to our support.',
  }
}

/** What the customer still pays until the end. */
function chargesOf({ renewsAt, isPaused, isUnpaid }: Scheduled): string {
  if (isPaused) return 'No payment is collected during the pause.'
  if (renewsAt === null)
    return isUnpaid
      ? 'Apart from the payment that failed, we charge nothing more for it.'
      : 'We charge nothing more for it.'
  const renewal = `Until then it renews: we charge again on ${day(renewsAt)}.`
  return isUnpaid ? `${renewal} The payment that failed stays due.` : renewal
}
