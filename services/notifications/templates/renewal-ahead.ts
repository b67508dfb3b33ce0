import { paymentMethodText } from '#contracts/payment-method-text'
import { day } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted, moneyText, priceText } from './words.ts'

export function renewalAhead({
  name,
  planName,
  price,
  at,
  renewsAt,
  method,
  portalUrl,
}: NotificationOf<'renewal-ahead'>): Template {
  const amount = moneyText(price.amount)
  return {
    subject: `Your ${planName} renews on ${day(renewsAt)}`,
    topic: 'Renewal',
    preheader: `We will charge ${amount}, before tax and discounts. You can change or cancel the plan until then.`,
    blocks: [
      { type: 'figure', label: `Due on ${day(renewsAt)}`, value: amount },
      {
        type: 'paragraph',
        text: greeted(
          name,
          `Your ${planName} renews on ${day(renewsAt)}. We will then charge ${amount}, before tax and discounts. You need not do anything.`,
        ),
      },
      {
        type: 'line',
        start: { mark: 'needle', label: 'Today', date: day(at) },
        end: { mark: 'hollow', label: 'Renewal', date: day(renewsAt) },
      },
      {
        type: 'facts',
        facts: [
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
