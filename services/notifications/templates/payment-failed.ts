import { dunningDays } from '#contracts/dunning'
import { paymentMethodText } from '#contracts/payment-method-text'
import { day as dateOf } from '#services/mail/dates'
import type { Fact } from '#services/mail/mail-content'
import { wordsOf, type Failed } from './payment-failed-words.ts'
import type { Template } from './template.ts'
import { capitalized, daysAfter, greeted, moneyText, shareOf } from './words.ts'

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
      { type: 'action', label: words.action, url: portalUrl },
    ],
  }
}

/** Without the next attempt: the line or the first paragraph states it. */
function factsOf({ planName, method: failed, newMethod, day, failedAt }: Failed): readonly Fact[] {
  const method = newMethod ?? failed
  const nextDay = dunningDays.find((each) => each > day)
  return [
    { term: 'Plan', value: capitalized(planName) },
    ...(method === null ? [] : [{ term: 'Payment method', value: paymentMethodText(method) }]),
    ...(nextDay === undefined
      ? []
      : [{ term: 'Next reminder', value: dateOf(daysAfter(failedAt, nextDay)) }]),
  ]
}
