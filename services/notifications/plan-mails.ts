import { unreachable } from '#services/foundation/decider'
import type { EventOf } from '#services/reactors/reactor'
import type { Known } from './known.ts'
import type { Links } from './links.ts'
import { accountTypes, planAccountMails } from './plan-account-mails.ts'
import { billingTypes, planBillingMails } from './plan-billing-mails.ts'
import { planRefundMails, refundTypes } from './plan-refund-mails.ts'
import { planReminderMails, reminderTypes } from './plan-reminder-mails.ts'
import type { PlannedMail } from './planned-mail.ts'

/** The events of a user that cause mails. */
export const userTypes = [
  ...accountTypes,
  ...billingTypes,
  ...refundTypes,
  ...reminderTypes,
] as const
export type UserMailEvent = EventOf<(typeof userTypes)[number]>

/**
 * The mails that an event of a user causes, given what is known when they are about to be sent. One
 * event causes at most one mail per recipient. Pure.
 */
export function planMails(
  event: UserMailEvent,
  known: Known,
  links: Links,
): readonly PlannedMail[] {
  switch (event.type) {
    case 'EmailVerified':
    case 'SecondaryEmailSet':
    case 'SecondaryEmailRemoved':
    case 'AccountBlocked':
    case 'AccountUnblocked':
    case 'PersonalDataErased':
      return planAccountMails(event, known, links)
    case 'SubscriptionStarted':
    case 'SubscriptionStatusChanged':
    case 'PaymentSucceeded':
    case 'CancellationScheduled':
    case 'CancellationWithdrawn':
    case 'SubscriptionEnded':
    case 'PlanChanged':
    case 'PaymentMethodChanged':
    case 'PlanChangeScheduled':
    case 'PlanChangeDropped':
      return planBillingMails(event, known, links)
    case 'RefundRecorded':
    case 'RefundStatusChanged':
      return planRefundMails(event, known)
    case 'DunningReminderDue':
    case 'DunningEnded':
    case 'RenewalReminderDue':
    case 'CardReminderDue':
      return planReminderMails(event, known, links)
    default:
      return unreachable(event)
  }
}
