import { dunningDays } from '#contracts/dunning'
import type { Instant } from '#contracts/instant'
import { paymentMethodText } from '#contracts/payment-method-text'
import { day as dateOf } from '#services/mail/dates'
import type { Description } from '#services/mail/mail-content'
import { actionsOf, asksForNothing, wordsOf, type Failed } from './payment-failed-words.ts'
import type { Template } from './template.ts'
import { capitalized, daysAfter, greeted, moneyText, shareOf } from './words.ts'

/** The reminders of one failed payment. Each step names what happens next. */
export function paymentFailed(failed: Failed): Template {
  const { day, failedAt, nextAttemptAt } = failed
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
      { type: 'descriptions', descriptions: descriptionsOf(failed) },
      { type: 'paragraph', text: words.last },
      ...actionsOf(failed),
    ],
  }
}

/** Without the next attempt: the line or the first paragraph states it. */
function descriptionsOf(failed: Failed): readonly Description[] {
  const { planName, reason } = failed
  const method = failed.newMethod ?? failed.method
  const nextReminder = nextReminderOf(failed)
  return [
    { term: 'Plan', value: capitalized(planName) },
    ...(reason === null || failed.newMethod !== null ? [] : [{ term: 'Reason', value: reason }]),
    ...(method === null ? [] : [{ term: 'Payment method', value: paymentMethodText(method) }]),
    ...(nextReminder === null ? [] : [{ term: 'Next reminder', value: dateOf(nextReminder) }]),
  ]
}

/** Null if the mail asks for nothing, and if the plan ends before: its reminders end then. */
function nextReminderOf(failed: Failed): Instant | null {
  const { day, failedAt, endsAt } = failed
  const nextDay = dunningDays.find((each) => each > day)
  if (nextDay === undefined || asksForNothing(failed)) return null
  const at = daysAfter(failedAt, nextDay)
  return endsAt !== null && endsAt <= at ? null : at
}
