import { toPrepare } from '#contracts/brand/to-prepare'
import { businessHoursText, onboardingEndText, onboardingTime } from '#contracts/onboarding-text'
import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import { receivablesUrl, type RenderContext, type Template } from './template.ts'
import { greeted, nextOf, priceText } from './words.ts'

export function subscriptionActivated(
  activated: NotificationOf<'subscription-activated'>,
  context: RenderContext,
): Template {
  const { brand } = context
  const { name, planName, price, startedAt, onboardingEndsAt, portalUrl } = activated
  const next = nextOf(activated)
  return {
    subject: `Subscription activated: ${planName}`,
    topic: 'Subscription',
    preheader: `Onboarding ends on ${onboardingEndText(onboardingEndsAt)} at the latest. ${next.sentence}`,
    blocks: [
      { type: 'figure', label: 'Subscription activated', value: planName },
      {
        type: 'paragraph',
        text: greeted(
          name,
          `Your ${planName} is active. We set up your account now: onboarding takes up to ${onboardingTime}.`,
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
          { term: 'Onboarding ends by', value: onboardingEndText(onboardingEndsAt) },
        ],
      },
      {
        type: 'paragraph',
        text: `Business hours are ${businessHoursText}. You then have full access.`,
      },
      {
        type: 'list',
        label: `Please have this ready. If you have it sooner, or for questions, write to ${brand.supportEmail}.`,
        items: toPrepare,
      },
      {
        type: 'paragraph',
        text: 'Subscription management, billing history and payment-method updates are in your account dashboard.',
      },
      {
        type: 'paragraph',
        text: 'You can add your clients and invoices now. Nothing goes to your clients before you turn reminders on.',
      },
      { type: 'action', label: 'Set up your receivables', url: receivablesUrl(context) },
      { type: 'action', isSecond: true, label: 'Manage your plan', url: portalUrl },
    ],
  }
}
