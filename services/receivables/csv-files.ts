import { currencyExponent, toMajorUnits } from '#contracts/currency'
import type { ClientsPage } from '#contracts/receivables/clients'
import type { PaymentFee } from '#contracts/receivables/fees'
import type { ListedInvoice } from '#contracts/receivables/invoices'
import type { StatementResponse } from '#contracts/receivables/statement'
import type { Cell } from '#services/tables/cell'
import { byteOrderMark, csvHeader, csvRows } from '#services/tables/csv'

/* The exports of a merchant as CSV. Amounts are decimal, in the currency of the row. */

type Row = readonly Cell[]

const text = (value: string | null): Cell => (value === null ? null : { kind: 'text', text: value })
const day = (value: string | null): Cell => (value === null ? null : { kind: 'day', day: value })
const number = (value: number): Cell => ({ kind: 'number', value, decimals: 0 })
const money = (minor: number, currency: string): Cell => ({
  kind: 'number',
  value: toMajorUnits(minor, currency),
  decimals: currencyExponent(currency),
})

/** The parts of a file: its header, then one part per batch of rows. */
export async function* csvFile<Item>(
  headers: readonly string[],
  batches: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
  rowsOf: (item: Item) => readonly Row[],
): AsyncGenerator<string, void, undefined> {
  yield byteOrderMark + csvHeader(headers)
  for await (const items of batches) yield csvRows(items.flatMap((item) => [...rowsOf(item)]))
}

export const invoiceHeaders = [
  'Invoice',
  'Client',
  'Reference',
  'Issue date',
  'Due date',
  'Days overdue',
  'Status',
  'Currency',
  'Amount',
  'Open',
  'Promised by',
] as const

export function invoiceRows(invoice: ListedInvoice): readonly Row[] {
  return [
    [
      text(invoice.number),
      text(invoice.clientName),
      text(invoice.reference),
      day(invoice.issueDate),
      day(invoice.dueDate),
      number(Math.max(0, invoice.daysOverdue)),
      text(invoice.status),
      text(invoice.currency.toUpperCase()),
      money(invoice.amount, invoice.currency),
      money(invoice.open, invoice.currency),
      day(invoice.promisedBy),
    ],
  ]
}

export const clientHeaders = [
  'Client',
  'Number',
  'E-mail',
  'Phone',
  'Open invoices',
  'Oldest due date',
  'Currency',
  'Open',
  'Overdue',
  'Credit',
] as const

/** One row per currency of the client, and one for a client without a balance. */
export function clientRows(client: ClientsPage['items'][number]): readonly Row[] {
  const begin = [
    text(client.name),
    text(client.number),
    text(client.email),
    text(client.phone),
    number(client.openInvoices),
    day(client.oldestDue),
  ]
  if (client.balances.length === 0) return [[...begin, null, null, null, null]]
  return client.balances.map(({ currency, open, overdue, credit }) => [
    ...begin,
    text(currency.toUpperCase()),
    money(open, currency),
    money(overdue, currency),
    money(credit, currency),
  ])
}

export const feeHeaders = [
  'Date',
  'Client',
  'Invoices',
  'Paid by',
  'Currency',
  'Paid',
  'Went back',
  'Fee',
  'Fee returned',
  'Net fee',
  'Payment',
] as const

export function feeRows(payment: PaymentFee): readonly Row[] {
  const { currency } = payment
  return [
    [
      day(payment.day),
      text(payment.clientName),
      number(payment.invoices),
      text(payment.means),
      text(currency.toUpperCase()),
      money(payment.amount, currency),
      money(payment.back, currency),
      money(payment.fee, currency),
      money(payment.feeReturned, currency),
      money(payment.netFee, currency),
      text(payment.checkoutId),
    ],
  ]
}

export const statementHeaders = [
  'Currency',
  'Date',
  'Invoice',
  'Text',
  'Change',
  'Balance',
] as const

export function statementRows(
  part: StatementResponse['parts'][number],
  { from, asOf }: Pick<StatementResponse, 'from' | 'asOf'>,
): readonly Row[] {
  const { currency, opening, lines, closing } = part
  const code = text(currency.toUpperCase())
  return [
    [code, day(from), null, text('Opening balance'), null, money(opening, currency)],
    ...lines.map((line) => [
      code,
      day(line.day),
      text(line.number),
      text(line.text),
      money(line.change, currency),
      money(line.balance, currency),
    ]),
    [code, day(asOf), null, text('Closing balance'), null, money(closing, currency)],
  ]
}
