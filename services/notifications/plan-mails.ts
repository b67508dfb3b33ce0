import { unreachable } from '#services/foundation/decider'
import type { FoldedBy } from '#services/foundation/event-consumer'
import type { EventOf } from '#services/reactors/reactor'
import type { Known } from './known.ts'
import type { Links } from './links.ts'
import { accountMails, planAccountMails } from './plan-account-mails.ts'
import { billingMails, planBillingMails } from './plan-billing-mails.ts'
import { merchantMails, planMerchantMails } from './plan-merchant-mails.ts'
import { planRefundMails, refundMails } from './plan-refund-mails.ts'
import { planReminderMails, reminderMails } from './plan-reminder-mails.ts'
import type { PlannedMail } from './planned-mail.ts'

/** The events of a user that cause mails. */
export const userMails = [
  accountMails,
  billingMails,
  refundMails,
  reminderMails,
  merchantMails,
] as const
export type UserMailEvent = EventOf<FoldedBy<(typeof userMails)[number]>>

/**
 * The mails that an event of a user causes, given what is known when they are about to be sent. One
 * event causes at most one mail per recipient. Pure.
 */
export function planMails(
  event: UserMailEvent,
  known: Known,
  links: Links,
): readonly PlannedMail[] {
  if (accountMails.isFolded(event)) return planAccountMails(event, known, links)
  if (billingMails.isFolded(event)) return planBillingMails(event, known, links)
  if (refundMails.isFolded(event)) return planRefundMails(event, known)
  if (reminderMails.isFolded(event)) return planReminderMails(event, known, links)
  if (merchantMails.isFolded(event)) return planMerchantMails(event, known, links)
  return unreachable(event)
}
