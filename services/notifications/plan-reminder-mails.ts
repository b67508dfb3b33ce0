import { unreachable } from '#services/foundation/decider'
import type { EventOf } from '#services/reactors/reactor'
import type { Known } from './known.ts'
import type { Links } from './links.ts'
import { priceOf, subscriptionIn } from './plan-billing-mails.ts'
import { toCustomer, type PlannedMail } from './planned-mail.ts'
import { isSameCard, renews } from './reminders/reminder-decider.ts'

export const reminderTypes = [
  'DunningReminderDue',
  'DunningEnded',
  'RenewalReminderDue',
  'CardReminderDue',
] as const
type AboutReminder = EventOf<(typeof reminderTypes)[number]>

const unnamedPlan = 'your subscription'

/** The mails of the reminders. Pure. */
export function planReminderMails(
  event: AboutReminder,
  known: Known,
  links: Links,
): readonly PlannedMail[] {
  const { account, billing } = known
  switch (event.type) {
    case 'DunningReminderDue': {
      const { invoiceId, subscriptionId, planName, due, day, startedAt: failedAt } = event.data
      const latest = known.failedInvoices.find((each) => each.invoiceId === invoiceId)
      return toCustomer('payment-failed', account, whyNotUnpaid(event, known), ({ name }) => ({
        kind: 'payment-failed',
        name,
        planName: planName ?? unnamedPlan,
        due,
        day,
        failedAt,
        nextAttemptAt: latest?.nextAttemptAt ?? null,
        method: latest?.method ?? null,
        portalUrl: links.portal(subscriptionId, 'payment_method'),
      }))
    }
    case 'DunningEnded': {
      const { planName, due, why } = event.data
      // The other ends have their own mails.
      if (why !== 'recovered') return []
      return toCustomer('payment-recovered', account, null, ({ name }) => ({
        kind: 'payment-recovered',
        name,
        planName: planName ?? unnamedPlan,
        due,
        paidAt: event.metadata.occurredAt,
        purchasesUrl: links.purchases,
      }))
    }
    case 'RenewalReminderDue': {
      const { subscriptionId, renewsAt, planName } = event.data
      const now = subscriptionIn(billing, subscriptionId)
      const outdated =
        now !== undefined && renews(now) && now.currentPeriodEnd === renewsAt
          ? null
          : 'the subscription does not renew then'
      return toCustomer('renewal-ahead', account, outdated, ({ name }) => ({
        kind: 'renewal-ahead',
        name,
        planName,
        price: priceOf(event.data),
        at: event.metadata.occurredAt,
        renewsAt,
        method: billing.method?.current ?? null,
        portalUrl: links.portal(subscriptionId, 'manage'),
      }))
    }
    case 'CardReminderDue': {
      const { subscriptionId, method } = event.data
      const now = subscriptionIn(billing, subscriptionId)
      const outdated =
        now === undefined || !renews(now)
          ? 'the subscription does not renew'
          : isSameCard(method, billing.method?.current ?? null)
            ? null
            : 'the card was replaced'
      return toCustomer('card-expiring', account, outdated, ({ name }) => ({
        kind: 'card-expiring',
        name,
        card: method,
        portalUrl: links.portal(subscriptionId, 'payment_method'),
      }))
    }
    default:
      return unreachable(event)
  }
}

/** Why a reminder of an unpaid invoice is no longer true; null if it is. */
export function whyNotUnpaid(
  { data: { invoiceId } }: EventOf<'DunningReminderDue'>,
  { failedInvoices }: Pick<Known, 'failedInvoices'>,
): string | null {
  const standing = failedInvoices.find((each) => each.invoiceId === invoiceId)?.standing
  return standing === undefined || standing === 'unpaid' ? null : unpaidEnds[standing]
}

const unpaidEnds = {
  recovered: 'the invoice was paid',
  canceled: 'the subscription has ended',
  'written-off': 'the invoice was written off',
} as const
