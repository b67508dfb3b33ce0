import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { money, typedAmount } from '../shared/amounts.ts'
import { fullDay } from '../shared/days.ts'
import { amountIn, orNull, text, type ActField, type ActForm, type Values } from './act-form.ts'

interface Details {
  readonly issueDate: string | null
  readonly dueDate: string
  readonly amount: number | null
  readonly reference: string | null
  readonly url: string | null
}

/** The details of an invoice that can change. `typed`: the currency that another field names. */
export const detailFields = (
  details: Details,
  currency: string,
  typed?: (values: Values) => string,
): readonly ActField[] => [
  {
    kind: 'amount',
    name: 'amount',
    label: 'Amount',
    currency: typed ?? currency,
    initial: details.amount === null ? '' : typedAmount(details.amount, currency),
  },
  {
    kind: 'day',
    name: 'issueDate',
    label: 'Issued',
    half: true,
    optional: true,
    initial: details.issueDate ?? '',
  },
  { kind: 'day', name: 'dueDate', label: 'Due', half: true, initial: details.dueDate },
  {
    kind: 'line',
    name: 'reference',
    label: 'Reference',
    optional: true,
    initial: details.reference ?? '',
  },
  {
    kind: 'line',
    type: 'url',
    name: 'url',
    label: 'Link to the invoice',
    optional: true,
    initial: details.url ?? '',
  },
]

export const detailsBody = (values: Values, currency: string) => ({
  amount: amountIn(values, 'amount', currency),
  issueDate: orNull(values, 'issueDate'),
  dueDate: text(values, 'dueDate'),
  reference: text(values, 'reference'),
  url: text(values, 'url'),
})

export function changeInvoice(invoice: InvoiceResponse): ActForm {
  const { number, currency, details, version } = invoice
  return {
    title: `Change ${number}`,
    fields: detailFields(details, currency),
    button: () => 'Save the change',
    says: (values) => changesIn(invoice, values),
    body: (values) => ({ type: 'change', ...detailsBody(values, currency), version }),
    done: `${number} is changed.`,
  }
}

/** Each difference with before and after. */
function changesIn({ currency, details }: InvoiceResponse, values: Values): string {
  const after = detailsBody(values, currency)
  const dayOf = (day: string | null) => (day === null || day === '' ? 'none' : fullDay(day))
  const lines = [
    ['Amount', money(details.amount, currency), money(after.amount, currency)],
    ['Issued', dayOf(details.issueDate), dayOf(after.issueDate)],
    ['Due', dayOf(details.dueDate), dayOf(after.dueDate)],
    ['Reference', details.reference ?? 'none', after.reference || 'none'],
    ['Link', details.url ?? 'none', after.url || 'none'],
  ]
    .filter(([, from, to]) => from !== to)
    .map(([name, from, to]) => `${name}: ${from} becomes ${to}.`)
  return lines.length === 0 ? 'Nothing changes yet.' : lines.join('\n')
}
