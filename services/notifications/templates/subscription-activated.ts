import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted, priceText } from './words.ts'

/** Source of the onboarding's time: specification, section 9. */
export function subscriptionActivated({
  name,
  planName,
  price,
  startedAt,
  renewsAt,
  portalUrl,
}: NotificationOf<'subscription-activated'>): Template {
  return {
    subject: `Subscription activated: ${planName}`,
    topic: 'Subscription',
    preheader: `Onboarding takes up to 48 business hours. Next billing on ${day(renewsAt)}.`,
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
        end: { mark: 'hollow', label: 'Next billing', date: day(renewsAt) },
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
