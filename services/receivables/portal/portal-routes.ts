import express, { type Request, type Router } from 'express'
import type { Logger } from 'pino'
import { createElement } from 'react'
import type { Limits } from '#services/http/limits'
import type { Receivables } from '../receivables-service.ts'
import { actRoutes, type ActParts } from './act-routes.ts'
import { createPortalAnswers } from './portal-answers.ts'
import { brandStyles } from './portal-brand.ts'
import type { PortalDocument } from './portal-document.ts'
import { portalContext } from './portal-forms.ts'
import { PortalPage } from './portal-page.tsx'
import { saidSentence } from './portal-said.ts'
import type { createPortal } from './portal.ts'
import { checkoutIn } from './return-cookie.ts'
import { pickOf } from './pay-panel.tsx'
import { payRoutes, type PayRoutesParts } from './pay-routes.ts'
import { reachRoutes, type ReachParts } from './reach-routes.ts'
import { statementFileRoutes, type StatementFileParts } from './statement-file-routes.ts'
import { unsubscribeRoutes, type UnsubscribeParts } from './unsubscribe-routes.ts'

export interface PortalRoutesParts
  extends
    ActParts,
    ReachParts,
    StatementFileParts,
    UnsubscribeParts,
    Omit<PayRoutesParts, 'limits' | 'portal'> {
  readonly portal: ReturnType<typeof createPortal>
  readonly documents: (document: PortalDocument) => string
  readonly receivables: Pick<Receivables, 'actOnClient'> &
    ActParts['receivables'] &
    StatementFileParts['receivables'] &
    UnsubscribeParts['receivables']
  readonly stops: ReachParts['stops'] & UnsubscribeParts['stops']
  readonly limits: Pick<
    Limits,
    'portal' | 'portalChange' | 'portalPay' | 'statementPdf' | 'paymentReceiptPdf'
  >
  /** The client's network, as the limits count it. */
  readonly networkOf: (request: Request) => string
  readonly publicUrl: string
  readonly log: Pick<Logger, 'error'>
}

/**
 * The client portal: pages without a session and without JavaScript. The token of the address is
 * the only authority, and no cookie is read.
 */
export function portalRoutes(parts: PortalRoutesParts): Router {
  const { portal, receivables, limits, newId } = parts
  const answers = createPortalAnswers(parts)
  const router = express.Router()

  router.get('/pay-brand/:color.css', (request, response, next) => {
    const styles = brandStyles(request.params.color)
    if (styles === null) return next('router')
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(styles)
  })

  router.use('/pay/', (_request, response, next) => {
    response
      .set('Cache-Control', 'no-store')
      .set('Referrer-Policy', 'no-referrer')
      .set('X-Robots-Tag', 'noindex, nofollow')
    next()
  })
  router.use('/pay/:token', async (request, _response, next) => {
    await limits.portal.spend(parts.networkOf(request))
    next()
  })

  router.get(
    '/pay/:token',
    answers.visiting(async (visit, request, response) => {
      const returned = request.query['checkout']
      const view = await portal.viewOf(
        visit,
        typeof returned === 'string' ? checkoutIn(returned) : null,
      )
      answers.send(response, 200, {
        title: `${view.merchant.name}: what is open`,
        color: view.brand.color,
        body: createElement(PortalPage, {
          view,
          said: saidSentence(request.query['said'], view),
          picked: pickOf(request.query['pick']),
          disputed: textOf(request.query['dispute']),
        }),
      })
    }),
  )

  router.post(
    '/pay/:token/opened',
    answers.refuseOtherSites,
    answers.visiting(async (visit, _request, response) => {
      await receivables.actOnClient(
        visit.merchantId,
        visit.clientId,
        { type: 'open-portal' },
        portalContext('opened', newId()),
      )
      response.status(204).end()
    }),
  )

  router.use(payRoutes(parts, answers))
  router.use(actRoutes(parts, answers))
  router.use(reachRoutes(parts, answers))
  router.use(statementFileRoutes(parts, answers))
  router.use(unsubscribeRoutes(parts, answers))

  router.use('/pay/', async (request, response, next) => {
    if (request.path === '/') return next('router')
    await answers.sendNowhere(response, performance.now())
  })
  router.use('/pay/', answers.answerErrors)
  return router
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
