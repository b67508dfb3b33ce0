import type { NotificationOf } from '../notification.ts'
import type { RenderContext, Template } from './template.ts'
import { greeted } from './words.ts'

export function accountBlocked(
  { name }: NotificationOf<'account-blocked'>,
  { brand }: RenderContext,
): Template {
  return {
    subject: `Your ${brand.name} account is blocked`,
    topic: 'Your account',
    preheader: 'Please contact support. We charge nothing more.',
    blocks: [
      {
        type: 'paragraph',
        text: greeted(name, 'Your account is blocked. Please contact support.'),
      },
      {
        type: 'paragraph',
        text: 'If you had a plan, it has ended, and we charge nothing more for it. You can still sign in and read your purchases.',
      },
    ],
  }
}
