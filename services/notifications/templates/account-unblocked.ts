import type { NotificationOf } from '../notification.ts'
import type { RenderContext, Template } from './template.ts'
import { greeted } from './words.ts'

export function accountUnblocked(
  { name, hasEndedPlan, pricingUrl }: NotificationOf<'account-unblocked'>,
  { brand }: RenderContext,
): Template {
  return {
    subject: `Your ${brand.name} account is no longer blocked`,
    topic: 'Your account',
    preheader: hasEndedPlan
      ? 'Your earlier plan ended with the block. You can subscribe again.'
      : 'You can subscribe and use your account again.',
    blocks: [
      {
        type: 'paragraph',
        text: greeted(name, 'Your account is no longer blocked.'),
      },
      {
        type: 'paragraph',
        text: `${hasEndedPlan ? 'Your earlier plan ended when the account was blocked. We charge nothing more for it. ' : ''}To subscribe again, choose a plan on the pricing page.`,
      },
      { type: 'action', label: 'See the plans', url: pricingUrl },
    ],
  }
}
