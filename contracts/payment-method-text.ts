import type { PaymentMethod } from './events/billing-parts.ts'

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

function nameOf(word: string): string {
  const spaced = word.replaceAll('_', ' ')
  return names[word] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
