import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import { createElement, type ReactElement } from 'react'
import { leavePlace } from '#services/http/admission/hold-place'
import { HttpError } from '#services/http/http-error'
import { defaultBrandColor } from './portal-brand.ts'
import type { PortalDocument } from './portal-document.ts'
import { Notice } from './portal-notices.tsx'
import type { createPortal, Visit } from './portal.ts'
import { isOfOtherSite } from './same-site.ts'

export type TokenRequest = Request<{ token: string }>
type VisitHandler = (visit: Visit, request: TokenRequest, response: Response) => Promise<unknown>
type VisitOf = (token: string, request: TokenRequest) => Promise<Visit | null>

/**
 * An answer that a link leads nowhere is never sent earlier than this, in milliseconds: neither its
 * text nor its time says whether the link was ever valid.
 */
const minMsOfNotice = 200

/** How the portal answers: its pages, its one notice for bad links, and its failures. */
export interface PortalAnswers {
  send(response: Response, status: number, document: PortalDocument): void
  /** The one answer to all links that lead nowhere. `began`: of `performance.now()`. */
  sendNowhere(response: Response, began: number): Promise<void>
  /** Calls `handle` with the visit of the link, or answers that the link leads nowhere. */
  visiting(handle: VisitHandler, visitOf?: VisitOf): RequestHandler<{ token: string }>
  /** @throws HttpError 403 for a request of another site's page */
  refuseOtherSites(request: Request, response: Response, next: () => void): void
  answerErrors(
    error: unknown,
    request: Request,
    response: Response,
    next: (error: unknown) => void,
  ): void
}

export function createPortalAnswers({
  portal,
  documents,
  publicUrl,
  log,
}: {
  readonly portal: Pick<ReturnType<typeof createPortal>, 'visitOf'>
  readonly documents: (document: PortalDocument) => string
  readonly publicUrl: string
  readonly log: Pick<Logger, 'error'>
}): PortalAnswers {
  return {
    send,
    sendNowhere,

    visiting(handle, visitOf = (token) => portal.visitOf(token)) {
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
    },

    refuseOtherSites(request, _response, next) {
      if (isOfOtherSite(request, publicUrl))
        throw new HttpError(403, 'This request came from another site. Use the form of the page.')
      next()
    },

    /** A person reads the answer. The log names the route, and never the address with the token. */
    answerErrors(error, request, response, next) {
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
      const title =
        request.method === 'POST' ? 'This was not completed' : 'The page could not be shown'
      send(response, status, {
        title,
        color: defaultBrandColor,
        body: notice(title, known?.body.error ?? sentenceOf(status, request.method)),
      })
    },
  }

  async function sendNowhere(response: Response, began: number): Promise<void> {
    leavePlace(response)
    await pauseFor(Math.max(0, minMsOfNotice - (performance.now() - began)))
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
}

export function notice(title: string, sentence: string): ReactElement {
  return createElement(Notice, { title, sentence })
}

/** Of a failure without a sentence of its own. A form that is sent again repeats nothing. */
function sentenceOf(status: number, method: string): string {
  if (status < 500) return 'The form is too long or damaged. Go back and send it again.'
  return method === 'POST'
    ? 'The service is not available right now. Go back and send the form again in a moment: nothing is recorded twice.'
    : 'The service is not available right now. Please try again in a moment.'
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
