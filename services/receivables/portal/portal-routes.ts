import { setTimeout as pauseFor } from 'node:timers/promises'
import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import type { Logger } from 'pino'
import { createElement, type ReactElement } from 'react'
import type { CommandContext } from '#services/commands/command-context'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Receivables } from '../receivables-service.ts'
import type { ContactStops, PortalAddress } from '../stops/contact-stops.ts'
import { brandStyles, defaultBrandColor } from './portal-brand.ts'
import type { PortalDocument } from './portal-document.ts'
import {
  Notice,
  RevokedUnsubscribePage,
  UnsubscribedPage,
  UnsubscribePage,
} from './portal-notices.tsx'
import { PortalPage } from './portal-page.tsx'
import type { createPortal, Visit } from './portal.ts'
import { isOfOtherSite } from './same-site.ts'
import { mailboxOfLink } from './unsubscribe-link.ts'

export interface PortalRoutesParts {
  readonly portal: ReturnType<typeof createPortal>
  readonly documents: (document: PortalDocument) => string
  readonly receivables: Pick<Receivables, 'actOnClient' | 'clientOf'>
  readonly stops: Pick<ContactStops, 'idOfAddress' | 'stopAddress' | 'resumeAddress'>
  readonly limits: Pick<Limits, 'portal' | 'portalChange'>
  /** The client's network, as the limits count it. */
  readonly networkOf: (request: Request) => string
  readonly publicUrl: string
  readonly newId: () => string
  readonly log: Pick<Logger, 'error'>
}

type TokenRequest = Request<{ token: string }>
type VisitHandler = (visit: Visit, request: TokenRequest, response: Response) => Promise<unknown>

/**
 * An answer that a link leads nowhere is never sent earlier than this, in milliseconds: neither its
 * text nor its time says whether the link was ever valid.
 */
const leastMsOfNotice = 200

/**
 * The client portal: pages without a session and without JavaScript. The token of the address is
 * the only authority, and no cookie is read.
 */
