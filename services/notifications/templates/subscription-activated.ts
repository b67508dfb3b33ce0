import { toPrepare } from '#contracts/brand/to-prepare'
import { businessHoursText, onboardingEndText, onboardingTime } from '#contracts/onboarding-text'
import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import { receivablesUrl, type RenderContext, type Template } from './template.ts'
import { greeted, nextOf, priceText } from './words.ts'

/** The checklist of the overview (`web/features/receivables/overview/checklist.tsx`). */
const setUpSteps = [
  'Import your open invoices from a CSV or XLSX file, or add them by hand',
  'Brand: your logo, your color and the name that your clients know',
  'Payments: how your clients pay you',
  'Schedule: when your clients are reminded, and in which tone',
  'Turn reminders on, after you have seen what the first week brings',
]

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
        type: 'descriptions',
        descriptions: [
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
        type: 'list',
        label:
          'You can begin now, in five steps. Nothing goes to your clients before the last one.',
        items: setUpSteps,
      },
      { type: 'action', label: 'Set up your receivables', url: receivablesUrl(context) },
      { type: 'action', isSecond: true, label: 'Manage your plan', url: portalUrl },
    ],
  }
}
