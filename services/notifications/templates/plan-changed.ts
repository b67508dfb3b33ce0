import type { Money } from '#contracts/money'
import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted, moneyText, priceText } from './words.ts'

export function planChanged({
  name,
  planName,
  formerPlanName,
  price,
  proration,
  changedAt,
  renewsAt,
  portalUrl,
}: NotificationOf<'plan-changed'>): Template {
  const difference = differenceOf(proration)
  return {
    subject: `Your plan is now the ${planName}`,
    topic: 'Plan change',
    preheader: `It costs ${priceText(price)}. Next billing on ${day(renewsAt)}.`,
    blocks: [
      ...(difference === null
        ? []
        : [{ type: 'figure' as const, label: difference.term, value: difference.value }]),
      {
        type: 'paragraph',
        text: greeted(
          name,
          `Your plan changed from ${formerPlanName} to ${planName}.${difference === null ? '' : ` ${difference.sentence}`}`,
        ),
      },
      {
        type: 'line',
        start: { mark: 'paid', label: 'Changed', date: day(changedAt) },
        end: { mark: 'hollow', label: 'Next billing', date: day(renewsAt) },
      },
      {
        type: 'facts',
        facts: [
          { term: 'Former plan', value: formerPlanName },
          { term: 'New plan', value: planName },
          { term: 'Price', value: priceText(price) },
          ...(difference === null ? [] : [{ term: difference.term, value: difference.value }]),
        ],
      },
      { type: 'action', label: 'Manage your plan', url: portalUrl },
    ],
    note: 'If you did not change your plan, write to our support.',
  }
}

/** Null if the change costs nothing and gives nothing back. */
function differenceOf(proration: Money | null) {
  if (proration === null || proration.amount === 0) return null
  const value = moneyText({ ...proration, amount: Math.abs(proration.amount) })
  return proration.amount > 0
    ? {
        term: 'Prorated charge',
        value,
        sentence: `The rest of the current period costs ${value} more.`,
      }
    : {
        term: 'Prorated credit',
        value,
        sentence: `You have a credit of ${value} for the unused time.`,
      }
}
