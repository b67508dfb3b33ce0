import express, { type Response, type Router } from 'express'
import { isReceivableId } from '#contracts/ids'
import { parseDay } from '#services/finance/calendar'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import { makeCounted } from '#services/http/make-counted'
import { unmadePaymentReceipt, type PaymentReceiptFiles } from '../statement/payment-receipt.ts'
import { paymentReceiptOf, type PaymentReceiptSources } from '../statement/payment-receipt-of.ts'
import { unmadeStatement, type StatementFiles } from '../statement/statement-files.ts'
import { statementFileOf, type StatementSources } from '../statement/statement-file-of.ts'
import type { PortalAnswers } from './portal-answers.ts'

export interface StatementFileParts {
  readonly sources: StatementSources
  readonly files: StatementFiles
  readonly receiptFiles: PaymentReceiptFiles
  readonly receivables: PaymentReceiptSources['receivables']
  readonly limits: Pick<Limits, 'statementPdf' | 'paymentReceiptPdf'>
}

/**
 * The statement of a client as PDF, of today or of a past day (`?asOf=2026-11-25`), and the receipt
 * of one payment (`?invoice=…&payment=…`).
 */
export function statementFileRoutes(
  { sources, files, receiptFiles, receivables, limits }: StatementFileParts,
  answers: PortalAnswers,
): Router {
  const router = express.Router()
  router.get(
    '/pay/:token/statement.pdf',
    answers.visiting(async (visit, request, response) => {
      const { merchantId, merchant, clientId, client } = visit
      const { today } = await receivables.calendarOf(merchantId)
      const given = request.query['asOf']
      const asOf = given === undefined ? today : typeof given === 'string' ? parseDay(given) : null
      if (asOf === null || asOf > today || asOf < '2000')
        throw new HttpError(400, 'Enter a day that has passed, such as 2026-11-25.')
      // A link scanner asks for the head only: no file is made for it.
      if (request.method === 'HEAD') {
        response.type('application/pdf').end()
        return
      }
      await limits.statementPdf.spend(clientId)
      const counted = { limit: limits.statementPdf, keys: [clientId] }
      const content = await makeCounted(counted, unmadeStatement, async () => {
        const of = { merchantId, merchant, clientId, client, asOf }
        return files.render(await statementFileOf(sources, of), untilLeft(response))
      })
      response.attachment(`statement-${asOf}.pdf`).type('application/pdf').send(content)
    }),
  )
  router.get(
    '/pay/:token/receipt.pdf',
    answers.visiting(async (visit, request, response) => {
      const { merchantId, merchant, clientId, client } = visit
      const { invoice, payment } = request.query
      if (typeof invoice !== 'string' || typeof payment !== 'string' || !isReceivableId(invoice))
        throw noSuchPayment()
      if (request.method === 'HEAD') {
        response.type('application/pdf').end()
        return
      }
      await limits.paymentReceiptPdf.spend(clientId)
      const receipt = await paymentReceiptOf(
        { ...sources, receivables },
        { merchantId, merchant, client, receivableId: invoice, paymentId: payment },
      )
      if (receipt === null) throw noSuchPayment()
      const counted = { limit: limits.paymentReceiptPdf, keys: [clientId] }
      const content = await makeCounted(counted, unmadePaymentReceipt, () =>
        receiptFiles.render(receipt, untilLeft(response)),
      )
      response.attachment(`receipt-${receipt.day}.pdf`).type('application/pdf').send(content)
    }),
  )
  return router
}

/** Aborts when the client has left. */
function untilLeft(response: Response): AbortSignal {
  const left = new AbortController()
  response.once('close', () => left.abort())
  return left.signal
}

function noSuchPayment(): HttpError {
  return new HttpError(
    404,
    'This payment has no receipt. Open the page again, and choose the receipt from there.',
  )
}
