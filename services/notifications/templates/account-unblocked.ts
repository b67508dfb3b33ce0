import type { NotificationOf } from '../notification.ts'
import type { RenderContext, Template } from './template.ts'
import { greeted } from './words.ts'

export function accountUnblocked(
  { name, pricingUrl }: NotificationOf<'account-unblocked'>,
  { brand }: RenderContext,
): Template {
  return {
    subject: `Your ${brand.name} account is no longer blocked`,
    topic: 'Your account',
    preheader: 'You can subscribe again.',
    blocks: [
      {
        type: 'paragraph',
        text: greeted(name, 'Your account is no longer blocked. You can subscribe again.'),
      },
      { type: 'paragraph', text: 'Plans that ended stay ended. Nothing is charged for them.' },
      { type: 'action', label: 'See the plan', url: pricingUrl },
    ],
  }
}
