import { renderReceipt } from '#services/billing/receipts/render-receipt'
import { unreachable } from '#services/foundation/decider'
import { renderPaymentReceipt } from '#services/receivables/statement/render-payment-receipt'
import { renderStatement } from '#services/receivables/statement/render-statement'
import type { PdfTask } from './pdf-files.ts'

/** Runs in the threads of `pdf-files.ts`. */
export function renderPdf(task: PdfTask): Promise<Buffer> {
  switch (task.kind) {
    case 'receipt':
      return renderReceipt(task.receipt)
    case 'statement':
      return renderStatement(task.statement)
    case 'payment-receipt':
      return renderPaymentReceipt(task.receipt)
    default:
      return unreachable(task)
  }
}
