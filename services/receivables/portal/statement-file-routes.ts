import express, { type Router } from 'express'
import { parseDay } from '#services/finance/calendar'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import { unmadeFile } from '#services/http/unmade-file'
import type { Receivables } from '../receivables-service.ts'
import { unmadeStatement, type StatementFiles } from '../statement/statement-files.ts'
import { statementFileOf, type StatementSources } from '../statement/statement-file-of.ts'
import type { PortalAnswers } from './portal-answers.ts'

export interface StatementFileParts {
  readonly sources: StatementSources
  readonly files: StatementFiles
  readonly receivables: Pick<Receivables, 'calendarOf'>
  readonly limits: Pick<Limits, 'statementPdf'>
}

/** The statement of a client as PDF, of today or of a past day: `?asOf=2026-11-25`. */
export function statementFileRoutes(
  { sources, files, receivables, limits }: StatementFileParts,
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
      const left = new AbortController()
      response.once('close', () => left.abort())
      try {
        const statement = await statementFileOf(sources, {
          merchantId,
          merchant,
          clientId,
          client,
          asOf,
        })
        const content = await files.render(statement, left.signal)
        response.attachment(`statement-${asOf}.pdf`).type('application/pdf').send(content)
      } catch (error) {
        await limits.statementPdf.refund(clientId)
        throw unmadeFile(error, unmadeStatement)
      }
    }),
  )
  return router
}
