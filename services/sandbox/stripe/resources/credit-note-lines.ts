import { z } from 'zod'
import { newId } from '../../store/ids.ts'
import type { CreditNote, CreditNoteLine, Invoice } from '../../store/stripe-objects.ts'
import { invalid, missingReference } from '../errors.ts'
import { taxesOfPart, totalsOf } from '../../billing/tax.ts'
import { sumOf } from '../../billing/discount.ts'
import { count, text } from '../params.ts'

export const lineParams = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('invoice_line_item'),
    invoice_line_item: text,
    amount: count.optional(),
    quantity: count.optional(),
  }),
  z.strictObject({
    type: z.literal('custom_line_item'),
    description: text,
    quantity: count,
    unit_amount: count,
  }),
])
type LineParams = z.infer<typeof lineParams>

/**
 * The lines of a credit note. An amount without lines becomes one line.
 * @throws StripeRefusal if the parameters contradict each other or the invoice
 */
export function creditLines(
  invoice: Invoice,
  earlier: readonly CreditNote[],
  {
    amount,
    lines,
  }: { readonly amount?: number | undefined; readonly lines?: LineParams[] | undefined },
): readonly CreditNoteLine[] {
  if (lines === undefined) {
    if (amount === undefined)
      throw invalid(
        'One of the following params should be provided for this request: amount, lines.',
      )
    return [creditLine({ amount, type: 'custom_line_item', quantity: 1, unit_amount: amount })]
  }
  const made: CreditNoteLine[] = []
  const credited = earlier.flatMap((note) => note.lines.data)
  for (const [index, line] of lines.entries())
    made.push(
      line.type === 'custom_line_item'
        ? creditLine({ ...line, amount: line.quantity * line.unit_amount })
        : invoiceLine(invoice, [...credited, ...made], line, `lines[${index}]`),
    )
  const sum = totalsOf(made).total
  if (amount !== undefined && amount !== sum)
    throw invalid(`The amount (${amount}) must equal the sum of the lines with tax (${sum}).`, {
      param: 'amount',
    })
  return made
}

function invoiceLine(
  invoice: Invoice,
  credited: readonly CreditNoteLine[],
  given: Extract<LineParams, { type: 'invoice_line_item' }>,
  param: string,
): CreditNoteLine {
  const line = invoice.lines.data.find(({ id }) => id === given.invoice_line_item)
  if (!line)
    throw missingReference('line_item', given.invoice_line_item, `${param}[invoice_line_item]`)
  const { amount, quantity } = given
  if ((amount === undefined) === (quantity === undefined))
    throw invalid('You must specify exactly one of amount, quantity for an invoice line item.', {
      param: `${param}[amount]`,
    })
  const wanted = amount ?? Math.round((line.amount / (line.quantity ?? 1)) * (quantity ?? 1))
  const left = credited
    .filter((earlier) => earlier.invoice_line_item === line.id)
    .reduce((rest, earlier) => rest - earlier.amount, line.amount)
  if (wanted > left)
    throw invalid(`The line ${line.id} has ${left} left to credit, which is less than ${wanted}.`, {
      param: `${param}[${amount === undefined ? 'quantity' : 'amount'}]`,
    })
  const discount_amounts = (line.discount_amounts ?? []).map((part) => ({
    ...part,
    amount: Math.round((part.amount * wanted) / line.amount),
  }))
  const discount = sumOf(discount_amounts)
  return creditLine({
    amount: wanted,
    discount_amount: discount,
    discount_amounts,
    type: 'invoice_line_item',
    description: line.description,
    invoice_line_item: line.id,
    quantity: quantity ?? null,
    taxes: taxesOfPart(line, wanted - discount),
    unit_amount: null,
  })
}

function creditLine(
  given: Pick<CreditNoteLine, 'amount' | 'type' | 'quantity' | 'unit_amount'> & {
    readonly description?: string | null
    readonly invoice_line_item?: string
    readonly taxes?: CreditNoteLine['taxes']
    readonly discount_amount?: number
    readonly discount_amounts?: CreditNoteLine['discount_amounts']
  },
): CreditNoteLine {
  return {
    id: newId('credit_note_line_item'),
    object: 'credit_note_line_item',
    discount_amount: 0,
    discount_amounts: [],
    livemode: false,
    metadata: {},
    pretax_credit_amounts: [],
    tax_rates: [],
    taxes: [],
    unit_amount_decimal: given.unit_amount === null ? null : String(given.unit_amount),
    ...given,
    description: given.description ?? null,
  } satisfies CreditNoteLine
}
