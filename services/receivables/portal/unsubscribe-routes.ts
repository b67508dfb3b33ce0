import express, { type Request, type Router } from 'express'
import { createElement } from 'react'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Receivables } from '../receivables-service.ts'
import type { ContactStops } from '../stops/contact-stops.ts'
import { notice, type PortalAnswers, type TokenRequest } from './portal-answers.ts'
import { defaultBrandColor } from './portal-brand.ts'
import { formOf, formReader, portalContext } from './portal-forms.ts'
import { RevokedUnsubscribePage, UnsubscribedPage, UnsubscribePage } from './portal-notices.tsx'
import type { createPortal, Visit } from './portal.ts'
import { mailboxOfLink } from './unsubscribe-link.ts'

export interface UnsubscribeParts {
  readonly portal: Pick<ReturnType<typeof createPortal>, 'visitOf' | 'merchantIn'>
  readonly receivables: Pick<Receivables, 'clientOf'>
  readonly stops: Pick<ContactStops, 'idOfAddress' | 'stopAddress'>
  readonly limits: Pick<Limits, 'portalChange'>
  readonly newId: () => string
}

/** The link of List-Unsubscribe. */
export function unsubscribeRoutes(
  { portal, receivables, stops, limits, newId }: UnsubscribeParts,
  answers: PortalAnswers,
): Router {
  const router = express.Router()

  router.get(
    '/pay/:token/unsubscribe',
    answers.visiting(async (visit, request, response) => {
      const address = await mailboxOf(visit, request)
      if (visit.isRevoked)
        return answers.send(response, 200, {
          title: 'Stop the e-mails?',
          color: defaultBrandColor,
          body: createElement(RevokedUnsubscribePage, { action: request.originalUrl }),
        })
      if (address === null) return response.redirect(303, `/pay/${visit.token}`)
      const merchant = portal.merchantIn(visit)
      answers.send(response, 200, {
        title: `${merchant.name}: stop the e-mails`,
        color: visit.color,
        body: createElement(UnsubscribePage, { merchant, address, action: request.originalUrl }),
      })
    }, lastingVisitOf),
  )

  // RFC 8058: a mail program posts here, of another site and without cookies, and follows no
  // redirect.
  router.post(
    '/pay/:token/unsubscribe',
    formReader('4kb'),
    express.raw({ type: 'multipart/form-data', limit: '4kb' }),
    answers.visiting(async (visit, request, response) => {
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
          portalContext('one-click', newId()),
        )
      }
      if (visit.isRevoked)
        return answers.send(response, 200, {
          title: 'The e-mails are stopped',
          color: defaultBrandColor,
          body: notice(
            'The e-mails are stopped',
            'The sender of the e-mail sends no reminder to the address that got it any more.',
          ),
        })
      answers.send(response, 200, {
        title: `${merchant.name}: the e-mails are stopped`,
        color: visit.color,
        body: createElement(UnsubscribedPage, {
          merchant,
          address: address ?? '',
          home: `/pay/${visit.token}`,
        }),
      })
    }, lastingVisitOf),
  )

  return router

  /**
   * Also for a revoked link that names a mailbox of its client: a mail can be stopped for as long
   * as a person has it.
   */
  async function lastingVisitOf(token: string, request: TokenRequest): Promise<Visit | null> {
    const visit = await portal.visitOf(token, { orRevoked: true })
    const isNamed = visit?.isRevoked === true && (await mailboxOf(visit, request)) !== null
    return visit?.isRevoked === true && !isNamed ? null : visit
  }

  async function mailboxOf(visit: Visit, request: Request): Promise<string | null> {
    return mailboxOfLink(visit, request.query['to'], {
      clientOf: receivables.clientOf,
      idOf: (address) => stops.idOfAddress(visit.merchantId, { channel: 'mail', address }),
    })
  }
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
