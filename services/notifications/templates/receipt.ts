import { formatMoney } from '#contracts/format-money'
import { receiptText, type ReceiptText } from '#contracts/receipt-text'
import { day } from '#services/mail/dates'
import type { Fact } from '#services/mail/mail-content'
import type { NotificationOf } from '../notification.ts'
import { receiptUrl, type RenderContext, type Template } from './template.ts'
import { greeted } from './words.ts'

/** The same facts and sums as on the page and in the PDF of the receipt. */
export function receipt(
  { name, receipt: paid, endsAt }: NotificationOf<'receipt'>,
  context: RenderContext,
): Template {
  const { facts, lines, sums } = receiptText(paid)
  const amount = formatMoney(paid.amounts?.paid ?? 0, paid.currency)
  const { period, billed_to: billedTo } = paid
  // A plan that ends after the paid period is charged again.
  const isLast = period !== null && endsAt !== null && endsAt <= period.end
  const runsUntil =
    period === null
      ? ''
      : ` Your plan ${isLast ? 'ends on' : 'runs until'} ${day(isLast ? endsAt : period.end)}.`
  return {
    subject: `Receipt for ${amount}`,
    topic: 'Receipt',
    preheader: `Your payment of ${amount} went through. The receipt is attached as a PDF file.`,
    blocks: [
      { type: 'figure', label: `Paid on ${day(paid.issued_at)}`, value: amount },
      {
        type: 'paragraph',
        text: greeted(name, `Your payment went through.${runsUntil}`),
      },
      ...(period === null
        ? []
        : [
            {
              type: 'line' as const,
              start: { mark: 'paid' as const, label: 'Paid', date: day(paid.issued_at) },
              end: isLast
                ? { mark: 'hollow' as const, label: 'Your plan ends on', date: day(endsAt) }
                : { mark: 'hollow' as const, label: 'Next billing', date: day(period.end) },
            },
          ]),
      {
        type: 'facts',
        facts: [
          ...facts.filter(({ term }) => term !== 'Date paid'),
          ...(billedTo.name === null ? [] : [{ term: 'Billed to', value: billedTo.name }]),
        ],
      },
      {
        type: 'facts',
        facts: [
          ...lines.map((line) => ({
            term:
              line.quantity === '' || line.quantity === '1'
                ? line.description
                : `${line.description} × ${line.quantity}`,
            value: line.amount,
          })),
          ...sumsWorthReading(sums),
        ],
      },
      { type: 'paragraph', text: 'The receipt is attached as a PDF file.' },
      { type: 'action', label: 'See the receipt', url: receiptUrl(paid.receipt_id, context) },
    ],
  }
}

/** Without the sums that repeat the amount paid: most invoices have one line and no discount. */
function sumsWorthReading(sums: ReceiptText['sums']): readonly Fact[] {
  const paid = sums.at(-1)
  return sums
    .filter((sum) => sum === paid || sum.value !== paid?.value)
    .map((sum) => ({ ...sum, isSum: sum === paid }))
}