export function portalRoutes(parts: PortalRoutesParts): Router {
  const { portal, documents, receivables, stops, limits, log } = parts
  const router = express.Router()
  const readForm = express.urlencoded({ extended: false, limit: '4kb', parameterLimit: 10 })

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
    withVisit(async (visit, _request, response) => {
      const view = await portal.viewOf(visit)
      send(response, 200, {
        title: `${view.merchant.name}: what is open`,
        color: view.brand.color,
        body: createElement(PortalPage, { view }),
      })
    }),
  )

  router.post(
    '/pay/:token/opened',
    refuseOtherSites,
    withVisit(async (visit, _request, response) => {
      await receivables.actOnClient(
        visit.merchantId,
        visit.clientId,
        { type: 'open-portal' },
        contextOf('opened'),
      )
      response.status(204).end()
    }),
  )

  router.post(
    '/pay/:token/reach',
    refuseOtherSites,
    readForm,
    withVisit(async (visit, request, response) => {
      const { channel, want } = formOf(request)
      const { email, phone } = visit.client.details
      const address = channel === 'mail' ? email : phone
      if ((channel !== 'mail' && channel !== 'text') || address === null)
        throw new HttpError(400, 'This page has changed. Open the link again.')
      await limits.portalChange.spend(visit.clientId)
      const reached: PortalAddress = { channel, address }
      if (want === 'stop')
        await stops.stopAddress(visit.merchantId, reached, 'portal', contextOf('stop'))
      else if (want === 'resume')
        await stops.resumeAddress(visit.merchantId, reached, contextOf('resume'))
      else throw new HttpError(400, 'This page has changed. Open the link again.')
      response.redirect(303, `/pay/${visit.token}`)
    }),
  )

  router.get(
    '/pay/:token/unsubscribe',
    withLastingVisit(async (visit, request, response) => {
      const address = await mailboxOf(visit, request)
      if (visit.isRevoked)
        return send(response, 200, {
          title: 'Stop the e-mails?',
          color: defaultBrandColor,
          body: createElement(RevokedUnsubscribePage, { action: request.originalUrl }),
        })
      if (address === null) return response.redirect(303, `/pay/${visit.token}`)
      const merchant = portal.merchantIn(visit)
      send(response, 200, {
        title: `${merchant.name}: stop the e-mails`,
        color: visit.color,
        body: createElement(UnsubscribePage, { merchant, address, action: request.originalUrl }),
      })
    }),
  )

  // RFC 8058: a mail program posts here, of another site and without cookies, and follows no
  // redirect.
  router.post(
    '/pay/:token/unsubscribe',
    readForm,
    express.raw({ type: 'multipart/form-data', limit: '4kb' }),
    withLastingVisit(async (visit, request, response) => {
      const address = await mailboxOf(visit, request)
      const merchant = portal.merchantIn(visit)
      if (!isOneClick(request))
        throw new HttpError(400, 'The form has no field List-Unsubscribe=One-Click.')
      if (address !== null) {
        await limits.portalChange.spend(visit.clientId)
        await stops.stopAddress(
          visit.merchantId,
          { channel: 'mail', address },
          'one-click',
          contextOf('one-click'),
        )
      }
      if (visit.isRevoked)
        return send(response, 200, {
          title: 'The e-mails are stopped',
          color: defaultBrandColor,
          body: notice(
            'The e-mails are stopped',
            'The sender of the e-mail sends no reminder to the address that got it any more.',
          ),
        })
      send(response, 200, {
        title: `${merchant.name}: the e-mails are stopped`,
        color: visit.color,
        body: createElement(UnsubscribedPage, {
          merchant,
          address: address ?? '',
          home: `/pay/${visit.token}`,
        }),
      })
    }),
  )

  router.use('/pay/', async (request, response, next) => {
    if (request.path === '/') return next('router')
    await sendNowhere(response, performance.now())
  })
  router.use('/pay/', answerErrors)
  return router

  function withVisit(handle: VisitHandler): RequestHandler<{ token: string }> {
    return visiting(handle, (token) => portal.visitOf(token))
  }

  /**
   * Also for a revoked link that names a mailbox of its client: a mail can be stopped for as long
   * as a person has it.
   */
  function withLastingVisit(handle: VisitHandler): RequestHandler<{ token: string }> {
    return visiting(handle, async (token, request) => {
      const visit = await portal.visitOf(token, { orRevoked: true })
      const isNamed = visit?.isRevoked === true && (await mailboxOf(visit, request)) !== null
      return visit?.isRevoked === true && !isNamed ? null : visit
    })
  }

  function visiting(
    handle: VisitHandler,
    visitOf: (token: string, request: TokenRequest) => Promise<Visit | null>,
  ): RequestHandler<{ token: string }> {
    return async (request, response) => {
      const began = performance.now()
      const visit = await visitOf(request.params.token, request)
      if (visit === null) return sendNowhere(response, began)
      if (visit.merchant.isBlocked)
        return send(response, 403, {
          title: 'This page is closed',
          color: defaultBrandColor,
          body: notice('This page is closed', 'Please contact the sender of the link.'),
        })
      await handle(visit, request, response)
    }
  }

  async function sendNowhere(response: Response, began: number): Promise<void> {
    await pauseFor(Math.max(0, leastMsOfNotice - (performance.now() - began)))
    send(response, 404, {
      title: 'This link leads nowhere',
      color: defaultBrandColor,
      body: notice(
        'This link leads nowhere',
        'It is not complete, or it is no longer valid. Open the link of the latest message, or ask its sender for a new one.',
      ),
    })
  }

  function send(response: Response, status: number, document: PortalDocument): void {
    response.status(status).type('html').send(documents(document))
  }

  function refuseOtherSites(request: Request, _response: Response, next: () => void): void {
    if (isOfOtherSite(request, parts.publicUrl))
      throw new HttpError(403, 'This request came from another site. Use the form of the page.')
    next()
  }

  async function mailboxOf(visit: Visit, request: Request): Promise<string | null> {
    return mailboxOfLink(visit, request.query['to'], {
      clientOf: receivables.clientOf,
      idOf: (address) => stops.idOfAddress(visit.merchantId, { channel: 'mail', address }),
    })
  }

  function contextOf(what: string): CommandContext {
    const id = parts.newId()
    return {
      commandId: `portal ${what} ${id}`,
      correlationId: id,
      actor: { kind: 'system', id: 'client portal' },
      source: 'api',
    }
  }

  /** A person reads the answer. The log names the route, and never the address with the token. */
  function answerErrors(
    error: unknown,
    request: Request,
    response: Response,
    next: (error: unknown) => void,
  ): void {
    if (response.headersSent) return next(error)
    const known = error instanceof HttpError ? error : null
    const status = known?.status ?? (isRefusedBody(error) ? 400 : 503)
    if (status >= 500)
      log.error(
        { err: error, method: request.method, route: '/pay/:token', status },
        'A request of the client portal failed; the client received an error.',
      )
    const retryAfter = known?.retryAfterSeconds ?? (status === 503 ? 5 : undefined)
    if (retryAfter !== undefined) response.set('Retry-After', String(retryAfter))
    send(response, status, {
      title: 'The page could not be shown',
      color: defaultBrandColor,
      body: notice(
        'The page could not be shown',
        known === null
          ? 'The service is not available right now. Please try again in a moment.'
          : known.body.error,
      ),
    })
  }
}

function notice(title: string, sentence: string): ReactElement {
  return createElement(Notice, { title, sentence })
}

function isRefusedBody(error: unknown): boolean {
  return (
    error instanceof Error &&
    'status' in error &&
    typeof error.status === 'number' &&
    error.status >= 400 &&
    error.status < 500
  )
}

/** The fields of a form that are texts. */
function formOf(request: Request): Readonly<Record<string, string>> {
  const body: unknown = request.body
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return {}
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** RFC 8058 allows both encodings of a form. */
function isOneClick(request: Request): boolean {
  const body: unknown = request.body
  if (Buffer.isBuffer(body))
    return /name="?List-Unsubscribe"?\r?\n(?:[^\r\n]+\r?\n)*\r?\nOne-Click\r?\n/i.test(
      body.toString('latin1'),
    )
  return formOf(request)['List-Unsubscribe'] === 'One-Click'
}
