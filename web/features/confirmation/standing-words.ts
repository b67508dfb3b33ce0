import { planName } from '../../lib/plan-name.ts'
import { subscriptionStatus } from '../../ui/status-chip.tsx'
import type { Standing } from './standing.ts'

/** The heading: what is so. Source of the first one: specification, section 2. */
export function headingOf(standing: Standing): string {
  switch (standing.kind) {
    case 'activated':
      return 'Subscription Activated!'
    case 'processing':
      return standing.isPaid ? 'Your plan is being set up' : 'Your payment is being processed'
    case 'unpaid':
      return 'Your payment is not complete'
    case 'not-yours':
      return 'This purchase is not in your account'
    case 'inactive':
    case 'none':
      return 'No active plan found'
    case 'visitor':
    case 'loading':
    case 'unknown':
      return 'Your subscription'
  }
}

/** The sentence below the heading. */
export function sentenceOf(standing: Standing, waiting: boolean): string {
  switch (standing.kind) {
    case 'activated':
      return 'Your plan is running.'
    case 'processing':
      return standing.isPaid
        ? 'Your payment went through. We e-mail you when your plan is active. You need not pay again.'
        : 'Your plan starts when the payment is confirmed. We e-mail you then. You need not pay again.'
    case 'unpaid':
      return standing.url === null
        ? 'This checkout has expired. Nothing was charged. Choose the plan again to subscribe.'
        : 'The checkout is still open, and nothing was charged. Continue there to subscribe.'
    case 'not-yours':
      return 'If you paid with another address, log in with it to see the purchase. Your own purchases are in your account dashboard.'
    case 'inactive':
      return `Your ${planName(standing.subscription)} is ${subscriptionStatus(standing.subscription.status).label.toLowerCase()}. Your account dashboard says what to do.`
    case 'none':
      return waiting
        ? 'This page has found no active plan yet.'
        : 'This page has found no active plan. If you have just paid, the plan appears in your account dashboard when the payment is confirmed.'
    case 'visitor':
      return 'Log in to see your payment and your plan.'
    case 'loading':
      return 'Loading details...'
    case 'unknown':
      return 'The details could not be loaded now. Reload the page in a minute, or look into your account dashboard.'
  }
}
