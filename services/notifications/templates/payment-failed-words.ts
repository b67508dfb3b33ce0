import { paymentMethodText } from '#contracts/payment-method-text'
import { unreachable } from '#services/foundation/decider'
import { day as dateOf } from '#services/mail/dates'
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
  /** On the button. */
  readonly action: string
}

export function wordsOf(failed: Failed): Words {
  return failed.newMethod === null
    ? { ...requestOf(failed), action: 'Update the payment method' }
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
  const action = 'Manage your plan'
  if (nextAttemptAt === null)
    return {
      subject: `Your payment of ${amount} is still unpaid`,
      preheader: `You entered ${card}. No further attempt is planned.`,
      first: `${unpaid} You entered ${card}, but no further attempt is planned.`,
      last: 'Write to our support: we then charge the new card.',
      action,
    }
  const next = `We try again on ${dateOf(nextAttemptAt)} with ${card}.`
  return {
    subject: `We try your payment of ${amount} again on ${dateOf(nextAttemptAt)}`,
    preheader: `With ${card}. You need not do anything.`,
    first: `${unpaid} ${next}`,
    last: 'You need not do anything.',
    action,
  }
}

/** Asks for a card that can be charged. */
function requestOf({
  day,
  due,
  planName,
  method,
  failedAt,
  nextAttemptAt,
  endsAt,
}: Failed): Omit<Words, 'action'> {
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
        last: 'If the card is no longer valid, enter another one now. The next attempt uses it.',
      }
    case 3:
      return {
        subject: `Reminder: your payment of ${amount} failed`,
        preheader: `It failed on ${dateOf(failedAt)} and is still unpaid. ${next}`,
        first: `Your payment for the ${planName} is still unpaid. ${next}`,
        last: 'Check that the card is valid and has enough money for the payment, or enter another one.',
      }
    case 5:
      return {
        subject:
          endsAt === null
            ? `Your ${planName} is at risk: ${amount} is unpaid`
            : `Reminder: ${amount} is unpaid`,
        preheader: `${risk} ${next}`,
        first: `${unpaid} ${risk} ${next}`,
        last: `Enter a card that can be charged. ${endsAt === null ? 'Your plan then continues without a break.' : stays}`,
      }
    case 7:
      return {
        subject: `Last reminder: ${amount} is unpaid`,
        preheader: risk,
        first: `This is our last reminder. ${unpaid} ${next} ${risk}`,
        last:
          endsAt === null
            ? 'To keep your plan, enter a card that can be charged.'
            : `Enter a card that can be charged. ${stays}`,
      }
    default:
      return unreachable(day)
  }
}
