import { dayAndTime } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { RenderContext, Template } from './template.ts'

export function accountDeleted(
  { at }: NotificationOf<'account-deleted'>,
  { brand }: RenderContext,
): Template {
  return {
    subject: `Your ${brand.name} account was deleted`,
    topic: 'Your account',
    preheader: 'Your personal data was erased. This is our last mail to you.',
    blocks: [
      {
        type: 'paragraph',
        text: `Your ${brand.name} account was deleted, and its personal data was erased.`,
      },
      { type: 'descriptions', descriptions: [{ term: 'Deleted', value: dayAndTime(at) }] },
      {
        type: 'paragraph',
        text: 'We keep the amounts and dates of payments, without your name. We also erase this e-mail address: this is our last mail to you.',
      },
    ],
  }
}
