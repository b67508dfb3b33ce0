import { margin, nextPageIfFull } from '#services/pdf/pdf-document'
import { drawTable, drawTitle, renderBranded, right, type Column } from './branded-pdf.ts'
import { paymentReceiptText, type PaymentReceipt } from './payment-receipt.ts'

const columns: readonly Column[] = [
  { head: 'Invoice', x: margin, width: 180 },
  { head: 'Reference', x: margin + 200, width: 180 },
  { head: 'Paid', x: right, width: 110, align: 'right' },
]

/** The PDF of a payment's receipt, dated by the day of the payment. */
export function renderPaymentReceipt(receipt: PaymentReceipt): Promise<Buffer> {
  const text = paymentReceiptText(receipt)
  const file = {
    merchant: receipt.merchant,
    head: text,
    at: receipt.day,
    written: text.items.flatMap(({ cells }) => cells),
    page: 'The page of the payment',
  }
  return renderBranded(file, ({ doc, write, y }) => {
    let at = drawTitle(doc, write, 'Paid invoices', y)
    at = nextPageIfFull(doc, drawTable(doc, write, columns, text.items, at), 24, (top) => top)
    write.line('Sum', { x: margin, y: at }, { size: 10, weight: 'strong' })
    write.line(text.sum, { x: right, y: at, align: 'right' }, { size: 10, weight: 'strong' })
  })
}
