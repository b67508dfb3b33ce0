import express, { type Request, type Router } from 'express'
import { findUnstorable } from '#contracts/storable-text'
import { admit } from '#services/http/access'
import { badRequest } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Sessions } from '#services/http/sessions'
import { byReceiptId, readableReceipt, type ReceiptQueries } from './receipt-routes.ts'
import { renderReceipt } from './receipts/render-receipt.ts'

/** `GET /api/receipts/{id}/pdf`: the receipt as a file. The access rules are those of the JSON. */
export function receiptPdfRoute(parts: {
  readonly receipts: ReceiptQueries
  readonly sessions: Sessions
  readonly limits: Pick<Limits, 'receiptPdf'>
}): Router {
  const { receipts, sessions, limits } = parts
  const router = express.Router()
  router.get('/api/receipts/:receiptId/pdf', async (request: Request, response) => {
    const of = { customer: sessions.customerOf(request), admin: sessions.adminOf(request) }
    const caller = admit('customer-or-admin', of)
    const params = byReceiptId.safeParse(request.params)
    if (!params.success || findUnstorable(params.data) !== null)
      throw badRequest('receiptId', 'is not the id of a receipt.')
    await limits.receiptPdf.spend(caller.userId ?? caller.adminId)
    await receipts.ready({ ...of, setHeader: (name, value) => response.set(name, value) })
    const receipt = await readableReceipt(receipts, params.data.receiptId, caller)
    const pdf = await renderReceipt(receipt)
    response
      .type('application/pdf')
      .set('Content-Disposition', `attachment; filename="${receipt.file_name}"`)
      .send(pdf)
  })
  return router
}
