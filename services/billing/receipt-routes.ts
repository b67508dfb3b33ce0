import { z } from 'zod'
import { receipt, type Receipt } from '#contracts/receipts'
import type { Caller } from '#services/http/access'
import { file } from '#services/http/answer'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { ReadContext } from '#services/http/read-your-writes'
import type { Routes } from '#services/http/routes'

/** The query of the purchases read model that the routes of receipts use. */
export interface ReceiptQueries {
  /** Waits for the session's own writes. Answers 503 while the read model does not exist yet. */
  ready(context: ReadContext): Promise<void>
  receipt(id: string): Promise<{ readonly userId: string; readonly receipt: Receipt } | null>
}

export interface ReceiptParts {
  readonly receipts: ReceiptQueries
  readonly limits: Pick<Limits, 'receiptPdf'>
}

const byReceiptId = z.object({ receiptId: z.string().min(1).max(255) })

/** The receipts of payments and refunds, for their customer and for administrators. */
export function receiptRoutes({ receipts, limits }: ReceiptParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/receipts/:receiptId',
      summary: 'Read a receipt',
      access: 'customer-or-admin',
      params: byReceiptId,
      answer: receipt,
      alsoAnswers: [404],
      async handle({ params }, context) {
        await receipts.ready(context)
        return readableReceipt(receipts, params.receiptId, context)
      },
    })

    route({
      method: 'get',
      path: '/api/receipts/:receiptId/pdf',
      summary: 'Download a receipt',
      access: 'customer-or-admin',
      params: byReceiptId,
      answer: file('application/pdf', 'The receipt as a PDF file'),
      alsoAnswers: [404, 429],
      async handle({ params }, context) {
        await limits.receiptPdf.spend(context.userId ?? context.adminId)
        await receipts.ready(context)
        const found = await readableReceipt(receipts, params.receiptId, context)
        // The first receipt loads pdfkit, so that a start does not.
        const { renderReceipt } = await import('./receipts/render-receipt.ts')
        return { content: await renderReceipt(found), fileName: found.file_name }
      },
    })
  }
}

/**
 * @throws HttpError 404 without the receipt, also if it belongs to another customer: the answer
 *   does not say which ids exist
 */
async function readableReceipt(
  receipts: ReceiptQueries,
  id: string,
  { userId, adminId }: Caller<'customer-or-admin'>,
): Promise<Receipt> {
  const found = await receipts.receipt(id)
  if (found === null || (adminId === null && found.userId !== userId))
    throw new HttpError(404, 'There is no such receipt. Open it from your purchases.')
  return found.receipt
}
