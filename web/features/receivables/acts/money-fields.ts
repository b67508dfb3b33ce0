import { moneyMethods } from '#contracts/receivables/invoice-requests'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'
import type { Day } from '../shared/days.ts'
import { typedAmount } from '../shared/amounts.ts'
import { text, type ActField, type Values } from './act-form.ts'

type Method = (typeof moneyMethods)[number]

/** A newer release may have a method that this page does not know. */
export function methodName(method: Method): string {
  switch (method) {
    case 'check':
      return 'Check'
    case 'cash':
      return 'Cash'
    case 'card':
      return 'Card'
    case 'bank-transfer':
      return 'Bank transfer'
    case 'other':
      return 'Other'
    default:
      return ofNewerRelease(method)
  }
}

interface Money {
  readonly minor: number
  readonly currency: string
  readonly date: Day
  readonly method: Method
  readonly note: string | null
}

/** The fields of money that came or went: amount, date, method and note. */
export const moneyFields = (
  { minor, currency, date, method, note }: Money,
  today: Day,
): readonly ActField[] => [
  {
    kind: 'amount',
    name: 'amount',
    label: 'Amount',
    currency,
    half: true,
    initial: minor === 0 ? '' : typedAmount(minor, currency),
  },
  { kind: 'day', name: 'date', label: 'Date', half: true, max: today, initial: date },
  {
    kind: 'choice',
    name: 'method',
    label: 'Method',
    initial: method,
    options: moneyMethods.map((value) => ({ value, label: methodName(value) })),
  },
  { kind: 'line', name: 'note', label: 'Note', optional: true, initial: note ?? '' },
]

/** The texts of these fields as a request has them. */
export const moneyBody = (values: Values, amount: number) => ({
  amount,
  date: text(values, 'date'),
  method: text(values, 'method'),
  note: text(values, 'note'),
})
