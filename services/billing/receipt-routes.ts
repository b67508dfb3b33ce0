import { z } from 'zod'
import { receipt, type Receipt } from '#contracts/receipts'
import type { Caller } from '#services/http/access'
import { file } from '#services/http/answer'
import { HttpError } from '#services/http/http-error'
import { administratorKeys, type Limits } from '#services/http/limits'
import type { ReadContext } from '#services/http/read-your-writes'
import type { Routes } from '#services/http/routes'
import { makeCounted } from '#services/http/make-counted'
import type { ReceiptFiles } from './receipts/receipt-files.ts'

/** The query of the purchases read model that the routes of receipts use. */
export interface ReceiptQueries {
  /** Waits for the session's own writes. Answers 503 while the read model does not exist yet. */
  ready(context: ReadContext): Promise<void>
  receipt(id: string): Promise<{ readonly userId: string; readonly receipt: Receipt } | null>
}

export interface ReceiptParts {
  readonly receipts: ReceiptQueries
  readonly limits: Pick<Limits, 'receiptPdf'>
  readonly files: Pick<ReceiptFiles, 'render'>
}

const unmade = {
  what: 'receipts',
  instead:
    'The file of this receipt could not be made. Its page shows the same, and you can print it.',
}

const byReceiptId = z.object({ receiptId: z.string().min(1).max(255) })

/** The receipts of payments and refunds, for their customer and for administrators. */
export function receiptRoutes({ receipts, limits, files }: ReceiptParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/receipts/:receiptId',
      summary: 'Read a receipt',
      access: 'customer-or-admin',
      right: 'read',
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
      work: 'downloads',
      summary: 'Download a receipt',
      access: 'customer-or-admin',
      right: 'read',
      params: byReceiptId,
      answer: file('application/pdf', 'The receipt as a PDF file'),
      alsoAnswers: [404, 429],
      async handle({ params }, context) {
        const { userId, adminId, network } = context
        const counted = userId === null ? administratorKeys({ adminId, network }) : [userId]
        await limits.receiptPdf.spend(...counted)
        await receipts.ready(context)
        const found = await readableReceipt(receipts, params.receiptId, context)
        const content = await makeCounted({ limit: limits.receiptPdf, keys: counted }, unmade, () =>
          files.render(found, context.signal),
        )
        return { content, fileName: found.file_name }
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
