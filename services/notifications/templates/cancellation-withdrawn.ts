import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted } from './words.ts'

export function cancellationWithdrawn({
  name,
  planName,
  renewsAt,
  portalUrl,
}: NotificationOf<'cancellation-withdrawn'>): Template {
  return {
    subject: `Your ${planName} continues`,
    topic: 'Cancellation withdrawn',
    preheader:
      renewsAt === null
        ? 'The cancellation is withdrawn.'
        : `The cancellation is withdrawn. Next billing on ${day(renewsAt)}.`,
    blocks: [
      ...(renewsAt === null
        ? []
        : [{ type: 'figure' as const, label: 'Next billing', value: day(renewsAt) }]),
      {
        type: 'paragraph',
        text: greeted(name, `Your cancellation is withdrawn. Your ${planName} continues.`),
      },
      { type: 'action', label: 'Manage your plan', url: portalUrl },
    ],
    note: 'If you did not withdraw the cancellation, write to our support.',
  }
}
