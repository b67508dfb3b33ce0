import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted, moneyText, nextOf, priceText } from './words.ts'

type Changed = NotificationOf<'plan-changed'>

export function planChanged(changed: Changed): Template {
  const { name, planName, formerPlanName, price, changedAt, portalUrl } = changed
  const next = nextOf(changed)
  const difference = differenceOf(changed)
  // The same plan at another price, or for another number of accounts.
  const isSamePlan = planName === formerPlanName
  const change = isSamePlan
    ? `Your ${planName} now costs ${priceText(price)}.`
    : `Your plan changed from ${formerPlanName} to ${planName}.`
  return {
    subject: isSamePlan ? `Your ${planName} has a new price` : `Your plan is now the ${planName}`,
    topic: 'Plan change',
    preheader: `It costs ${priceText(price)}. ${next.sentence}`,
    blocks: [
      ...(difference === null
        ? []
        : [{ type: 'figure' as const, label: difference.term, value: difference.value }]),
      {
        type: 'paragraph',
        text: greeted(name, difference === null ? change : `${change} ${difference.sentence}`),
      },
      {
        type: 'line',
        start: { mark: 'paid', label: 'Changed', date: day(changedAt) },
        end: { mark: 'hollow', label: next.label, date: day(next.at) },
      },
      {
        type: 'descriptions',
        descriptions: [
          ...(isSamePlan
            ? [{ term: 'Plan', value: planName }]
            : [
                { term: 'Former plan', value: formerPlanName },
                { term: 'New plan', value: planName },
              ]),
          { term: 'Price', value: priceText(price) },
        ],
      },
      { type: 'action', label: 'Manage your plan', url: portalUrl },
    ],
    note: 'If you did not change your plan, write to our support.',
  }
}

/**
 * What the change costs now or leaves as a credit. Null if it does neither. The provider invoices a
 * new period at once. Source: docs.stripe.com/billing/subscriptions/change-price.
 */
function differenceOf(changed: Changed) {
  const { proration, beginsPeriod, price } = changed
  if (proration === null || proration.amount === 0) return null
  const { amount, currency } = proration
  const text = (value: number) => moneyText({ amount: Math.abs(value), currency })
  if (amount > 0)
    return {
      term: 'Prorated charge',
      value: text(amount),
      sentence: `The rest of the current period costs ${text(amount)} more.`,
    }
  const credit = `You have a credit of ${text(amount)} for the unused time.`
  if (!beginsPeriod || price.amount.currency !== currency)
    return {
      term: 'Prorated credit',
      value: text(amount),
      sentence: nextOf(changed).isEnd ? credit : `${credit} It reduces your next payments.`,
    }
  const net = price.amount.amount + amount
  const first = moneyText(price.amount)
  if (net > 0)
    return {
      term: 'Price less the credit',
      value: text(net),
      sentence: `A credit of ${text(amount)} for the unused time reduces the first payment of ${first} to ${text(net)}, before tax and discounts.`,
    }
  const rest = net === 0 ? '' : ` The remaining credit of ${text(net)} reduces your next payments.`
  return {
    term: 'Remaining credit',
    value: text(net),
    sentence: `A credit of ${text(amount)} for the unused time pays the first ${first}, before tax and discounts.${rest}`,
  }
}
