import { businessHoursText, onboardingTime } from '#contracts/onboarding-text'
import type { NotificationOf } from '../notification.ts'
import { receivablesUrl, type RenderContext, type Template } from './template.ts'
import { greeted } from './words.ts'

/** The only mail with List-Unsubscribe: docs/decisions/0025-mails-by-react-email.md. */
export function welcome(
  { name, pricingUrl }: NotificationOf<'welcome'>,
  context: RenderContext,
): Template {
  const { brand } = context
  return {
    subject: `Welcome to ${brand.name}`,
    topic: 'Welcome',
    preheader: 'Your account is open. You sign in with a code, without a password.',
    blocks: [
      { type: 'paragraph', text: greeted(name, `Your ${brand.name} account is open.`) },
      {
        type: 'paragraph',
        text: 'To sign in, enter this e-mail address and then the code that we mail to it. There is no password.',
      },
      {
        type: 'paragraph',
        text: `The next step is the subscription. Onboarding follows it, and takes up to ${onboardingTime} (${businessHoursText}). The mail about your subscription will name the day.`,
      },
      {
        type: 'paragraph',
        text: 'With a plan you set up your receivables in five steps: import your invoices, choose your brand, say how clients pay, read the schedule and turn reminders on.',
      },
      { type: 'action', label: 'See the plans', url: pricingUrl },
      {
        type: 'action',
        isSecond: true,
        label: 'Open your receivables',
        url: receivablesUrl(context),
      },
    ],
    note: 'If you did not open this account, write to our support.',
    headers: {
      'List-Unsubscribe': `<mailto:${brand.supportEmail}?subject=Unsubscribe>`,
    },
  }
}
