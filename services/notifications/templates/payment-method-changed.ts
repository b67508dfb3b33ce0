import { cardExpiry } from '#contracts/card-expiry'
import type { PaymentMethod } from '#contracts/events/billing-parts'
import { paymentMethodText } from '#contracts/payment-method-text'
import { day as dateOf } from '#services/mail/dates'
import type { Description } from '#services/mail/mail-content'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted } from './words.ts'

/** A security mail: another person can have changed the means, or a bank renewed the card. */
export function paymentMethodChanged({
  name,
  method,
  former,
  at,
  portalUrl,
}: NotificationOf<'payment-method-changed'>): Template {
  const isRemoved = method === null
  return {
    subject: isRemoved ? 'Your payment method was removed' : 'Your payment method was changed',
    topic: 'Payment method',
    preheader: 'If you did not do this, check your account and write to our support.',
    blocks: [
      {
        type: 'paragraph',
        text: greeted(
          name,
          isRemoved
            ? 'the payment method of your account was removed. Your next payment fails without one.'
            : 'the payment method of your account was changed. Your next payments use the new one.',
        ),
      },
      {
        type: 'descriptions',
        descriptions: [
          ...(method === null ? [] : descriptionsOf('New', method)),
          ...(former === null ? [] : descriptionsOf('Before', former)),
          { term: 'Date', value: dateOf(at) },
        ],
      },
      {
        type: 'paragraph',
        text: 'If you did this, or your bank sent you a new card, you need not do anything. Otherwise check your payment method now and write to our support.',
      },
      { type: 'action', label: 'Check the payment method', url: portalUrl },
    ],
  }
}

function descriptionsOf(term: string, method: PaymentMethod): readonly Description[] {
  const expiry = cardExpiry(method)
  const name = paymentMethodText(method)
  return [{ term, value: expiry === null ? name : `${name}, expires ${expiry}` }]
}
