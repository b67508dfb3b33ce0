import type { PaymentMethod, WayOfPayment } from './events/billing-parts.ts'

const names: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  us_bank_account: 'Bank account',
  sepa_debit: 'SEPA debit',
}

/** For example 'Visa ending 4242'. 'Card' if the method is unknown. */
export function paymentMethodText(method: PaymentMethod | null): string {
  if (!method) return 'Card'
  const name = nameOf(method.brand && method.brand !== 'unknown' ? method.brand : method.type)
  return method.last4 ? `${name} ending ${method.last4}` : name
}

/**
 * How an invoice was paid: 'Visa ending 4242', 'Visa ending 4242 and credit balance'. The
 * specification's default 'Card' stands for an unknown means by which the provider collected money.
 */
export function paidByText(ways: readonly WayOfPayment[]): string {
  const [first, ...others] = ways.map(wayText)
  if (first === undefined) return 'None, nothing was due'
  return [first, ...others.map((text) => text.charAt(0).toLowerCase() + text.slice(1))].join(
    ' and ',
  )
}

function wayText(way: WayOfPayment): string {
  switch (way.kind) {
    case 'method':
      return paymentMethodText(way.method)
    case 'outside':
      return outsideText
    case 'credit':
      return creditBalanceText
  }
}

/** Money between the customer and the seller that did not pass through the payment provider. */
const outsideText = 'Payment directly to us'
export const paidBackText = 'Paid back directly by us'
export const creditBalanceText = 'Credit balance'

function nameOf(word: string): string {
  const spaced = word.replaceAll('_', ' ')
  return names[word] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
