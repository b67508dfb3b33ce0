import { z } from 'zod'
import { receipt, type Receipt } from '#contracts/receipts'
import type { Caller } from '#services/http/access'
import { HttpError } from '#services/http/http-error'
import type { ReadContext } from '#services/http/read-your-writes'
import type { Routes } from '#services/http/routes'

/** The query of the purchases read model that the routes of receipts use. */
export interface ReceiptQueries {
  /** Waits for the session's own writes. Answers 503 while the read model does not exist yet. */
  ready(context: ReadContext): Promise<void>
  receipt(id: string): Promise<{ readonly userId: string; readonly receipt: Receipt } | null>
}

export const byReceiptId = z.object({ receiptId: z.string().min(1).max(255) })

/** The receipts of payments and refunds, for their customer and for administrators. */
export function receiptRoutes({ receipts }: { readonly receipts: ReceiptQueries }): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/receipts/:receiptId',
      summary: 'Read a receipt',
      access: 'customer-or-admin',
      params: byReceiptId,
      answer: receipt,
      async handle({ params }, context) {
        await receipts.ready(context)
        return readableReceipt(receipts, params.receiptId, context)
      },
    })
  }
}

/**
 * @throws HttpError 404 without the receipt, also if it belongs to another customer: the answer
 *   does not say which ids exist
 */
export async function readableReceipt(
  receipts: ReceiptQueries,
  id: string,
  { userId, adminId }: Caller<'customer-or-admin'>,
): Promise<Receipt> {
  const found = await receipts.receipt(id)
  if (found === null || (adminId === null && found.userId !== userId))
    throw new HttpError(404, 'There is no such receipt. Open it from your purchases.')
  return found.receipt
}
