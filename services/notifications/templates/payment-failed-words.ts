import type { Instant } from '#contracts/instant'
import { paymentMethodText } from '#contracts/payment-method-text'
import { unreachable } from '#services/foundation/decider'
import { day as dateOf } from '#services/mail/dates'
import type { MailBlock } from '#services/mail/mail-content'
import type { NotificationOf } from '../notification.ts'
import { capitalized, moneyText } from './words.ts'

export type Failed = NotificationOf<'payment-failed'>

interface Words {
  readonly subject: string
  readonly preheader: string
  /** After the greeting. */
  readonly first: string
  /** Above the button. */
  readonly last: string
}

/** The steps that the mail offers, the first one first. */
export function actionsOf(failed: Failed): readonly MailBlock[] {
  const { newMethod, due, payUrl, portalUrl } = failed
  if (asksForNothing(failed)) return [{ type: 'action', label: 'Manage your plan', url: portalUrl }]
  const pay = { type: 'action', label: `Pay ${moneyText(due)} now`, url: payUrl } as const
  return newMethod !== null
    ? [pay]
    : [pay, { type: 'action', isSecond: true, label: 'Update the payment method', url: portalUrl }]
}

export function wordsOf(failed: Failed): Words {
  return failed.newMethod === null
    ? requestOf(failed)
    : newCardWords(failed, paymentMethodText(failed.newMethod))
}

/** The next attempt charges a card that the customer entered after the failure. */
export function asksForNothing({ newMethod, nextAttemptAt }: Failed): boolean {
  return newMethod !== null && nextAttemptAt !== null
}

/** The customer entered another card, and waits for its first attempt. */
function newCardWords({ due, planName, failedAt, nextAttemptAt }: Failed, card: string): Words {
  const amount = moneyText(due)
  const unpaid = `The payment of ${amount} for your ${planName} that failed on ${dateOf(failedAt)} is still unpaid.`
  if (nextAttemptAt === null)
    return {
      subject: `Your payment of ${amount} is still unpaid`,
      preheader: `You entered ${card}. No further attempt is planned.`,
      first: `${unpaid} You entered ${card}, but no further attempt is planned.`,
      last: 'Pay it now with this card or another one.',
    }
  const next = `We try again on ${dateOf(nextAttemptAt)} with ${card}.`
  return {
    subject: `We try your payment of ${amount} again on ${dateOf(nextAttemptAt)}`,
    preheader: `With ${card}. You need not do anything.`,
    first: `${unpaid} ${next}`,
    last: 'You need not do anything.',
  }
}

/** Asks for a card that can be charged. */
function requestOf({ day, due, planName, method, failedAt, nextAttemptAt, endsAt }: Failed): Words {
  const amount = moneyText(due)
  const card = method === null ? 'your card' : paymentMethodText(method)
  const next =
    nextAttemptAt === null
      ? 'No further attempt is planned.'
      : `We try again on ${dateOf(nextAttemptAt)}.`
  const unpaid = `The payment of ${amount} that failed on ${dateOf(failedAt)} is still unpaid.`
  const risk =
    endsAt === null
      ? `Without this payment, your ${planName} ends.`
      : `Your cancellation is scheduled for ${dateOf(endsAt)}. Without this payment, your ${planName} can end before.`
  const stays = 'Your cancellation stays scheduled.'
  switch (day) {
    case 0:
      return {
        subject: `Your payment of ${amount} failed`,
        preheader: `${capitalized(card)} was not charged. ${next}`,
        first: `Your payment for the ${planName} failed: ${card} was not charged. ${next}`,
        last: `Pay it now, ${orNewCard(nextAttemptAt)}`,
      }
    case 3:
      return {
        subject: `Reminder: your payment of ${amount} failed`,
        preheader: `It failed on ${dateOf(failedAt)} and is still unpaid. ${next}`,
        first: `Your payment for the ${planName} is still unpaid. ${next}`,
        last: `Check that the card is valid and has enough money for the payment. You can pay it now, ${orNewCard(nextAttemptAt)}`,
      }
    case 5:
      return {
        subject:
          endsAt === null
            ? `Your ${planName} is at risk: ${amount} is unpaid`
            : `Reminder: ${amount} is unpaid`,
        preheader: `${risk} ${next}`,
        first: `${unpaid} ${risk} ${next}`,
        last: `Pay it now, ${orNewCard(nextAttemptAt)} ${endsAt === null ? 'Your plan then continues without a break.' : stays}`,
      }
    case 7:
      return {
        subject: `Last reminder: ${amount} is unpaid`,
        preheader: risk,
        first: `This is our last reminder. ${unpaid} ${next} ${risk}`,
        last:
          endsAt === null
            ? `To keep your plan, pay it now, ${orNewCard(nextAttemptAt)}`
            : `Pay it now, ${orNewCard(nextAttemptAt)} ${stays}`,
      }
    default:
      return unreachable(day)
  }
}

/** What another card changes: only an attempt charges it. */
function orNewCard(nextAttemptAt: Instant | null): string {
  return nextAttemptAt === null
    ? 'with this card or another one. A new card alone is not charged.'
    : 'or enter another card: the next attempt charges it.'
}
