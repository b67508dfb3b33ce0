import { availableParallelism } from 'node:os'
import type { Receipt } from '#contracts/receipts'
import type { ReceiptFiles } from '#services/billing/receipts/receipt-files'
import { createThreads, threadModule, type ThreadLimits } from '#services/foundation/threads'
import type {
  PaymentReceipt,
  PaymentReceiptFiles,
} from '#services/receivables/statement/payment-receipt'
import type { StatementFile, StatementFiles } from '#services/receivables/statement/statement-files'

/**
 * A receipt takes about 30 ms of a processor, and the first file of a thread 0.5 s. One core stays
 * free for the requests. A thread with all fonts has about 100 MB.
 */
const limits: ThreadLimits = {
  threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
  waiting: 50,
  memoryMb: 256,
  longestWorkMs: 30_000,
}

/** What a thread draws. */
export type PdfTask =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  | { readonly kind: 'statement'; readonly statement: StatementFile }
  | { readonly kind: 'payment-receipt'; readonly receipt: PaymentReceipt }

/** The PDF files of the product, which threads make. One for the whole process. */
export interface PdfFiles {
  readonly receipts: ReceiptFiles
  readonly statements: StatementFiles
  readonly paymentReceipts: PaymentReceiptFiles
  close(): Promise<void>
}

export function createPdfFiles(): PdfFiles {
  const threads = createThreads<PdfTask, Uint8Array>(
    threadModule('render-pdf', import.meta.url),
    'renderPdf',
    limits,
  )
  async function render(task: PdfTask, signal?: AbortSignal): Promise<Buffer> {
    const { buffer, byteOffset, byteLength } = await threads.run(task, signal)
    return Buffer.from(buffer, byteOffset, byteLength)
  }
  return {
    receipts: { render: (receipt, signal) => render({ kind: 'receipt', receipt }, signal) },
    statements: { render: (statement, signal) => render({ kind: 'statement', statement }, signal) },
    paymentReceipts: {
      render: (receipt, signal) => render({ kind: 'payment-receipt', receipt }, signal),
    },
    close: () => threads.close(),
  }
}
