import type { PaymentMethod } from '#contracts/events/billing-parts'
import { paymentMethodText } from '#contracts/payment-method-text'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted } from './words.ts'

export function cardExpiring({ name, card, portalUrl }: NotificationOf<'card-expiring'>): Template {
  const method = paymentMethodText(card)
  const month = lastMonthOf(card)
  const end = month === null ? 'soon' : `at the end of ${month}`
  return {
    subject: `Your card expires ${end}`,
    topic: 'Payment method',
    preheader: 'Payments after that would fail. Enter another card to keep your plan.',
    blocks: [
      ...(month === null
        ? []
        : [
            {
              type: 'figure' as const,
              label: `${method} expires at the end of`,
              value: month,
            },
          ]),
      {
        type: 'paragraph',
        text: greeted(
          name,
          month === null
            ? `Your ${method} expires soon. Payments after that would fail.`
            : `Payments after ${month} would fail with this card.`,
        ),
      },
      {
        type: 'paragraph',
        text: 'Enter another card, or the new dates of this one. Your plan and its price stay the same.',
      },
      { type: 'action', label: 'Update the payment method', url: portalUrl },
    ],
  }
}

const months = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A card is valid until the end of its month: `April 2026`. */
function lastMonthOf({ expiryMonth, expiryYear }: PaymentMethod): string | null {
  return expiryMonth === null || expiryYear === null
    ? null
    : months.format(new Date(Date.UTC(expiryYear, expiryMonth - 1)))
}
