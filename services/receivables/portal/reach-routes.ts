import express, { type Router } from 'express'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { ContactStops, PortalAddress } from '../stops/contact-stops.ts'
import type { PortalAnswers } from './portal-answers.ts'
import { pageAfter } from './portal-said.ts'
import { formOf, formReader, portalContext } from './portal-forms.ts'

export interface ReachParts {
  readonly stops: Pick<ContactStops, 'stopAddress' | 'resumeAddress'>
  readonly limits: Pick<Limits, 'portalChange'>
  readonly newId: () => string
}

/** The switches of a client: whether reminders go to its address and its number. */
export function reachRoutes({ stops, limits, newId }: ReachParts, answers: PortalAnswers): Router {
  const router = express.Router()

  router.post(
    '/pay/:token/reach',
    answers.refuseOtherSites,
    formReader('4kb'),
    answers.visiting(async (visit, request, response) => {
      const { channel, want } = formOf(request)
      const { email, phone } = visit.client.details
      const address = channel === 'mail' ? email : phone
      if ((channel !== 'mail' && channel !== 'text') || address === null)
        throw new HttpError(400, 'This page has changed. Open the link again.')
      await limits.portalChange.spend(visit.clientId)
      const reached: PortalAddress = { channel, address }
      if (want === 'stop')
        await stops.stopAddress(visit.merchantId, reached, 'portal', portalContext('stop', newId()))
      else if (want === 'resume')
        await stops.resumeAddress(visit.merchantId, reached, portalContext('resume', newId()))
      else throw new HttpError(400, 'This page has changed. Open the link again.')
      response.redirect(303, pageAfter(visit.token, `${channel}-${want === 'stop' ? 'off' : 'on'}`))
    }),
  )

  return router
}
