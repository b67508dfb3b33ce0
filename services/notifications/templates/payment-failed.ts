import { paymentMethodText } from '#contracts/payment-method-text'
import { unreachable } from '#services/foundation/decider'
import type { Fact } from '#services/mail/mail-content'
import { day as dateOf } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import { dunningDays } from '#contracts/dunning'
import type { Template } from './template.ts'
import { daysAfter, greeted, moneyText, shareOf } from './words.ts'

type Failed = NotificationOf<'payment-failed'>

/** The reminders of one failed payment. Each step names what happens next. */
export function paymentFailed(failed: Failed): Template {
  const { day, failedAt, nextAttemptAt, portalUrl } = failed
  const words = wordsOf(failed)
  return {
    subject: words.subject,
    topic: 'Payment failed',
    preheader: words.preheader,
    blocks: [
      {
        type: 'figure',
        label:
          day === 0 ? `Payment failed on ${dateOf(failedAt)}` : `Unpaid since ${dateOf(failedAt)}`,
        value: moneyText(failed.due),
      },
      { type: 'paragraph', text: greeted(failed.name, words.first) },
      ...(nextAttemptAt === null
        ? []
        : [
            {
              type: 'line' as const,
              start: { mark: 'failed' as const, label: 'Payment failed', date: dateOf(failedAt) },
              end: { mark: 'hollow' as const, label: 'Next attempt', date: dateOf(nextAttemptAt) },
              ...(day > 0 && {
                now: {
                  share: shareOf(failedAt, nextAttemptAt, daysAfter(failedAt, day)),
                  label: 'Today',
                },
              }),
            },
          ]),
      { type: 'facts', facts: factsOf(failed) },
      { type: 'paragraph', text: words.last },
      { type: 'action', label: 'Update the payment method', url: portalUrl },
    ],
  }
}

function factsOf({ planName, method, nextAttemptAt, day, failedAt }: Failed): readonly Fact[] {
  const nextDay = dunningDays.find((each) => each > day)
  return [
    { term: 'Plan', value: planName },
    { term: 'Payment method', value: paymentMethodText(method) },
    {
      term: 'Next attempt',
      value: nextAttemptAt === null ? 'None planned' : dateOf(nextAttemptAt),
    },
    {
      term: 'Next reminder',
      value: nextDay === undefined ? 'None' : dateOf(daysAfter(failedAt, nextDay)),
    },
  ]
}

interface Words {
  readonly subject: string
  readonly preheader: string
  /** After the greeting. */
  readonly first: string
  /** Above the button. */
  readonly last: string
}

function wordsOf({ day, due, planName, method, failedAt, nextAttemptAt }: Failed): Words {
  const amount = moneyText(due)
  const card = paymentMethodText(method)
  const next =
    nextAttemptAt === null
      ? 'No further attempt is planned.'
      : `We try again on ${dateOf(nextAttemptAt)}.`
  const since = `The payment of ${amount} of ${dateOf(failedAt)}`
  switch (day) {
    case 0:
      return {
        subject: `Your payment of ${amount} failed`,
        preheader: next,
        first: `Your payment for the ${planName} failed: ${card} was not charged. ${next}`,
        last: 'If the card is no longer valid, enter another one now. The next attempt uses it.',
      }
    case 3:
      return {
        subject: `Reminder: your payment of ${amount} failed`,
        preheader: `${since} is still open. ${next}`,
        first: `${since} for the ${planName} is still open. ${next}`,
        last: 'Check that the card is valid and has enough money on it, or enter another one.',
      }
    case 5:
      return {
        subject: `Your ${planName} is at risk: ${amount} is unpaid`,
        preheader: `${since} is still open. Without a payment, your plan ends.`,
        first: `${since} is still open. Without this payment, your ${planName} ends. ${next}`,
        last: 'Enter a card that can be charged. Your plan then continues without a break.',
      }
    case 7:
      return {
        subject: `Last reminder: ${amount} is unpaid`,
        preheader: `Without a payment, your ${planName} ends.`,
        first: `This is our last reminder. ${since} is still open. ${next} Without this payment, your ${planName} ends.`,
        last: 'To keep your plan, enter a card that can be charged.',
      }
    default:
      return unreachable(day)
  }
}
