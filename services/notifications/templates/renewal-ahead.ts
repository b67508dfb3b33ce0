import { paymentMethodText } from '#contracts/payment-method-text'
import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { capitalized, greeted, moneyText, priceText } from './words.ts'

export function renewalAhead({
  name,
  planName,
  price,
  at,
  renewsAt,
  endsAt,
  method,
  portalUrl,
}: NotificationOf<'renewal-ahead'>): Template {
  // The provider charges a part of the price if the plan ends within the next period.
  const amount = endsAt === null ? moneyText(price.amount) : `up to ${moneyText(price.amount)}`
  const rest =
    endsAt === null
      ? 'You need not do anything.'
      : `Your cancellation stays scheduled: the plan ends on ${day(endsAt)}.`
  return {
    subject: `Your ${planName} renews on ${day(renewsAt)}`,
    topic: 'Renewal',
    preheader: `We will charge ${amount}, before tax and discounts. You can change or cancel the plan until then.`,
    blocks: [
      { type: 'figure', label: `Due on ${day(renewsAt)}`, value: capitalized(amount) },
      {
        type: 'paragraph',
        text: greeted(
          name,
          `Your ${planName} renews on ${day(renewsAt)}. We will then charge ${amount}, before tax and discounts. ${rest}`,
        ),
      },
      {
        type: 'line',
        start: { mark: 'needle', label: 'Today', date: day(at) },
        end: { mark: 'hollow', label: 'Renewal', date: day(renewsAt) },
      },
      {
        type: 'descriptions',
        descriptions: [
          { term: 'Plan', value: planName },
          { term: 'Price', value: priceText(price) },
          { term: 'Payment method', value: paymentMethodText(method) },
        ],
      },
      {
        type: 'paragraph',
        text: `You can change or cancel the plan before ${day(renewsAt)}.`,
      },
      { type: 'action', label: 'Manage your plan', url: portalUrl },
    ],
  }
}
