import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted, nextOf, priceText } from './words.ts'

/** Source of the onboarding's time: specification, section 9. */
export function subscriptionActivated(
  activated: NotificationOf<'subscription-activated'>,
): Template {
  const { name, planName, price, startedAt, portalUrl } = activated
  const next = nextOf(activated)
  return {
    subject: `Subscription activated: ${planName}`,
    topic: 'Subscription',
    preheader: `Onboarding takes up to 48 business hours. ${next.sentence}`,
    blocks: [
      { type: 'figure', label: 'Subscription activated', value: planName },
      {
        type: 'paragraph',
        text: greeted(
          name,
          `Your ${planName} is active. We set up your account now: onboarding takes up to 48 business hours.`,
        ),
      },
      {
        type: 'line',
        start: { mark: 'paid', label: 'Started', date: day(startedAt) },
        end: { mark: 'hollow', label: next.label, date: day(next.at) },
      },
      {
        type: 'facts',
        facts: [
          { term: 'Plan', value: planName },
          { term: 'Price', value: priceText(price) },
          { term: 'Onboarding', value: 'Up to 48 business hours' },
        ],
      },
      {
        type: 'paragraph',
        text: 'Subscription management, billing history and payment-method updates are in your account dashboard.',
      },
      { type: 'action', label: 'Manage your plan', url: portalUrl },
    ],
  }
}
