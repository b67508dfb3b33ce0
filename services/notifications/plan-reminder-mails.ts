import { idAtProvider } from '#contracts/events/provider-ref'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import type { EventOf } from '#services/reactors/reactor'
import { isReplaced } from './dunning/dunning-decider.ts'
import type { FailedInvoice } from './dunning/unpaid-invoices.ts'
import type { Known } from './known.ts'
import type { Links } from './links.ts'
import { planEndIn, priceOf, subscriptionIn } from './plan-billing-mails.ts'
import { toCustomer, type PlannedMail } from './planned-mail.ts'
import { isSameCard, renews } from './reminders/reminder-decider.ts'

export const reminderMails = eventConsumer({
  name: 'mails: reminder',
  concernedBy: ['reminder'],
  ignores: ['DunningStarted'],
})
type AboutReminder = EventOf<FoldedBy<typeof reminderMails>>

/** Continues 'your …' and 'the …'. */
const unnamedPlan = 'subscription'

/** The mails of the reminders. Pure. */
export function planReminderMails(
  event: AboutReminder,
  known: Known,
  links: Links,
): readonly PlannedMail[] {
  const { account, billing } = known
  switch (event.type) {
    case 'DunningReminderDue': {
      const { subscriptionId, invoiceRef, day, startedAt: failedAt } = event.data
      const latest = known.failedInvoices.find((each) => each.invoiceRef === invoiceRef)
      const newMethod = latest?.newMethod ?? null
      return toCustomer('payment-failed', account, whyNotUnpaid(event, known), ({ name }) => ({
        kind: 'payment-failed',
        name,
        planName: planNameOf(event, known),
        due: latest?.open ?? event.data.due,
        day,
        failedAt,
        reason: latest?.reason ?? null,
        payUrl: links.pay,
        nextAttemptAt: latest?.nextAttemptAt ?? null,
        method: latest?.method ?? null,
        newMethod,
        endsAt: subscriptionIn(billing, subscriptionId)?.cancelAt ?? null,
        portalUrl: newMethod === null ? links.updateCard : links.managePlan(subscriptionId),
      }))
    }
    case 'DunningEnded': {
      const { due, why } = event.data
      // The other ends have their own mails.
      if (why !== 'recovered') return []
      return toCustomer('payment-recovered', account, null, ({ name }) => ({
        kind: 'payment-recovered',
        name,
        planName: planNameOf(event, known),
        due,
        ...paymentOf(event, known),
        paidAt: event.metadata.occurredAt,
        end: planEndIn(billing, event.data.subscriptionId),
        purchasesUrl: links.purchases,
      }))
    }
    case 'RenewalReminderDue': {
      const { subscriptionId, renewsAt, planName } = event.data
      const now = subscriptionIn(billing, subscriptionId)
      const outdated =
        now !== undefined &&
        renews(now) &&
        now.currentPeriodEnd === renewsAt &&
        // The provider may report the renewal later than this mail.
        known.at < renewsAt
          ? null
          : 'the subscription does not renew then'
      return toCustomer('renewal-ahead', account, outdated, ({ name }) => ({
        kind: 'renewal-ahead',
        name,
        planName,
        price: priceOf(event.data),
        at: event.metadata.occurredAt,
        renewsAt,
        endsAt: now?.cancelAt ?? null,
        method: billing.method?.current ?? null,
        portalUrl: links.managePlan(subscriptionId),
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
        portalUrl: links.replaceCard,
      }))
    }
    default:
      return unreachable(event)
  }
}

/** @throws Error if the invoice is not paid, although its reminders ended with a payment */
function paymentOf(
  { data: { invoiceRef } }: EventOf<'DunningEnded'>,
  { failedInvoices }: Pick<Known, 'failedInvoices'>,
): NonNullable<FailedInvoice['payment']> {
  const payment = failedInvoices.find((each) => each.invoiceRef === invoiceRef)?.payment
  if (!payment)
    throw new DamagedHistory(
      `The reminders of invoice ${idAtProvider(invoiceRef)} ended with a payment that the log does not have. Run npm run billing -- events verify.`,
    )
  return payment
}

/** The plan can have changed since the invoice. */
function planNameOf(
  { data: { subscriptionId, planName } }: EventOf<'DunningReminderDue' | 'DunningEnded'>,
  { billing }: Pick<Known, 'billing'>,
): string {
  return subscriptionIn(billing, subscriptionId)?.terms.planName ?? planName ?? unnamedPlan
}

/** Why a reminder of an unpaid invoice is no longer true; null if it is. */
export function whyNotUnpaid(
  { data }: EventOf<'DunningReminderDue'>,
  { failedInvoices, at }: Pick<Known, 'failedInvoices' | 'at'>,
): string | null {
  const standing = failedInvoices.find(({ invoiceRef }) => invoiceRef === data.invoiceRef)?.standing
  if (standing !== undefined && standing !== 'unpaid') return unpaidEnds[standing]
  // After a long outage, or as a dead letter that an operator retries.
  return isReplaced(data, at) ? 'the next reminder is due' : null
}

const unpaidEnds = {
  recovered: 'the invoice was paid',
  canceled: 'the subscription has ended',
  'written-off': 'the invoice was written off',
} as const
