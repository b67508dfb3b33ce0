import type { PaymentMethod } from '#contracts/events/billing-parts'
import { paymentMethodText } from '#contracts/payment-method-text'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted } from './words.ts'

export function cardExpiring({ name, card, portalUrl }: NotificationOf<'card-expiring'>): Template {
  const method = paymentMethodText(card)
  const end = endOf(card)
  return {
    subject: `Your card expires ${end}`,
    topic: 'Payment method',
    preheader: `Payments after that would fail. Enter another card to keep your plan.`,
    blocks: [
      {
        type: 'paragraph',
        text: greeted(name, `Your ${method} expires ${end}. Payments after that would fail.`),
      },
      {
        type: 'facts',
        facts: [
          { term: 'Payment method', value: method },
          { term: 'Expires', value: capitalized(end) },
        ],
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

/** A card is valid until the end of its month. */
function endOf({ expiryMonth, expiryYear }: PaymentMethod): string {
  return expiryMonth === null || expiryYear === null
    ? 'soon'
    : `at the end of ${months.format(new Date(Date.UTC(expiryYear, expiryMonth - 1)))}`
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
